//! The select over the whole zone table.

use shared::{
    instant::Instant,
    locale::Locale,
    zone::{Zone, Zones},
};

use super::link::{Hidden, Link};
use crate::pages::{dates, words::words};

/// Areas whose names are places of today; all others are old names or fixed offsets.
const PLACES: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

/// What the macro `zone_form` shows.
#[derive(Debug)]
pub(super) struct ZoneForm {
    pub(super) action: String,
    pub(super) hidden: Vec<Hidden>,
    pub(super) groups: Vec<ZoneGroup>,
    /// Whether a script may put in the browser's zone.
    pub(super) guess: bool,
}

/// The zones of an area.
#[derive(Debug)]
pub(super) struct ZoneGroup {
    pub(super) label: String,
    pub(super) options: Vec<ZoneOption>,
}

/// One zone.
#[derive(Debug)]
pub(super) struct ZoneOption {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) selected: bool,
}

/// What a zone form is made of.
pub(super) struct ZoneChoice<'a> {
    pub(super) zones: &'a Zones,
    pub(super) current: &'a Zone,
    pub(super) host: &'a Zone,
    /// The instant whose offsets are shown.
    pub(super) at: Instant,
    /// Whether a script may put in the browser's zone.
    pub(super) guess: bool,
}

impl ZoneForm {
    /// `link` is where the form leads, with what it keeps beside the zone.
    pub(super) fn new(locale: Locale, choice: &ZoneChoice<'_>, link: &Link) -> Self {
        Self {
            action: link.path().to_owned(),
            hidden: link.fields(),
            groups: groups(locale, choice),
            guess: choice.guess,
        }
    }
}

fn groups(locale: Locale, choice: &ZoneChoice<'_>) -> Vec<ZoneGroup> {
    let said = &words(locale).choose;
    let mut places: Vec<(&str, ZoneGroup)> = Vec::new();
    let mut old: Vec<(&str, ZoneGroup)> = Vec::new();
    let mut rest = ZoneGroup {
        label: said.zone_other.to_owned(),
        options: Vec::new(),
    };
    for zone in choice.zones.all().filter(|zone| *zone != choice.current) {
        let Some((area, place)) = zone.name().split_once('/') else {
            rest.options
                .push(option(locale, zone, zone.name(), choice.at));
            continue;
        };
        let list = match PLACES.contains(&area) {
            true => &mut places,
            false => &mut old,
        };
        let option = option(locale, zone, place, choice.at);
        match list.last_mut() {
            Some((held, group)) if *held == area => group.options.push(option),
            _ => list.push((
                area,
                ZoneGroup {
                    label: (said.area)(area).unwrap_or(area).to_owned(),
                    options: vec![option],
                },
            )),
        }
    }
    let mut groups = vec![near(locale, said.zone_near, choice)];
    groups.extend(places.into_iter().chain(old).map(|(_, group)| group));
    groups.push(rest);
    groups
}

/// The current zone, and the host's.
fn near(locale: Locale, label: &str, choice: &ZoneChoice<'_>) -> ZoneGroup {
    let mut zones = vec![choice.current];
    if choice.host != choice.current {
        zones.push(choice.host);
    }
    ZoneGroup {
        label: label.to_owned(),
        options: zones
            .into_iter()
            .map(|zone| ZoneOption {
                name: zone.name().to_owned(),
                label: dates::zone_label(locale, zone, choice.at),
                selected: zone == choice.current,
            })
            .collect(),
    }
}

/// An option that begins with the place, so that typing `Tok` finds Tokyo.
fn option(locale: Locale, zone: &Zone, place: &str, at: Instant) -> ZoneOption {
    ZoneOption {
        name: zone.name().to_owned(),
        label: dates::named_with_offset(locale, zone, place, at),
        selected: false,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn form(current: &str, host: &str, locale: Locale) -> (Zones, ZoneForm) {
        let zones = Zones::bundled();
        let (current, host) = (zones.get(current).unwrap(), zones.get(host).unwrap());
        let choice = ZoneChoice {
            zones: &zones,
            current: &current,
            host: &host,
            at: "2026-12-01T12:00:00Z".parse().unwrap(),
            guess: true,
        };
        let link = Link::to(["x"]).with("from", "2026-12-01");
        let form = ZoneForm::new(locale, &choice, &link);
        (zones, form)
    }

    #[test]
    fn the_whole_table_is_offered_and_one_zone_is_selected() {
        let (zones, form) = form("Asia/Kathmandu", "Europe/Paris", Locale::En);
        let mut names: Vec<_> = form
            .groups
            .iter()
            .flat_map(|group| &group.options)
            .map(|option| option.name.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        let table: Vec<_> = zones.all().map(Zone::name).collect();
        assert_eq!(names.len(), table.len());
        let selected: Vec<_> = form
            .groups
            .iter()
            .flat_map(|group| &group.options)
            .filter(|option| option.selected)
            .map(|option| option.label.as_str())
            .collect();
        assert_eq!(selected, ["Asia/Kathmandu (UTC+5:45)"]);
    }

    #[test]
    fn the_current_zone_and_the_hosts_come_first_and_no_group_is_empty_or_twice() {
        let (_, form) = form("Asia/Tokyo", "Europe/Paris", Locale::ZhCn);
        let near: Vec<_> = form.groups[0]
            .options
            .iter()
            .map(|option| option.name.as_str())
            .collect();
        assert_eq!(near, ["Asia/Tokyo", "Europe/Paris"]);
        let mut labels: Vec<_> = form.groups.iter().map(|g| g.label.as_str()).collect();
        assert_eq!(labels[..3], ["常用", "非洲", "美洲"]);
        assert_eq!(labels.last(), Some(&"其他名称"));
        assert!(form.groups.iter().all(|group| !group.options.is_empty()));
        labels.sort_unstable();
        let count = labels.len();
        labels.dedup();
        assert_eq!(labels.len(), count);
    }

    #[test]
    fn places_are_shown_without_underscores_and_old_areas_have_names() {
        let (_, form) = form("UTC", "UTC", Locale::ZhCn);
        for group in &form.groups {
            for option in &group.options {
                assert!(!option.label.contains('_'), "{}", option.label);
            }
            assert!(
                !group.label.is_ascii(),
                "an area without a Chinese name: {}",
                group.label
            );
        }
    }
}
