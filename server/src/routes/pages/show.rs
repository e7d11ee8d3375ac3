//! `GET /v1/pages/{handle}/{code}`: one page, without its slots.

use actix_web::{
    HttpResponse, get,
    web::{Data, Path},
};
use serde::Serialize;
use shared::{
    booking::{Confirmation, LocationKind, Page, QuestionKind},
    locale::Locale,
    ops,
};
use utoipa::ToSchema;
use uuid::Uuid;

use super::list::PublicHost;
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::Visitor,
};

/// An event type as strangers see it.
#[derive(Serialize, ToSchema)]
pub struct PublicPage {
    /// The first part of the page's address.
    #[schema(example = "ana")]
    pub handle: String,
    /// The second part, which never changes.
    #[schema(example = "k3x9q2ab")]
    pub code: String,
    /// The title.
    #[schema(example = "Introduction")]
    pub title: String,
    /// The description; may be empty.
    pub description: String,
    /// The length of a meeting, minutes.
    #[schema(example = 30)]
    pub duration_min: u32,
    /// The host.
    pub host: PublicHost,
    /// The host's zone, an IANA name: slots are shown in it unless another is asked for.
    #[schema(example = "America/New_York")]
    pub zone: String,
    /// How a booking becomes certain.
    pub confirmation: Confirmation,
    /// What kind of place it is; the place itself is told to those who booked.
    pub location_kind: LocationKind,
    /// Whether the booker may add guests.
    pub guests_allowed: bool,
    /// What is asked of the booker.
    pub questions: Vec<PublicQuestion>,
    /// Languages that pages and mail speak.
    pub locales: Vec<Locale>,
}

/// One question.
#[derive(Serialize, ToSchema)]
pub struct PublicQuestion {
    /// Names the answer in a booking's `answers`.
    pub id: Uuid,
    /// What is asked.
    pub label: String,
    /// What an answer looks like.
    pub kind: QuestionKind,
    /// Whether it must be answered.
    pub required: bool,
    /// The options of a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl From<Page> for PublicPage {
    fn from(page: Page) -> Self {
        Self {
            handle: page.host.handle,
            code: page.code,
            title: page.title,
            description: page.description,
            duration_min: page.rule.duration_min,
            host: PublicHost {
                name: page.host.name,
            },
            zone: page.rule.zone.name().to_owned(),
            confirmation: page.confirmation,
            location_kind: page.location_kind,
            guests_allowed: page.allow_guests,
            questions: page
                .questions
                .into_iter()
                .map(|q| PublicQuestion {
                    id: q.id,
                    label: q.label,
                    kind: q.kind,
                    required: q.required,
                    options: q.options,
                })
                .collect(),
            locales: Locale::ALL.to_vec(),
        }
    }
}

/// Show a page.
///
/// Unknown and unpublished pages answer alike.
#[utoipa::path(
    tag = "pages", operation_id = "showPage",
    params(
        ("handle" = String, Path, description = "The host's handle", example = "ana"),
        ("code" = String, Path, description = "The page's code or slug", example = "k3x9q2ab"),
    ),
    responses((status = 200, description = "The page", body = PublicPage)),
)]
#[get("/pages/{handle}/{code}")]
pub async fn show(
    app: Data<App>,
    _visitor: Visitor,
    path: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (handle, code) = path.into_inner();
    let page = ops::show_page(&app.context, &handle, &code, app.context.clock.now()).await?;
    let page = page.ok_or_else(|| ApiError::new(Code::NotFound))?;
    Ok(HttpResponse::Ok().json(PublicPage::from(page)))
}
