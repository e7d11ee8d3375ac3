//! Randomness, as an argument.
//!
//! The system's generator in production; a seeded one in tests, so that a failing run can be
//! played again.

use std::sync::{Arc, Mutex, PoisonError};

use ring::{digest, rand::SecureRandom};

/// A source of random bytes that is cheap to clone.
#[derive(Clone, Debug)]
pub struct Random(Source);

#[derive(Clone, Debug)]
enum Source {
    System(ring::rand::SystemRandom),
    Seeded(Arc<Mutex<Seeded>>),
}

#[derive(Debug)]
struct Seeded {
    seed: u64,
    counter: u64,
}

/// The operating system refused to give random bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gave no random bytes")]
pub struct NoRandomness;

impl Random {
    /// The operating system's generator.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that opens the generator"
    )]
    pub fn system() -> Self {
        Self(Source::System(ring::rand::SystemRandom::new()))
    }

    /// A repeatable generator for tests. Not for secrets.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self(Source::Seeded(Arc::new(Mutex::new(Seeded {
            seed,
            counter: 0,
        }))))
    }

    /// Random bytes.
    ///
    /// # Errors
    /// [`NoRandomness`] when the operating system's generator fails.
    pub fn bytes<const N: usize>(&self) -> Result<[u8; N], NoRandomness> {
        let mut out = [0_u8; N];
        match &self.0 {
            Source::System(system) => system.fill(&mut out).map_err(|_| NoRandomness)?,
            Source::Seeded(seeded) => {
                let mut seeded = seeded.lock().unwrap_or_else(PoisonError::into_inner);
                for chunk in out.chunks_mut(32) {
                    let mut block = [0_u8; 16];
                    block[..8].copy_from_slice(&seeded.seed.to_be_bytes());
                    block[8..].copy_from_slice(&seeded.counter.to_be_bytes());
                    seeded.counter += 1;
                    let hash = digest::digest(&digest::SHA256, &block);
                    chunk.copy_from_slice(&hash.as_ref()[..chunk.len()]);
                }
            }
        }
        Ok(out)
    }

    /// A text of so many characters of `[a-z0-9]`, each equally likely.
    ///
    /// # Errors
    /// [`NoRandomness`] when the operating system's generator fails.
    pub fn lower_alphanumeric(&self, length: usize) -> Result<String, NoRandomness> {
        const ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
        let mut text = String::with_capacity(length);
        while text.len() < length {
            for byte in self.bytes::<32>()? {
                // 252 is the largest multiple of 36 in a byte: above it the draw would be uneven.
                if byte < 252 && text.len() < length {
                    text.push(char::from(ALPHABET[usize::from(byte % 36)]));
                }
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::Random;

    #[test]
    fn a_seed_gives_the_same_bytes_again_and_never_the_same_block_twice() {
        let (a, b) = (Random::seeded(7), Random::seeded(7));
        let first = a.bytes::<48>().unwrap();
        assert_eq!(first, b.bytes::<48>().unwrap());
        assert_ne!(first, a.bytes::<48>().unwrap());
        assert_ne!(first, Random::seeded(8).bytes::<48>().unwrap());
    }

    #[test]
    fn codes_have_only_their_alphabet_and_length() {
        let code = Random::system().lower_alphanumeric(8).unwrap();
        assert_eq!(code.len(), 8);
        assert!(
            code.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        );
    }
}
