//! Every refusal of every operation: one row for each operation and code of the OpenAPI document.
//!
//! A new operation gets a file of its own beside `pages.rs` with its `ROWS`, and a line in
//! [`TABLE`]. [`the_table_has_a_row_for_each_operation_and_code_and_no_other`] is red while one is
//! missing or one too many.

mod availability;
mod bookings;
mod calendars;
mod feeds;
mod host_bookings;
mod imports;
mod manage;
mod me;
mod pages;
mod scene;
mod subscriptions;

use std::collections::BTreeSet;

use holdfast_server::{
    error::Code,
    openapi::{OPERATION_ERRORS, errors_of},
    router,
};

pub use scene::{Good, How, Row, START, Scene, Stage, play};

/// The rows by file.
const TABLE: &[&[Row]] = &[
    pages::ROWS,
    bookings::ROWS,
    manage::SHOWING,
    manage::CONFIRMING,
    manage::CANCELLING,
    manage::MOVING,
    availability::ROWS,
    me::ROWS,
    host_bookings::SHOWING,
    host_bookings::CANCELLING,
    host_bookings::MOVING,
    host_bookings::GIVING,
    host_bookings::COMPLETING,
    host_bookings::MISSING,
    imports::ROWS,
    feeds::CREATING,
    feeds::LISTING,
    feeds::DELETING,
    feeds::EXPORTING,
    feeds::READING,
    subscriptions::SUBSCRIBING,
    subscriptions::SHOWING,
    subscriptions::SYNCING,
    calendars::LISTING,
    calendars::CREATING,
    calendars::CHANGING,
    calendars::DELETING,
    calendars::SHARING,
    calendars::LEAVING,
    calendars::BUSY,
    calendars::EXPLAINING,
];

#[test]
fn the_table_has_a_row_for_each_operation_and_code_and_no_other() {
    let mut documented = BTreeSet::new();
    for (operation, _) in OPERATION_ERRORS {
        for code in errors_of(operation) {
            assert!(
                documented.insert((*operation, code.as_str())),
                "{operation} lists {code:?} twice"
            );
        }
    }
    let mut played = BTreeSet::new();
    for row in TABLE.iter().copied().flatten() {
        assert!(
            played.insert((row.operation, row.code.as_str())),
            "{} has two rows for {:?}",
            row.operation,
            row.code
        );
    }
    let missing: Vec<_> = documented.difference(&played).collect();
    let superfluous: Vec<_> = played.difference(&documented).collect();
    assert!(
        missing.is_empty() && superfluous.is_empty(),
        "missing: {missing:?}; superfluous: {superfluous:?}"
    );
}

/// An operation without a row in [`OPERATION_ERRORS`] would have no documented refusals at all.
#[test]
fn each_operation_is_listed_and_nothing_else_is() {
    let document = router::document();
    let operations: BTreeSet<String> = document
        .paths
        .paths
        .iter()
        .filter(|(path, _)| path.starts_with("/v1/") || path.starts_with("/feed/"))
        .flat_map(|(_, item)| [&item.get, &item.post, &item.put, &item.patch, &item.delete])
        .flatten()
        .map(|operation| operation.operation_id.clone().unwrap())
        .collect();
    let listed: BTreeSet<String> = OPERATION_ERRORS
        .iter()
        .map(|(operation, _)| (*operation).to_owned())
        .collect();
    assert_eq!(listed, operations);
}

#[test]
fn codes_of_one_status_differ_by_their_title() {
    let titles: BTreeSet<&str> = Code::ALL.iter().map(|code| code.title()).collect();
    assert_eq!(titles.len(), Code::ALL.len());
}
