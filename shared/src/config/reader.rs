//! Reads variables one by one and collects what is wrong with them.

use std::fmt;

use super::settings::{SETTINGS, Setting};

/// One variable and what is wrong with it. The value itself is never shown: it may be a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The variable's name.
    pub name: String,
    /// What is wrong, in words that follow the name.
    pub what: String,
}

/// Every fault of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, fault) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{}: {}", fault.name, fault.what)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

pub(super) struct Reader<'a> {
    variable: &'a dyn Fn(&str) -> Option<String>,
    pub(super) faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(variable: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            variable,
            faults: Vec::new(),
        }
    }

    pub(super) fn fault(&mut self, name: &str, what: impl fmt::Display) {
        self.faults.push(Fault {
            name: name.to_owned(),
            what: what.to_string(),
        });
    }

    /// The value of a variable, or of the file that `<name>_FILE` names where the setting is a
    /// secret; an empty value is none.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let direct = (self.variable)(name).filter(|value| !value.trim().is_empty());
        let setting: Option<&Setting> = SETTINGS.iter().find(|setting| setting.name == name);
        if !setting.is_some_and(|setting| setting.secret) {
            return direct;
        }
        let file_name = format!("{name}_FILE");
        let path = (self.variable)(&file_name).filter(|value| !value.trim().is_empty());
        match (direct, path) {
            (Some(_), Some(_)) => {
                self.fault(
                    &file_name,
                    format_args!("cannot stand beside {name}; set one of the two"),
                );
                None
            }
            (direct, None) => direct,
            (None, Some(path)) => match std::fs::read_to_string(path.trim()) {
                Ok(text) if text.trim().is_empty() => {
                    self.fault(&file_name, "names an empty file");
                    None
                }
                Ok(text) => Some(text.trim().to_owned()),
                Err(error) => {
                    self.fault(&file_name, format_args!("cannot be read: {}", error.kind()));
                    None
                }
            },
        }
    }

    pub(super) fn number(&mut self, name: &str, default: u32, least: u32, most: u32) -> u32 {
        let Some(text) = self.text(name) else {
            return default;
        };
        match text.trim().parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => number,
            _ => {
                self.fault(
                    name,
                    format_args!("must be a whole number from {least} to {most}"),
                );
                default
            }
        }
    }

    pub(super) fn flag(&mut self, name: &str, default: bool) -> bool {
        match self.text(name).as_deref().map(str::trim) {
            None => default,
            Some("true" | "on" | "1" | "yes") => true,
            Some("false" | "off" | "0" | "no") => false,
            Some(_) => {
                self.fault(name, "must be true or false");
                default
            }
        }
    }
}
