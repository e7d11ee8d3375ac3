//! The worker's side of a test: what is owed goes over SMTP to a sink, when the test says so.

use std::sync::{Arc, Mutex, PoisonError};

use holdfast_worker::{
    Mailer, Pulse, Settings, Traffic, Worker,
    jobs::send_mail::{self, JobEnd, Post},
    mailer::SEND_LIMIT,
    run::lane_slots,
    smtp::{Sender, SenderSettings, SmtpUrl},
};
use shared::{ops::Context, wake::Wake};

use crate::{Flow, feeds, letter::Letter, smtp_sink::SmtpSink};

/// Mails in flight at once, as by default.
const CONCURRENCY: usize = 4;

/// A sink, and a worker's means of sending to it.
pub struct TestMail {
    pub sink: SmtpSink,
    pub post: Post,
    letters: Mutex<Vec<Letter>>,
}

impl TestMail {
    /// Over a context.
    pub async fn start(context: &Context) -> Self {
        let sink = SmtpSink::start().await.unwrap();
        Self {
            post: post(context, &sink),
            sink,
            letters: Mutex::default(),
        }
    }

    /// Goes on with another mail server; what the one before got stays among the letters.
    pub fn move_to(&mut self, sink: SmtpSink, settings: SenderSettings) {
        self.arrived();
        self.post = post_by(&self.post.context, settings);
        self.sink = sink;
    }

    /// Sends everything that is due, one after the other; answers what arrived since the last call.
    pub async fn drain(&self) -> Vec<Letter> {
        self.ends().await;
        self.arrived()
    }

    /// Sends everything that is due; answers how each job ended.
    pub async fn ends(&self) -> Vec<JobEnd> {
        send_mail::drain(&self.post).await.unwrap()
    }

    /// A fresh sender, after a worker that stopped closed the one they shared.
    pub fn reopen(&mut self) {
        self.post = post(&self.post.context, &self.sink);
    }

    /// What arrived since the last call.
    pub fn arrived(&self) -> Vec<Letter> {
        let new: Vec<Letter> = self.sink.take().iter().map(Letter::open).collect();
        self.kept().extend(new.iter().cloned());
        new
    }

    /// Everything that ever arrived, oldest first.
    pub fn letters(&self) -> Vec<Letter> {
        self.arrived();
        self.kept().clone()
    }

    /// The newest letter to an address.
    pub fn newest(&self, to: &str) -> Letter {
        let letters = self.letters();
        let found = letters.into_iter().rev().find(|letter| letter.to == to);
        found.unwrap_or_else(|| panic!("no mail to {to}"))
    }

    /// The manage token in the newest letter to an address.
    pub fn token(&self, to: &str) -> String {
        self.newest(to).token().expect("a manage link")
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Vec<Letter>> {
        self.letters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a worker sends with, to a sink.
pub fn post(context: &Context, sink: &SmtpSink) -> Post {
    let mut settings = SenderSettings::new(SmtpUrl::parse(&sink.url()).unwrap(), "holdfast.test");
    settings.send_timeout = SEND_LIMIT;
    post_by(context, settings)
}

/// The same by a sender's settings.
pub fn post_by(context: &Context, settings: SenderSettings) -> Post {
    Post {
        context: context.clone(),
        traffic: Traffic::new(lane_slots(CONCURRENCY), context.clock.clone()),
        mailer: Mailer::Smtp(Arc::new(Sender::new(settings).unwrap())),
        public_url: "https://book.holdfast.test".into(),
        manage_url: "https://book.holdfast.test/book/m/{token}?action={action}".into(),
    }
}

/// The worker half of a flow, running as it does in production: woken by commits, notifications and
/// its timer.
pub fn worker(flow: &Flow) -> Worker {
    let Wake::Here(wake) = &flow.context.wake else {
        panic!("the worker runs in this process");
    };
    Worker::start(Settings {
        post: flow.mail.post.clone(),
        concurrency: CONCURRENCY,
        syncer: feeds::syncer(&flow.context),
        wake: wake.clone(),
        listen: flow.database.options(),
        pulse: Pulse::default(),
    })
    .unwrap()
}
