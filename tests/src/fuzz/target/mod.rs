//! What is given random input, and what it promises.

pub mod address;
pub mod availability;
pub mod ics;
pub mod rrule;

use std::hash::{DefaultHasher, Hash, Hasher};

use fastrand::Rng;

use super::{limit::Limit, timer::Timer};

/// A reader of what strangers write.
pub trait Target {
    /// Inputs to begin with.
    fn seeds(&self) -> Vec<Vec<u8>>;
    /// An input made by the grammar, where changed ones are too rarely understood.
    fn grammatical(&self, _rng: &mut Rng) -> Option<Vec<u8>> {
        None
    }
    /// Words that mean something to it.
    fn words(&self) -> &'static [&'static str];
    /// What an input may take.
    fn limit(&self) -> Limit;
    /// Reads an input by calls of the timer, and says what it saw, so that another kind of sight can
    /// be told from it.
    ///
    /// # Errors
    /// A promise that the input breaks.
    fn read(&self, input: &[u8], timer: &mut Timer) -> Result<Sight, String>;
}

/// What a target saw in an input.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// The same for inputs that show the same.
    pub kind: u64,
    /// Whether the input was understood, not refused at the door: a search that finds only refused
    /// ones tries nothing.
    pub understood: bool,
}

/// All of them, with their names.
#[must_use]
pub fn all() -> Vec<(&'static str, Box<dyn Target>)> {
    vec![
        ("ics", Box::new(ics::Ics::new())),
        ("rrule", Box::new(rrule::Rrule::new())),
        ("availability", Box::new(availability::Availability)),
        ("address", Box::new(address::Address)),
    ]
}

impl Sight {
    fn new(understood: bool, features: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        features.hash(&mut hasher);
        Self {
            kind: hasher.finish(),
            understood,
        }
    }
}

/// A number by its magnitude: 0, 1, 2, 3-4, 5-8, …
const fn magnitude(n: usize) -> u32 {
    match n {
        0 => 0,
        1 => 1,
        more => usize::BITS - (more - 1).leading_zeros() + 1,
    }
}

/// A promise.
fn holds(promise: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if promise { Ok(()) } else { Err(what()) }
}
