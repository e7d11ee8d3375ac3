//! The figures of a run: a table for people, JSON for machines.

use std::{fmt::Write as _, io::Write as _, path::Path};

use serde_json::{Value, json};

/// What a figure must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

impl Limit {
    fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }
}

/// One measured value.
#[derive(Clone, Debug)]
struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    limit: Option<Limit>,
}

/// Figures in the order in which they were measured. Each is shown as it comes.
#[derive(Default)]
pub struct Report(Vec<Figure>);

impl Report {
    /// A figure that is only told.
    pub fn tell(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        self.add(name.into(), value, unit, None);
    }

    /// A figure that must reach something.
    pub fn must(&mut self, name: impl Into<String>, value: f64, unit: &'static str, limit: Limit) {
        self.add(name.into(), value, unit, Some(limit));
    }

    fn add(&mut self, name: String, value: f64, unit: &'static str, limit: Option<Limit>) {
        let figure = Figure {
            name,
            value,
            unit,
            limit,
        };
        say(&line(&figure));
        self.0.push(figure);
    }

    /// The names of figures that do not reach what they must.
    pub fn missed(&self) -> Vec<&str> {
        self.0
            .iter()
            .filter(|figure| figure.limit.is_some_and(|l| !l.is_met(figure.value)))
            .map(|figure| figure.name.as_str())
            .collect()
    }

    /// Writes the JSON.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let figures: Vec<Value> = self.0.iter().map(as_json).collect();
        let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
        let whole = json!({ "cores": cores, "figures": figures });
        std::fs::write(path, format!("{whole:#}\n"))
    }
}

fn as_json(figure: &Figure) -> Value {
    let mut json = json!({ "name": figure.name, "value": figure.value, "unit": figure.unit });
    if let Some(limit) = figure.limit {
        match limit {
            Limit::AtMost(most) => json["at_most"] = json!(most),
            Limit::AtLeast(least) => json["at_least"] = json!(least),
        }
        json["met"] = json!(limit.is_met(figure.value));
    }
    json
}

fn line(figure: &Figure) -> String {
    let digits = if figure.value.abs() < 10.0 {
        2
    } else if figure.value.abs() < 1_000.0 {
        1
    } else {
        0
    };
    let mut line = format!(
        "{:<46} {:>10.digits$} {:<6}",
        figure.name, figure.value, figure.unit
    );
    if let Some(limit) = figure.limit {
        let (word, bound) = match limit {
            Limit::AtMost(most) => ("at most", most),
            Limit::AtLeast(least) => ("at least", least),
        };
        let verdict = if limit.is_met(figure.value) {
            "reached"
        } else {
            "MISSED"
        };
        // Writing to a String cannot fail.
        let _ = write!(line, " {word} {bound}: {verdict}");
    }
    line
}

/// Writes a line of the table.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{}", line.trim_end());
}

/// The middle of some values.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
