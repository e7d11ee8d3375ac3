//! `GET /`: the hosts who opted in, or what this is.

use askama::Template;

use super::{facts::Reader, frame::Frame, link::Link};

/// A host who is listed.
#[derive(Clone, Copy, Debug)]
pub struct ListedHost<'a> {
    /// The public name.
    pub name: &'a str,
    /// The handle: the page is `/{handle}`.
    pub handle: &'a str,
}

/// The facts of the page.
#[derive(Clone, Copy, Debug)]
pub struct HomePage<'a> {
    /// Who reads it.
    pub reader: Reader,
    /// The hosts who are listed, in the order to show.
    pub hosts: &'a [ListedHost<'a>],
}

#[derive(Template)]
#[template(path = "home.html")]
struct View<'a> {
    frame: Frame,
    hosts: Vec<Row<'a>>,
}

struct Row<'a> {
    name: &'a str,
    initial: String,
    href: String,
}

impl HomePage<'_> {
    /// The page, for 200.
    #[must_use]
    pub fn html(&self) -> String {
        let reader = self.reader;
        let frame = Frame::new(reader, "Holdfast")
            .switchable(reader, &Link::to([]))
            .indexed();
        let hosts = self.hosts.iter().map(|host| Row {
            name: host.name,
            initial: initial(host.name),
            href: reader.keep(Link::to([host.handle])).href(),
        });
        super::html(&View {
            frame,
            hosts: hosts.collect(),
        })
    }
}

/// The first letter of a name, for the mark beside it.
fn initial(name: &str) -> String {
    name.chars()
        .find(|c| c.is_alphanumeric())
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default()
}
