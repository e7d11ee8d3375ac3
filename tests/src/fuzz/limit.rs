//! What one input may take.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

/// What one input may take of time and memory.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The time of one call, in a build that is optimised.
    pub time: Duration,
    /// Memory that the reader may hold at once, whatever the length of the input.
    pub bytes: usize,
    /// And for each byte of it.
    pub bytes_per_byte: usize,
}

impl Limit {
    /// The memory that an input of so many bytes may take.
    #[must_use]
    pub const fn bytes_of(&self, length: usize) -> usize {
        self.bytes
            .saturating_add(self.bytes_per_byte.saturating_mul(length))
    }
}

/// Ends the process if one input takes far too long, for a reader that never returns says nothing.
pub struct Watch {
    input: Arc<Mutex<Vec<u8>>>,
    number: Arc<AtomicU64>,
}

/// How long an input may run before the process ends.
const PATIENCE: Duration = Duration::from_secs(20);

impl Watch {
    /// Starts to watch. The input that hangs is written to `folder`.
    #[must_use]
    pub fn start(folder: &Path) -> Self {
        let input = Arc::new(Mutex::new(Vec::new()));
        let number = Arc::new(AtomicU64::new(0));
        let (shown, counted) = (Arc::clone(&input), Arc::clone(&number));
        let folder = folder.to_owned();
        thread::spawn(move || {
            let mut last = 0;
            loop {
                thread::sleep(PATIENCE);
                let now = counted.load(Ordering::Relaxed);
                if now != 0 && now == last {
                    let held = shown.lock().expect("nobody panics while holding it");
                    let file = save(&folder, "hang", &held);
                    eprintln_of(&format!("input {now} hangs: {}", file.display()));
                    std::process::exit(1);
                }
                last = now;
            }
        });
        Self { input, number }
    }

    /// The next input begins.
    pub fn next(&self, input: &[u8]) {
        let mut held = self.input.lock().expect("nobody panics while holding it");
        held.clear();
        held.extend_from_slice(input);
        self.number.fetch_add(1, Ordering::Relaxed);
    }

    /// Nothing runs any more.
    pub fn rest(&self) {
        self.number.store(0, Ordering::Relaxed);
    }
}

/// Writes an input that found a fault, named by its own hash.
pub fn save(folder: &Path, what: &str, input: &[u8]) -> PathBuf {
    // FNV-1a: a name that stays the same.
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let file = folder.join(format!("{what}-{hash:016x}"));
    fs::create_dir_all(folder).expect("a folder for findings");
    fs::write(&file, input).expect("a finding can be written");
    file
}

fn eprintln_of(line: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{line}");
}
