//! `GET /`: the hosts who opted in, or what this is.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web::Data};
use shared::ops;

use super::{
    answer, asked,
    view::{HomePage, ListedHost},
};
use crate::{app::App, error::ApiError, extract::Visitor};

/// The page of the instance.
pub(super) async fn get(
    app: Data<App>,
    request: HttpRequest,
    _visitor: Visitor,
) -> Result<HttpResponse, ApiError> {
    let hosts = ops::list_hosts(&app.context).await?;
    let hosts: Vec<ListedHost<'_>> = hosts
        .iter()
        .map(|(handle, name)| ListedHost { name, handle })
        .collect();
    let page = HomePage {
        reader: asked::reader(&request),
        hosts: &hosts,
    };
    Ok(answer::page(StatusCode::OK, page.html()))
}
