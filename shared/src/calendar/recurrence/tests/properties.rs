//! Properties of expansion over random rules.

use proptest::prelude::*;

use super::*;

fn rule() -> impl Strategy<Value = String> {
    let frequency = prop::sample::select(vec!["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY"]);
    let part = prop::sample::select(vec![
        "BYMONTH=3,10",
        "BYMONTHDAY=-1",
        "BYMONTHDAY=1,15,31",
        "BYDAY=MO,WE,SA",
        "BYDAY=-1SU,2TU",
        "BYDAY=MO,1TU",
        "BYYEARDAY=1,-1,100",
        "BYWEEKNO=1,53",
        "BYSETPOS=-1",
        "BYSETPOS=1,2",
        "BYHOUR=0,2,23",
        "BYMINUTE=0,30",
        "WKST=SU",
        "COUNT=200",
        "UNTIL=20270329T003000Z",
        "UNTIL=20270329",
    ]);
    (frequency, 1_u32..9, prop::collection::vec(part, 0..4)).prop_map(|(frequency, n, parts)| {
        let mut seen: Vec<&str> = Vec::new();
        let mut rule = format!("FREQ={frequency};INTERVAL={n}");
        for part in parts {
            let name = part.split('=').next().unwrap_or_default();
            if !seen.contains(&name) {
                seen.push(name);
                rule.push_str(&format!(";{part}"));
            }
        }
        rule
    })
}

fn spans(
    calendar: &Calendar,
    zone: &Zone,
    range: Span,
) -> Result<Vec<(Instant, Instant)>, IncompleteBusy> {
    let host = Host {
        zone,
        addresses: &[],
    };
    let found = occurrences(calendar, &host, range, &mut Budget::new(1_000_000));
    match found.incomplete.into_iter().next() {
        Some(incomplete) => Err(incomplete),
        None => Ok(found.occurrences.iter().map(|o| (o.from, o.to)).collect()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What a window shows is what a larger one shows in it.
    #[test]
    fn a_window_shows_what_a_larger_one_shows_there(
        rule in rule(),
        year in 1990_u32..2027,
        month in 1_u32..13,
        hour in 0_u32..24,
        minutes in 1_u32..6_000,
        zone_at in 0_usize..5,
        from_day in 0_i64..700,
        days in 1_i64..40,
        dates in any::<bool>(),
    ) {
        let names = ["UTC", "Europe/Dublin", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe"];
        let zone = zone(names[zone_at]);
        let start = if dates {
            format!("DTSTART;VALUE=DATE:{year:04}{month:02}05")
        } else {
            format!("DTSTART;TZID={}:{year:04}{month:02}05T{hour:02}3000", zone.name())
        };
        let calendar = event(&[
            &start,
            &format!("DURATION:PT{minutes}M"),
            &format!("RRULE:{rule}"),
        ]);
        let day = |n: i64| at("2025-12-01T00:00:00Z").plus_minutes(n * 1_440);
        let small = Span::new(day(from_day), day(from_day + days)).unwrap();
        let large = Span::new(day(from_day - 200), day(from_day + days + 100)).unwrap();
        // A rule with no further date may be seen as such in one window and not in the other.
        if let (Ok(inside), Ok(all)) = (spans(&calendar, &zone, small), spans(&calendar, &zone, large)) {
            let filtered: Vec<_> = all
                .into_iter()
                .filter(|(from, to)| *from < small.to && *to > small.from)
                .collect();
            prop_assert_eq!(inside, filtered);
        }
    }

    /// No text of a rule, however odd, brings the reader or the expansion down.
    #[test]
    fn no_rule_text_panics(
        text in prop_oneof![
            "[A-Z=;,0-9+-]{0,80}",
            "FREQ=(YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY)(;(INTERVAL|BYMONTH|BYMONTHDAY|BYYEARDAY|BYWEEKNO|BYSETPOS|BYHOUR|BYMINUTE|BYSECOND|COUNT)=-?[0-9]{1,5}(,-?[0-9]{1,3}){0,3}){0,4}(;BYDAY=-?[0-9]{0,2}(MO|SU)(,[0-9]?FR)?)?",
        ],
        year in 1_i16..9_999,
    ) {
        let start = jiff::civil::date(year, 12, 31).at(23, 59, 59, 0);
        let window = jiff::civil::date(year, 12, 31).at(0, 0, 0, 0);
        if let Ok(rule) = crate::calendar::recurrence::Rule::read(&text, start, false) {
            let mut out = Vec::new();
            let mut steps = crate::calendar::recurrence::Steps::new(2_000);
            let end = window.saturating_add(jiff::Span::new().years(3));
            // Exact or not, it answers, in order and in the window.
            let _ = rule.dates(window, end, &mut steps, &mut out);
            prop_assert!(out.is_sorted());
            prop_assert!(out.iter().all(|date| (start..end).contains(date)));
        }
    }
}
