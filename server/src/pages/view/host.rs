//! `GET /{handle}`: a host's listed pages.

use askama::Template;

use super::{
    facts::{PageAddress, Reader, said},
    frame::{Frame, titled},
    link::Link,
};
use crate::pages::dates;

/// A page that its host lists.
#[derive(Clone, Copy, Debug)]
pub struct ListedType<'a> {
    /// Its code, or its slug if it has one.
    pub code: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its description.
    pub description: Option<&'a str>,
    /// The length of a meeting in minutes.
    pub duration_min: u32,
}

/// The facts of the page.
#[derive(Clone, Copy, Debug)]
pub struct HostPage<'a> {
    /// Who reads it.
    pub reader: Reader,
    /// The host's handle.
    pub handle: &'a str,
    /// The host's public name.
    pub host_name: &'a str,
    /// The listed pages, in the order to show; not empty, for without any there is a 404.
    pub types: &'a [ListedType<'a>],
}

#[derive(Template)]
#[template(path = "host.html")]
struct View<'a> {
    frame: Frame,
    host_name: &'a str,
    types: Vec<Row<'a>>,
}

struct Row<'a> {
    title: &'a str,
    description: Option<&'a str>,
    duration: String,
    href: String,
}

impl HostPage<'_> {
    /// The page, for 200.
    #[must_use]
    pub fn html(&self) -> String {
        let reader = self.reader;
        let types = self.types.iter().map(|listed| {
            let address = PageAddress {
                handle: self.handle,
                code: listed.code,
            };
            Row {
                title: listed.title,
                description: said(listed.description),
                duration: dates::duration(reader.locale, listed.duration_min),
                href: reader.keep(address.link()).href(),
            }
        });
        super::html(&View {
            frame: Frame::new(reader, titled(&[self.host_name]))
                .switchable(reader, &Link::to([self.handle]))
                .indexed(),
            host_name: self.host_name,
            types: types.collect(),
        })
    }
}
