//! The hosted pages: no script needed. `pages/<page>/<verb>.rs` answers; [`view`] is what they look
//! like.

mod answer;
mod asked;
pub mod assets;
mod book;
pub mod dates;
mod dev_mail;
mod form;
mod home;
mod host;
mod manage;
mod static_file;
mod times;
pub mod view;
pub mod words;

use actix_web::{
    FromRequest, Handler, Responder,
    guard::{self, GuardContext},
    middleware::from_fn,
    web::{self, PayloadConfig, ServiceConfig},
};

pub use answer::{belongs_to_pages, refused};

const HOME: &str = "/";
const STATIC: &str = "/static/{file}";
const DEV_MAIL: &str = "/dev/mail";
const DEV_MESSAGE: &str = "/dev/mail/{number}";
const DEV_HTML: &str = "/dev/mail/{number}/html";
const DEV_INVITE: &str = "/dev/mail/{number}/invite.ics";
const NO_TOKEN: &str = "/book/m/";
const MANAGE: &str = "/book/m/{token}";
const CONFIRM: &str = "/book/m/{token}/confirm";
const RESCHEDULE: &str = "/book/m/{token}/reschedule";
const CANCEL: &str = "/book/m/{token}/cancel";
const CALENDAR: &str = "/book/m/{token}/calendar.ics";
const BOOK: &str = "/book/{handle}/{code}";
const HOST: &str = "/{handle}";

/// The pages' paths and methods. The last one matches any first segment.
pub const PATHS: &[(&str, &[&str])] = &[
    (HOME, &["GET"]),
    (STATIC, &["GET"]),
    (DEV_MAIL, &["GET"]),
    (DEV_MESSAGE, &["GET"]),
    (DEV_HTML, &["GET"]),
    (DEV_INVITE, &["GET"]),
    (NO_TOKEN, &["GET"]),
    (MANAGE, &["GET"]),
    (CONFIRM, &["POST"]),
    (RESCHEDULE, &["POST"]),
    (CANCEL, &["POST"]),
    (CALENDAR, &["GET"]),
    (BOOK, &["GET", "POST"]),
    (HOST, &["GET"]),
];

/// Registers the pages, after everything else: `/{handle}` matches any first segment.
pub fn configure(config: &mut ServiceConfig) {
    get(config, HOME, home::get);
    get(config, STATIC, static_file::get);
    get(config, DEV_MAIL, dev_mail::list::get);
    get(config, DEV_MESSAGE, dev_mail::message::get);
    get(config, DEV_HTML, dev_mail::html::get);
    get(config, DEV_INVITE, dev_mail::invite::get);
    get(config, NO_TOKEN, manage::get::missing);
    get(config, MANAGE, manage::get::get);
    post(config, CONFIRM, manage::confirm::post);
    post(config, RESCHEDULE, manage::reschedule::post);
    post(config, CANCEL, manage::cancel::post);
    get(config, CALENDAR, manage::calendar::get);
    get(config, BOOK, book::get::get);
    post(config, BOOK, book::post::post);
    get(config, HOST, host::get);
}

fn get<F, Args>(config: &mut ServiceConfig, path: &str, handler: F)
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    // The guard is the resource's, so that other methods go on to the router's own 405.
    let resource = web::resource(path).guard(guard::Get());
    config.service(resource.wrap(from_fn(answer::as_page)).to(handler));
}

fn post<F, Args>(config: &mut ServiceConfig, path: &'static str, handler: F)
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    // Nobody's handle is `m`: what is sent to a booking's own address is not sent to a page.
    let is_meant = move |context: &GuardContext<'_>| {
        path != BOOK || !context.head().uri.path().starts_with(NO_TOKEN)
    };
    let resource = web::resource(path)
        .guard(guard::Post())
        .guard(guard::fn_guard(is_meant));
    let resource = resource.app_data(PayloadConfig::new(form::MAX_ENCODED_BYTES));
    config.service(resource.wrap(from_fn(answer::as_page)).to(handler));
}
