//! `GET /{handle}`: the pages that a host lists.

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    web::{Data, Path},
};
use shared::ops;

use super::{
    answer, asked,
    view::{HostPage, ListedType},
};
use crate::{
    app::App,
    error::{ApiError, Code},
    extract::Visitor,
};

/// The page of a host; one who lists nothing is not told from one who never was.
pub(super) async fn get(
    app: Data<App>,
    request: HttpRequest,
    _visitor: Visitor,
    handle: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let host = ops::list_host(&app.context, &handle).await?;
    let host = host.ok_or_else(|| ApiError::new(Code::NotFound))?;
    let types: Vec<ListedType<'_>> = host
        .types
        .iter()
        .map(|listed| ListedType {
            code: &listed.address,
            title: &listed.title,
            description: Some(&listed.description),
            duration_min: listed.duration_min,
        })
        .collect();
    let page = HostPage {
        reader: asked::reader(&request),
        handle: &host.handle,
        host_name: &host.name,
        types: &types,
    };
    Ok(answer::page(StatusCode::OK, page.html()))
}
