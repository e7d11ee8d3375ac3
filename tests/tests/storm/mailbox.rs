//! Everybody's mailbox: what the mail server accepted, and who waits for a link in it.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use holdfast_tests::{letter::Letter, smtp_sink::SmtpSink};
use tokio::sync::oneshot;

/// All mail so far.
#[derive(Default)]
pub struct Mailbox(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    letters: Vec<Letter>,
    /// The first link to each address.
    links: HashMap<String, String>,
    waiting: HashMap<String, oneshot::Sender<String>>,
    closed: bool,
}

impl Mailbox {
    /// Takes what came since the last time; answers how much.
    pub fn collect(&self, sink: &SmtpSink) -> usize {
        let new = sink.take();
        // Read outside the lock: it takes a while.
        let letters: Vec<Letter> = new.iter().map(Letter::open).collect();
        let mut kept = self.kept();
        for letter in letters {
            if let Some(token) = letter.token() {
                if let Some(waiting) = kept.waiting.remove(&letter.to) {
                    // Its booker gave up when nobody is there.
                    let _ = waiting.send(token.clone());
                }
                kept.links.entry(letter.to.clone()).or_insert(token);
            }
            kept.letters.push(letter);
        }
        new.len()
    }

    /// The token of the first link that comes to an address; `None` if none came when the mailbox
    /// was closed.
    pub async fn link(&self, address: &str) -> Option<String> {
        let come = {
            let mut kept = self.kept();
            if let Some(token) = kept.links.get(address) {
                return Some(token.clone());
            }
            if kept.closed {
                return None;
            }
            let (give, take) = oneshot::channel();
            kept.waiting.insert(address.to_owned(), give);
            take
        };
        come.await.ok()
    }

    /// How many wait for a link.
    pub fn waiting(&self) -> usize {
        self.kept().waiting.len()
    }

    /// Nothing comes any more: nobody waits on.
    pub fn close(&self) {
        let mut kept = self.kept();
        kept.closed = true;
        kept.waiting.clear();
    }

    /// All mail, in the order in which it was accepted.
    pub fn take(&self) -> Vec<Letter> {
        std::mem::take(&mut self.kept().letters)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
