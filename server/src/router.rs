//! Which path leads to which handler.

use std::sync::Arc;

use actix_cors::Cors;
use actix_web::{
    App as ActixApp, Error, HttpRequest, HttpResponse,
    body::MessageBody,
    dev::{ResourceDef, ServiceFactory, ServiceRequest, ServiceResponse},
    http::{Method, header},
    middleware::from_fn,
    web::{self, Data},
};
use utoipa::{Modify as _, OpenApi as _, openapi::OpenApi as Document};
use utoipa_actix_web::{AppExt as _, scope::scope};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::json::MAX_BODY_BYTES,
    observe::observe,
    openapi::{Base, ErrorResponses},
    pages, routes,
};

/// The OpenAPI document of this program.
#[must_use]
pub fn document() -> Document {
    let (_, mut document) = ActixApp::new()
        .into_utoipa_app()
        .openapi(Base::openapi())
        .configure(|config| api(config, &[]))
        .split_for_parts();
    ErrorResponses.modify(&mut document);
    document
}

/// Every operation of the JSON API.
fn api(config: &mut utoipa_actix_web::service_config::ServiceConfig<'_>, cors_origins: &[String]) {
    config
        .service(routes::process::healthz::healthz)
        .service(routes::process::readyz::readyz)
        .service(routes::process::metrics::metrics)
        .service(routes::feeds::read::read)
        .service(
            scope("/v1")
                .service(routes::bookings::create::create)
                .service(routes::manage::calendar::calendar)
                .service(routes::manage::show::show)
                .service(routes::manage::confirm::confirm)
                .service(routes::manage::slots::slots)
                .service(routes::manage::reschedule::reschedule)
                .service(routes::manage::cancel::cancel)
                .service(routes::pages::slots::slots)
                .service(routes::pages::show::show)
                .service(routes::pages::list::list)
                .service(routes::availability::parse::parse)
                .service(routes::me::show::show)
                .service(routes::bookings::list::list)
                .service(routes::bookings::show::show)
                .service(routes::bookings::cancel::cancel)
                .service(routes::bookings::reschedule::reschedule)
                .service(routes::bookings::reassign::reassign)
                .service(routes::bookings::complete::complete)
                .service(routes::bookings::no_show::no_show)
                .service(routes::imports::create::create)
                .service(routes::feeds::create::create)
                .service(routes::feeds::list::list)
                .service(routes::feeds::delete::delete)
                .service(routes::feeds::export::export)
                .service(routes::subscriptions::subscribe::subscribe)
                .service(routes::subscriptions::show::show)
                .service(routes::subscriptions::sync::sync)
                .service(routes::calendars::list::list)
                .service(routes::calendars::create::create)
                .service(routes::calendars::change::change)
                .service(routes::calendars::delete::delete)
                .service(routes::calendars::add_member::add)
                .service(routes::calendars::remove_member::remove)
                .service(routes::hosts::busy::busy)
                .service(routes::pages::explain::explain)
                .wrap(cors(cors_origins)),
        );
}

/// The methods of every path, for 405 and for the tests that compare router and document.
pub struct Methods {
    api: Vec<(ResourceDef, Vec<Method>)>,
    pages: Vec<(ResourceDef, Vec<Method>)>,
}

impl Methods {
    /// The document's paths and the pages'.
    #[must_use]
    pub fn new(document: &Document) -> Self {
        let api = document
            .paths
            .paths
            .iter()
            .map(|(path, item)| {
                let mut methods = Vec::new();
                if item.get.is_some() {
                    methods.extend([Method::GET, Method::HEAD]);
                }
                let others = [
                    (&item.post, Method::POST),
                    (&item.put, Method::PUT),
                    (&item.patch, Method::PATCH),
                    (&item.delete, Method::DELETE),
                ];
                methods.extend(
                    others
                        .into_iter()
                        .filter(|(operation, _)| operation.is_some())
                        .map(|(_, method)| method),
                );
                (ResourceDef::new(path.as_str()), methods)
            })
            .collect();
        let pages = pages::PATHS.iter().map(|(path, methods)| {
            let methods = methods.iter().flat_map(|m| {
                if *m == "GET" {
                    vec![Method::GET, Method::HEAD]
                } else {
                    vec![Method::POST]
                }
            });
            (ResourceDef::new(*path), methods.collect())
        });
        Self {
            api,
            pages: pages.collect(),
        }
    }

    /// What a path answers to; nothing if there is none. One may be named as itself and be an id
    /// in the place of another; a page's `/{handle}` matches them all, so pages come after.
    fn allowed(&self, path: &str) -> Vec<Method> {
        let is_at = |(template, _): &&(ResourceDef, Vec<Method>)| template.is_match(path);
        let api: Vec<Method> = self
            .api
            .iter()
            .filter(is_at)
            .flat_map(|(_, methods)| methods.iter().cloned())
            .collect();
        if !api.is_empty() {
            return api;
        }
        let page = self.pages.iter().find(is_at);
        page.map_or_else(Vec::new, |(_, methods)| methods.clone())
    }
}

/// The whole HTTP half.
pub fn build(
    app: Data<App>,
    document: &Document,
    methods: Arc<Methods>,
) -> ActixApp<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody + use<>>,
        Error = Error,
        InitError = (),
    > + use<>,
> {
    // Its own default shows a badge that swagger.io makes from the document.
    let quiet = Config::default().validator_url("none");
    let docs = SwaggerUi::new("/docs/{_:.*}")
        .config(quiet)
        .url("/openapi.json", document.clone());
    let cors_origins = app.settings.cors_origins.clone();
    ActixApp::new()
        .app_data(app)
        .app_data(Data::from(methods))
        .app_data(web::PayloadConfig::new(MAX_BODY_BYTES))
        .app_data(web::FormConfig::default().limit(MAX_BODY_BYTES))
        .into_utoipa_app()
        .configure(|config| api(config, &cors_origins))
        .into_app()
        .route(
            "/docs",
            web::get().to(|| async {
                HttpResponse::PermanentRedirect()
                    .insert_header((header::LOCATION, "/docs/"))
                    .finish()
            }),
        )
        .service(docs)
        .configure(pages::configure)
        .default_service(web::to(nothing_here))
        .wrap(from_fn(observe))
}

/// Public calls answer any origin unless some are named; never with credentials. Pages answer
/// none: they are not for other sites' scripts.
fn cors(origins: &[String]) -> Cors {
    let base = Cors::default()
        .allowed_methods(["GET", "POST"])
        .allowed_headers(["Content-Type", "Idempotency-Key", "X-Manage-Token"])
        .expose_headers(["X-Request-Id", "Retry-After", "Idempotent-Replayed"])
        .max_age(3600);
    if origins.is_empty() {
        base.allow_any_origin().send_wildcard()
    } else {
        origins
            .iter()
            .fold(base, |cors, origin| cors.allowed_origin(origin))
    }
}

/// An unknown path is 404; a known one with another method is 405 and says which it has. Both are
/// pages where pages are.
async fn nothing_here(
    request: HttpRequest,
    methods: Data<Methods>,
) -> Result<HttpResponse, ApiError> {
    let allowed = methods.allowed(request.path());
    let error = if allowed.is_empty() || allowed.contains(request.method()) {
        ApiError::new(Code::NotFound)
    } else {
        let list: Vec<&str> = allowed.iter().map(Method::as_str).collect();
        ApiError::new(Code::MethodNotAllowed).allow(list.join(", "))
    };
    if pages::belongs_to_pages(request.path()) {
        Ok(pages::refused(&request, &error))
    } else {
        Err(error)
    }
}
