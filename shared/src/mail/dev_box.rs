//! The development mailer's box: messages kept in memory and shown at `/dev/mail`.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use crate::instant::Instant;

/// The most messages kept; the oldest leave first.
const CAPACITY: usize = 200;

/// A message as it would have been sent.
#[derive(Clone, Debug)]
pub struct DevMessage {
    /// Counts from 1.
    pub number: u64,
    pub at: Instant,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The invitation in it.
    pub calendar: Option<String>,
}

/// The box. Cheap to clone; all clones share it.
#[derive(Clone, Debug, Default)]
pub struct DevBox(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    count: u64,
    messages: VecDeque<DevMessage>,
}

impl DevBox {
    /// Keeps a message; its number is set here.
    pub fn keep(&self, mut message: DevMessage) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.count += 1;
        message.number = inner.count;
        if inner.messages.len() == CAPACITY {
            inner.messages.pop_front();
        }
        inner.messages.push_back(message);
    }

    /// The kept messages, newest first.
    #[must_use]
    pub fn newest_first(&self) -> Vec<DevMessage> {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.messages.iter().rev().cloned().collect()
    }

    /// One message.
    #[must_use]
    pub fn find(&self, number: u64) -> Option<DevMessage> {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner
            .messages
            .iter()
            .find(|message| message.number == number)
            .cloned()
    }
}
