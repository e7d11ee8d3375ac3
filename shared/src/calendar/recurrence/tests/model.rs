//! Against python-dateutil: `tests/python/recurrence_model.py` says how and where the two differ.

use jiff::civil;

use crate::calendar::{
    event_clock::Clock,
    recurrence::{Rule, Steps, budget::EVENT_STEPS},
};
use crate::zone::Zone;

const FILE: &str = include_str!("../../../../../tests/data/recurrence-model.json");

type Record = (String, String, String, String, String, Vec<i64>);

fn wall(text: &str) -> civil::DateTime {
    civil::DateTime::strptime("%Y%m%dT%H%M%S", text).expect(text)
}

#[test]
fn random_rules_have_the_dates_that_dateutil_gives() {
    let records: Vec<Record> = serde_json::from_str(FILE).unwrap();
    assert!(records.len() >= 3_000);
    let mut compared = 0;
    let mut never = 0;
    for (kind, start, text, from, to, expected) in &records {
        let (start, from, to) = (wall(start), wall(from), wall(to));
        let rule = Rule::read(text, start, false).expect(text);
        let mut found = Vec::new();
        let outcome = rule.dates(from, to, &mut Steps::new(EVENT_STEPS), &mut found);
        let found: Vec<i64> = found
            .iter()
            .filter(|wall| {
                let at = Clock::Utc.place(**wall, &Zone::utc()).unwrap().at;
                rule.allows(**wall, at)
            })
            .map(|wall| wall.duration_since(from).as_secs())
            .collect();
        assert_eq!(&found, expected, "{kind} {start} {text} in {from} to {to}");
        if outcome.is_err() {
            // Not exact is only said of what has no date at all.
            assert!(found.is_empty(), "{start} {text}: {outcome:?}");
            never += 1;
        }
        compared += found.len();
    }
    assert!(compared > 20_000, "{compared} dates");
    assert!(never < records.len() / 20, "{never} rules without an end");
}
