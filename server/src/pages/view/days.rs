//! `GET /book/{handle}/{code}`: the days with free times, and with `day=` the times of that day.

use askama::Template;
use shared::{
    instant::{Day, Instant},
    locale::Locale,
    zone::{Zone, Zones},
};

use super::{
    calendar::Calendar,
    facts::{PublicPage, Reader, said},
    frame::{Frame, titled},
    link::Link,
    times::DayTimes,
    weeks::Weeks,
    zone_form::{ZoneChoice, ZoneForm},
};
use crate::pages::dates;

/// The free times of a date of the reader's zone, ascending.
#[derive(Clone, Debug)]
pub struct DaySlots {
    /// The date.
    pub date: Day,
    /// When its slots start.
    pub starts: Vec<Instant>,
}

/// What choosing a time needs, on a booking page and on a manage page.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The table, for the select.
    pub zones: &'a Zones,
    /// The zone that times are shown in.
    pub zone: &'a Zone,
    /// Whether the address names it (`zone=`); if not, a script may put in the browser's.
    pub zone_asked: bool,
    /// The host's zone.
    pub host_zone: &'a Zone,
    /// Now.
    pub now: Instant,
    /// The weeks shown.
    pub weeks: Weeks,
    /// The slots in those weeks by date; dates without any may be left out.
    pub days: &'a [DaySlots],
}

/// A calendar, a zone select, and the times of a day.
#[derive(Debug)]
pub(super) struct Chooser {
    pub(super) zone_form: ZoneForm,
    pub(super) calendar: Calendar,
    /// The times of the chosen day, empty if it has none.
    pub(super) chosen: Option<DayTimes>,
    /// Else the first times of the first free day.
    pub(super) soonest: Option<DayTimes>,
    /// From a day to all of them.
    pub(super) back: String,
}

impl Chooser {
    /// `base` is the page's address with what all its links keep; `guess`: a zone that the address
    /// does not name may give way to the browser's.
    pub(super) fn new(locale: Locale, choice: &Choice<'_>, base: &Link, guess: bool) -> Self {
        let weeks = &choice.weeks;
        let paged = base
            .clone()
            .maybe("from", weeks.asked.map(|day| day.0.to_string()));
        let kept_day = weeks.chosen.filter(|_| weeks.keeps_day());
        let zone_link = paged
            .clone()
            .maybe("day", kept_day.map(|day| day.0.to_string()));
        let link = paged.with("zone", choice.zone.name());
        let time_link = base.clone().with("zone", choice.zone.name());
        let chosen = weeks.chosen.map(|date| {
            let none = DaySlots {
                date,
                starts: Vec::new(),
            };
            let day = choice.days.iter().find(|day| day.date == date);
            DayTimes::all(locale, choice.zone, day.unwrap_or(&none), &time_link)
        });
        let first = choice.days.iter().find(|day| !day.starts.is_empty());
        let soonest = first
            .filter(|_| chosen.is_none())
            .map(|day| DayTimes::first(locale, choice.zone, day, &time_link));
        let at = first
            .and_then(|day| day.starts.first())
            .copied()
            .unwrap_or(choice.now);
        let zones = ZoneChoice {
            zones: choice.zones,
            current: choice.zone,
            host: choice.host_zone,
            at,
            guess: guess && !choice.zone_asked,
        };
        Self {
            zone_form: ZoneForm::new(locale, &zones, &zone_link),
            calendar: Calendar::new(locale, weeks, choice.days, &link),
            chosen,
            soonest,
            back: link.href(),
        }
    }
}

impl Choice<'_> {
    /// This page's own address: what was asked for, and no more.
    pub(super) fn here(&self, base: Link) -> Link {
        let text = |day: Day| day.0.to_string();
        base.maybe("zone", self.zone_asked.then(|| self.zone.name()))
            .maybe("from", self.weeks.asked.map(text))
            .maybe("day", self.weeks.chosen.map(text))
    }
}

/// The head of a booking page: whose it is and what can be booked.
#[derive(Debug)]
pub(super) struct About<'a> {
    pub(super) title: &'a str,
    pub(super) description: Option<&'a str>,
    pub(super) host_name: &'a str,
    pub(super) duration: String,
    pub(super) by_mail: bool,
}

impl<'a> About<'a> {
    pub(super) fn new(locale: Locale, page: &PublicPage<'a>) -> Self {
        Self {
            title: page.title,
            description: said(page.description),
            host_name: page.host_name,
            duration: dates::duration(locale, page.duration_min),
            by_mail: page.by_mail,
        }
    }
}

/// The facts of the page.
#[derive(Clone, Copy, Debug)]
pub struct DaysPage<'a> {
    /// Who reads it.
    pub reader: Reader,
    /// What can be booked.
    pub page: PublicPage<'a>,
    /// The times.
    pub choice: Choice<'a>,
    /// Whether the reader came for a time that has gone meanwhile (an old link to the form).
    pub gone: bool,
}

#[derive(Template)]
#[template(path = "days.html")]
struct View<'a> {
    frame: Frame,
    about: About<'a>,
    chooser: Chooser,
    gone: bool,
}

impl DaysPage<'_> {
    /// The page, for 200; for 409 if the time has gone.
    #[must_use]
    pub fn html(&self) -> String {
        let locale = self.reader.locale;
        let base = self.page.address.link();
        let here = self.choice.here(base.clone());
        let title = titled(&[self.page.title, self.page.host_name]);
        super::html(&View {
            frame: Frame::new(self.reader, title).switchable(self.reader, &here),
            about: About::new(locale, &self.page),
            chooser: Chooser::new(locale, &self.choice, &self.reader.keep(base), true),
            gone: self.gone,
        })
    }
}
