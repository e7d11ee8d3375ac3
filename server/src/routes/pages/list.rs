//! `GET /v1/pages/{handle}`: the types that a host lists.

use actix_web::{
    HttpResponse, get,
    web::{Data, Path},
};
use serde::Serialize;
use shared::ops;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::Visitor,
};

/// A host's public face.
#[derive(Serialize, ToSchema)]
pub struct HostPage {
    /// The first part of the host's addresses.
    #[schema(example = "ana")]
    pub handle: String,
    /// The host.
    pub host: PublicHost,
    /// The published types that the host marked as listed.
    pub data: Vec<ListedPage>,
    /// Always null: a host lists all types at once.
    pub next_cursor: Option<String>,
}

/// What strangers learn of a host.
#[derive(Serialize, ToSchema)]
pub struct PublicHost {
    /// The public name.
    #[schema(example = "Ana Novak")]
    pub name: String,
}

/// One listed type.
#[derive(Serialize, ToSchema)]
pub struct ListedPage {
    /// The unchanging second part of the page's address.
    #[schema(example = "k3x9q2ab")]
    pub code: String,
    /// The page's address.
    #[schema(example = "https://book.example.com/book/ana/k3x9q2ab")]
    pub url: String,
    /// The title.
    pub title: String,
    /// The description.
    pub description: String,
    /// The length of a meeting, minutes.
    #[schema(example = 30)]
    pub duration_min: u32,
}

/// List a host's pages.
///
/// A host with no listed page answers like one who never was.
#[utoipa::path(
    tag = "pages", operation_id = "listPages",
    params(("handle" = String, Path, description = "The host's handle", example = "ana")),
    responses((status = 200, description = "The host's listed pages", body = HostPage)),
)]
#[get("/pages/{handle}")]
pub async fn list(
    app: Data<App>,
    _visitor: Visitor,
    path: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let found = ops::list_host(&app.context, &path).await?;
    let found = found.ok_or_else(|| ApiError::new(Code::NotFound))?;
    let data = found.types.into_iter().map(|listed| ListedPage {
        url: format!(
            "{}/book/{}/{}",
            app.settings.public_url, found.handle, listed.address
        ),
        code: listed.code,
        title: listed.title,
        description: listed.description,
        duration_min: listed.duration_min,
    });
    let page = HostPage {
        data: data.collect(),
        handle: found.handle,
        host: PublicHost { name: found.name },
        next_cursor: None,
    };
    Ok(HttpResponse::Ok().json(page))
}
