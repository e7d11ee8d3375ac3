//! Draws that a seed repeats.

use shared::random::Random;

/// A sequence of draws.
pub struct Dice(Random);

impl Dice {
    /// The sequence of a seed and a number: neighbours have nothing in common.
    pub fn of(seed: u64, number: u64) -> Self {
        Self(Random::seeded(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number,
        ))
    }

    /// A number below `end`.
    pub fn below(&self, end: u64) -> u64 {
        u64::from_be_bytes(self.0.bytes().unwrap()) % end
    }

    /// True so many times in a thousand.
    pub fn permille(&self, often: u64) -> bool {
        self.below(1_000) < often
    }
}
