//! The slot kernel: what one computation costs, by horizon and by busy spans.
//!
//! Monday to Friday 9-12 and 13-17 in New York, 30 minutes, buffers of 5 and 10, an override a week,
//! two available exceptions and a daily limit. The rule is prepared and the zone resolved before
//! the clock runs; the busy spans are sorted and spread over the horizon, a tenth of them are
//! bookings that the limit counts.

use std::time::Instant as Stopwatch;

use jiff::{SignedDuration, civil};
use shared::{
    availability::Window,
    instant::{Instant, Span},
    slots::{Busy, DstPolicy, Limits, PreparedRule, Rule, SlotError, compute_slots},
    zone::{Zone, Zones},
};

/// The horizons, in days.
pub const HORIZONS: [u32; 5] = [7, 30, 60, 90, 365];
/// How many spans are busy.
pub const BUSY: [u32; 3] = [0, 200, 10_000];
const ROUNDS: usize = 1_000;
const WARM_UP: usize = 100;

/// What one cell of the matrix costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Days of the range and of the horizon.
    pub days: u32,
    /// Busy spans.
    pub busy: u32,
    /// Slots found, so that a kernel that does nothing shows.
    pub slots: usize,
    /// Median nanoseconds of [`compute_slots`] alone, of 1,000 runs.
    pub compute_ns: u128,
    /// The same with [`Busy::new`] from sorted spans, as a request runs it.
    pub request_ns: u128,
}

impl Row {
    /// The row's name in the table and in the JSON.
    #[must_use]
    pub fn name(&self) -> String {
        format!("slots.kernel.{}d.{}busy", self.days, self.busy)
    }
}

/// What goes wrong before anything is measured.
#[derive(Debug)]
pub struct Unmeasured(String);

impl std::fmt::Display for Unmeasured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the slot kernel cannot be measured: {}", self.0)
    }
}

impl std::error::Error for Unmeasured {}

impl From<SlotError> for Unmeasured {
    fn from(error: SlotError) -> Self {
        Self(error.to_string())
    }
}

impl From<jiff::Error> for Unmeasured {
    fn from(error: jiff::Error) -> Self {
        Self(error.to_string())
    }
}

/// Runs the whole matrix. In a debug build the figures mean nothing.
///
/// # Errors
/// [`Unmeasured`] if the rule of the benchmark is refused, which would be a defect.
pub fn run(zones: &Zones) -> Result<Vec<Row>, Unmeasured> {
    let zone = zones
        .get("America/New_York")
        .map_err(|error| Unmeasured(error.to_string()))?;
    let mut rows = Vec::new();
    for days in HORIZONS {
        // Monday 2026-03-02, 08:00: the clocks change within the first week.
        let now = zone.instant(civil::date(2026, 3, 2).at(8, 0, 0, 0))?;
        let rule = rule(&zone, days)?.prepare()?;
        for busy in BUSY {
            rows.push(measure(&rule, now, days, busy)?);
        }
    }
    Ok(rows)
}

fn measure(rule: &PreparedRule, now: Instant, days: u32, busy: u32) -> Result<Row, Unmeasured> {
    let to = now.plus(SignedDuration::from_hours(24 * i64::from(days)));
    let spans = spread(now, to, busy);
    let starts: Vec<Instant> = spans.iter().step_by(10).map(|span| span.from).collect();
    let gather = || (spans.clone(), starts.clone());

    let (given, counted) = gather();
    let prepared = Busy::new(given, Vec::new(), counted);
    let slots = compute_slots(rule, &prepared, now, now, to)?.len();
    let compute_ns = median(|| {
        let watch = Stopwatch::now();
        let listed = compute_slots(rule, &prepared, now, now, to).map(|list| list.len());
        (watch.elapsed().as_nanos(), listed == Ok(slots))
    })?;
    let request_ns = median(|| {
        let (given, counted) = gather();
        let watch = Stopwatch::now();
        let gathered = Busy::new(given, Vec::new(), counted);
        let listed = compute_slots(rule, &gathered, now, now, to).map(|list| list.len());
        (watch.elapsed().as_nanos(), listed == Ok(slots))
    })?;
    Ok(Row {
        days,
        busy,
        slots,
        compute_ns,
        request_ns,
    })
}

fn median(mut run: impl FnMut() -> (u128, bool)) -> Result<u128, Unmeasured> {
    let mut times = Vec::with_capacity(ROUNDS);
    for round in 0..WARM_UP + ROUNDS {
        let (time, same) = run();
        if !same {
            return Err(Unmeasured("two runs gave different lists".to_owned()));
        }
        if round >= WARM_UP {
            times.push(time);
        }
    }
    times.sort_unstable();
    times
        .get(ROUNDS / 2)
        .copied()
        .ok_or_else(|| Unmeasured("nothing was run".to_owned()))
}

fn rule(zone: &Zone, days: u32) -> Result<Rule, Unmeasured> {
    let windows = (1..=5)
        .flat_map(|weekday| [(weekday, 540, 720), (weekday, 780, 1020)])
        .map(|(weekday, start_min, end_min)| Window {
            weekday,
            start_min,
            end_min,
        })
        .collect();
    // Every Wednesday is different; every fourth is a day off.
    let mut overrides = std::collections::BTreeMap::new();
    let mut wednesday = civil::date(2026, 3, 4);
    for week in 0..=days / 7 {
        let ranges = if week % 4 == 3 {
            Vec::new()
        } else {
            vec![(600, 720), (840, 1080)]
        };
        overrides.insert(wednesday, ranges);
        wednesday = wednesday.checked_add(SignedDuration::from_hours(7 * 24))?;
    }
    let evening = |day: i8| -> Result<Span, jiff::Error> {
        let date = civil::date(2026, 3, day);
        Ok(Span {
            from: zone.instant(date.at(18, 0, 0, 0))?,
            to: zone.instant(date.at(21, 0, 0, 0))?,
        })
    };
    Ok(Rule {
        zone: zone.clone(),
        windows,
        overrides,
        available: vec![evening(3)?, evening(7)?],
        cross_midnight: false,
        duration_min: 30,
        step_min: 30,
        before_buffer_min: 5,
        after_buffer_min: 10,
        notice_min: 120,
        horizon_days: days,
        bookable_from: None,
        bookable_until: None,
        dst_policy: DstPolicy::Strict,
        limits: Limits {
            per_day: Some(8),
            per_week: None,
            per_month: None,
        },
    })
}

/// Sorted spans, evenly over the range, each at most half an hour and half the distance.
fn spread(from: Instant, to: Instant, count: u32) -> Vec<Span> {
    let range = to.since(from);
    let span = |at: u32| {
        let begin = from.plus(range / i32::try_from(count).ok()? * i32::try_from(at).ok()?);
        let length = (range / i32::try_from(count).ok()? / 2).min(SignedDuration::from_mins(30));
        Span::new(begin, begin.plus(length))
    };
    (0..count).filter_map(span).collect()
}
