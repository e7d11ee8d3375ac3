//! The search: changes inputs, runs them, keeps what shows something new.

use std::{
    collections::HashSet,
    panic::{self, AssertUnwindSafe},
    path::Path,
    time::{Duration, Instant as Stopwatch},
};

use fastrand::Rng;

use super::{
    limit::{Watch, save},
    mutation,
    target::{Sight, Target},
    timer::Timer,
};

/// The most inputs that are kept.
const MAX_KEPT: usize = 20_000;
/// How often an input that took too long is run again: other programs share the processor's caches.
const AGAIN: u32 = 3;

/// How much memory this process holds, and has held at most.
pub trait Memory {
    /// Bytes held now.
    fn held(&self) -> usize;
    /// Bytes held at most since `reset`.
    fn peak(&self) -> usize;
    /// Forgets the peak.
    fn reset(&self);
}

/// What a search came to.
#[derive(Debug)]
pub struct Outcome {
    /// Inputs that were run.
    pub inputs: u64,
    /// Inputs that were understood.
    pub understood: u64,
    /// Inputs that showed something new.
    pub kept: usize,
    /// The longest time that one call took, the best of several where it was over the limit.
    pub slowest: Duration,
    /// The most memory that one took, in bytes, and that input's length.
    pub largest: (usize, usize),
    /// The whole time.
    pub took: Duration,
}

/// A fault, with the file that the input was written to.
#[derive(Debug)]
pub struct Found {
    /// What is wrong.
    pub what: String,
    /// The input.
    pub file: std::path::PathBuf,
}

/// Runs so many inputs. `patience` multiplies the limit of time: a build that is not optimised is
/// slower.
///
/// # Errors
/// The first input that brings the reader down, breaks a promise, or takes too much.
pub fn run(
    target: &dyn Target,
    inputs: u64,
    seed: u64,
    patience: u32,
    memory: &dyn Memory,
    folder: &Path,
) -> Result<Outcome, Found> {
    let began = Stopwatch::now();
    let mut rng = Rng::with_seed(seed);
    let mut corpus = target.seeds();
    let mut seen = HashSet::new();
    let limit = target.limit();
    let time = limit.time * patience;
    let watch = Watch::start(folder);
    let mut outcome = Outcome {
        inputs: 0,
        understood: 0,
        kept: 0,
        slowest: Duration::ZERO,
        largest: (0, 0),
        took: Duration::ZERO,
    };
    let seeds = corpus.len();
    while outcome.inputs < inputs {
        let number = usize::try_from(outcome.inputs).expect("fits");
        let input = if number < seeds {
            corpus[number].clone()
        } else {
            let made = rng.bool().then(|| target.grammatical(&mut rng)).flatten();
            made.unwrap_or_else(|| mutation::change(&mut rng, &corpus, target.words()))
        };
        outcome.inputs += 1;
        watch.next(&input);
        let before = memory.held();
        memory.reset();
        let (sight, mut took) = sight_of(target, &input, folder)?;
        let taken = memory.peak().saturating_sub(before);
        if taken > limit.bytes_of(input.len()) {
            return Err(Found {
                what: format!("{taken} bytes of memory for {} bytes", input.len()),
                file: save(folder, "memory", &input),
            });
        }
        for _ in 0..AGAIN {
            if took <= time {
                break;
            }
            took = took.min(sight_of(target, &input, folder)?.1);
        }
        if took > time {
            return Err(Found {
                what: format!("{took:?} for {} bytes", input.len()),
                file: save(folder, "slow", &input),
            });
        }
        outcome.slowest = outcome.slowest.max(took);
        outcome.largest = outcome.largest.max((taken, input.len()));
        outcome.understood += u64::from(sight.understood);
        if seen.insert(sight.kind) && number >= seeds && corpus.len() < MAX_KEPT {
            outcome.kept += 1;
            corpus.push(input);
        }
    }
    watch.rest();
    outcome.took = began.elapsed();
    Ok(outcome)
}

/// Runs one input.
fn sight_of(target: &dyn Target, input: &[u8], folder: &Path) -> Result<(Sight, Duration), Found> {
    let mut timer = Timer::default();
    let run = panic::catch_unwind(AssertUnwindSafe(|| target.read(input, &mut timer)));
    let what = match run {
        Ok(Ok(sight)) => return Ok((sight, timer.longest())),
        Ok(Err(broken)) => format!("a promise is broken: {broken}"),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            format!("panic: {}", text.unwrap_or("without a word"))
        }
    };
    Err(Found {
        what,
        file: save(folder, "fault", input),
    })
}
