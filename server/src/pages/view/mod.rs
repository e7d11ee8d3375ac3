//! The hosted pages as pure values: facts in, HTML out. No I/O, no clock, no rules.
//!
//! Each page is a struct of facts that its handler fills, with one method, `html()`. Every text
//! that somebody typed is escaped by askama and isolated from its direction by the template.

mod calendar;
mod calendar_links;
mod cancel;
mod days;
mod dev_mail;
mod facts;
mod field;
mod form;
mod frame;
mod home;
mod host;
mod link;
mod manage;
mod moving;
mod not_found;
mod notice;
mod problem;
mod refusal;
mod sent;
mod times;
mod weeks;
mod when;
mod zone_form;

pub use cancel::CancelPage;
pub use days::{Choice, DaySlots, DaysPage};
pub use dev_mail::{DevMailPage, DevMessagePage};
pub use facts::{Answered, AnsweredValue, Booking, PageAddress, Place, PublicPage, Reader};
pub use field::{Answer, Question, QuestionKind, Typed};
pub use form::{FormNotice, FormPage, Trouble};
pub use home::{HomePage, ListedHost};
pub use host::{HostPage, ListedType};
pub use manage::{CancelledBy, ManagePage, State};
pub use moving::{MovePage, ReviewPage};
pub use not_found::not_found;
pub use notice::Notice;
pub use problem::{At, Fault, Problem};
pub use refusal::{Refusal, RefusalPage};
pub use sent::SentPage;
pub use weeks::Weeks;

use askama::Template;

/// Renders a page. Writing to a string cannot fail, so the plain answer is never seen.
fn html(page: &impl Template) -> String {
    page.render()
        .unwrap_or_else(|_| "<!doctype html><title>500</title><h1>500</h1>".to_owned())
}

#[cfg(test)]
mod tests;
