//! The development mailer in a test: what is owed goes into the box that `/dev/mail` shows.

use holdfast_worker::{
    Mailer, Traffic,
    jobs::send_mail::{self, Post},
};
use shared::mail::dev_box::{DevBox, DevMessage};

use crate::TestApp;

impl TestApp {
    /// The box.
    ///
    /// # Panics
    /// Unless the app was started with one.
    pub fn dev_box(&self) -> &DevBox {
        self.state.dev_box.as_ref().expect("Options::dev_mail")
    }

    /// Sends everything that is due into the box; answers what is new in it, oldest first.
    pub async fn deliver(&self) -> Vec<DevMessage> {
        let kept = self.dev_box();
        let before = kept
            .newest_first()
            .first()
            .map_or(0, |newest| newest.number);
        let post = Post {
            context: self.context.clone(),
            traffic: Traffic::new(1, self.context.clock.clone()),
            mailer: Mailer::Box(kept.clone()),
            public_url: self.state.settings.public_url.clone(),
            manage_url: self.state.settings.manage_url.clone(),
        };
        send_mail::drain(&post).await.unwrap();
        let mut new = kept.newest_first();
        new.retain(|message| message.number > before);
        new.reverse();
        new
    }

    /// Sends everything that is due; answers the manage token in the newest mail to an address.
    pub async fn mailed_token(&self, to: &str) -> String {
        self.deliver().await;
        let messages = self.dev_box().newest_first();
        let message = messages.iter().find(|message| message.to == to);
        let text = &message.unwrap_or_else(|| panic!("no mail to {to}")).text;
        let (_, rest) = text.split_once("/book/m/").expect("a manage link");
        rest.chars().take_while(char::is_ascii_hexdigit).collect()
    }
}
