//! Windows' names of zones.

/// CLDR's table, one `name<TAB>zone` a line, `#` before comments.
const TABLE: &str = include_str!("windows_zones.tsv");

/// The IANA zone of a Windows name, in any case.
pub(super) fn zone(name: &str) -> Option<&'static str> {
    entries()
        .find(|(windows, _)| windows.eq_ignore_ascii_case(name))
        .map(|(_, zone)| zone)
}

fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zone::Zones;

    #[test]
    fn every_windows_name_has_a_zone_of_the_table() {
        let zones = Zones::bundled();
        assert!(entries().count() > 130);
        for (windows, zone) in entries() {
            assert!(zones.get(zone).is_ok(), "{windows}: {zone}");
        }
        assert_eq!(zone("w. europe standard time"), Some("Europe/Berlin"));
        assert_eq!(zone("Middle Earth Standard Time"), None);
    }
}
