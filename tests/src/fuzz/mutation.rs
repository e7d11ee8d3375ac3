//! Changes inputs at random: bytes, numbers, words that the target knows, lines, and repetition.

use fastrand::Rng;

/// The longest input that is made, in bytes; a few are longer, to see what grows faster than its
/// input.
const LONG: usize = 8 * 1_024;
const VERY_LONG: usize = 512 * 1_024;
/// How rarely an input may be very long: one in so many.
const VERY_LONG_ONE_IN: u32 = 2_000;

/// Numbers at which readers turn.
const NUMBERS: [&str; 32] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "7",
    "12",
    "13",
    "23",
    "24",
    "28",
    "29",
    "30",
    "31",
    "32",
    "53",
    "-53",
    "54",
    "59",
    "60",
    "99",
    "255",
    "256",
    "365",
    "366",
    "-366",
    "367",
    "65535",
    "65536",
    "2147483648",
    "99999999999999999999",
    "000000001",
];

/// Letters at which readers turn.
const LETTERS: [&str; 12] = [
    "\u{0}",
    "\u{7f}",
    "\u{a0}",
    "\u{200b}",
    "\u{202e}",
    "\u{2013}",
    "\u{130}",
    "\u{df}",
    "\u{1f468}\u{200d}\u{1f469}",
    "\u{fffd}",
    "\u{e9}",
    "e\u{301}",
];

/// An input made from others. `words` are the target's own.
#[must_use]
pub fn change(rng: &mut Rng, corpus: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut input = any(rng, corpus).clone();
    let most = if rng.u32(..VERY_LONG_ONE_IN) == 0 {
        VERY_LONG
    } else {
        LONG
    };
    let times = 1 + rng.usize(..4) * rng.usize(..4);
    for _ in 0..times {
        once(rng, &mut input, corpus, words, most);
    }
    if most == VERY_LONG {
        repeat(rng, &mut input, most);
    }
    input.truncate(most);
    input
}

fn any<'a>(rng: &mut Rng, corpus: &'a [Vec<u8>]) -> &'a Vec<u8> {
    // The later ones were found by search: as likely as all the rest.
    let half = corpus.len() / 2;
    let at = if rng.bool() { half } else { 0 };
    &corpus[rng.usize(at..corpus.len())]
}

fn once(rng: &mut Rng, input: &mut Vec<u8>, corpus: &[Vec<u8>], words: &[&str], most: usize) {
    match rng.u32(..14) {
        0 => {
            if let Some(byte) = at(rng, input) {
                input[byte] ^= 1 << rng.u32(..8);
            }
        }
        1 => {
            if let Some(byte) = at(rng, input) {
                input[byte] = rng.u8(..);
            }
        }
        2 => {
            let (from, to) = range(rng, input);
            input.drain(from..to);
        }
        3 | 4 => {
            let word = *rng.choice(words).expect("a target has words");
            put(rng, input, word.as_bytes());
        }
        5 => put(
            rng,
            input,
            rng.clone().choice(LETTERS).expect("letters").as_bytes(),
        ),
        6 | 7 => number(rng, input),
        8 => {
            // A part of another.
            let other = any(rng, corpus);
            let (from, to) = range(rng, other);
            let part = other[from..to].to_vec();
            put(rng, input, &part);
        }
        9 => {
            // The head of this one, the tail of another.
            let other = any(rng, corpus);
            let cut = rng.usize(..=input.len());
            let tail = rng.usize(..=other.len());
            input.truncate(cut);
            input.extend_from_slice(&other[tail..]);
        }
        10 => repeat(rng, input, most.min(LONG)),
        11 => lines(rng, input),
        12 => replace_word(rng, input, words),
        _ => {
            let cut = rng.usize(..=input.len());
            input.truncate(cut);
        }
    }
}

fn at(rng: &mut Rng, input: &[u8]) -> Option<usize> {
    (!input.is_empty()).then(|| rng.usize(..input.len()))
}

/// A range of some bytes, mostly short.
fn range(rng: &mut Rng, input: &[u8]) -> (usize, usize) {
    let from = rng.usize(..=input.len());
    let most = if rng.bool() { 8 } else { input.len() };
    (from, (from + rng.usize(..=most)).min(input.len()))
}

fn put(rng: &mut Rng, input: &mut Vec<u8>, part: &[u8]) {
    let at = rng.usize(..=input.len());
    let mut part = part.to_vec();
    part.truncate(VERY_LONG);
    input.splice(at..at, part);
}

/// Repeats a part until the input is long.
fn repeat(rng: &mut Rng, input: &mut Vec<u8>, most: usize) {
    let (from, to) = range(rng, input);
    let part = input[from..to].to_vec();
    if part.is_empty() || input.len() >= most {
        return;
    }
    let room = (most - input.len()) / part.len();
    let times = if rng.bool() {
        room
    } else {
        room.min(1 + rng.usize(..20))
    };
    let all = part.repeat(times);
    input.splice(to..to, all);
}

/// Puts another number in the place of one.
fn number(rng: &mut Rng, input: &mut Vec<u8>) {
    let Some(from) = at(rng, input) else { return };
    let digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = input[from..].iter().position(digit).map(|n| from + n) else {
        return;
    };
    let length = input[start..].iter().take_while(|byte| digit(byte)).count();
    let new = if rng.bool() {
        rng.choice(NUMBERS).expect("numbers").as_bytes().to_vec()
    } else {
        // Another of as many digits.
        (0..length).map(|_| b'0' + rng.u8(..10)).collect()
    };
    input.splice(start..start + length, new);
}

/// Puts a word of the target in the place of another one.
fn replace_word(rng: &mut Rng, input: &mut Vec<u8>, words: &[&str]) {
    let old = rng.choice(words).expect("words").as_bytes();
    let new = rng.choice(words).expect("words").as_bytes();
    let found = input.windows(old.len().max(1)).position(|part| part == old);
    if let Some(from) = found {
        input.splice(from..from + old.len(), new.iter().copied());
    }
}

/// Doubles, drops or exchanges lines.
fn lines(rng: &mut Rng, input: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = input
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let (a, b) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
    match rng.u32(..3) {
        0 => lines.insert(b, lines[a].clone()),
        1 => drop(lines.remove(a)),
        _ => lines.swap(a, b),
    }
    *input = lines.join(&b'\n');
}
