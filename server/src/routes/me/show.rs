//! `GET /v1/me`: the host whose key it is.

use actix_web::{HttpResponse, get, web::Data};
use serde::Serialize;
use shared::ops;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, Code},
    extract::HostKey,
};

/// Whom the caller stands for.
#[derive(Serialize, ToSchema)]
pub struct Me {
    /// The host whose things the key opens.
    pub host: OwnHostView,
}

/// A host as it sees itself.
#[derive(Serialize, ToSchema)]
pub struct OwnHostView {
    /// Its id.
    pub id: Uuid,
    /// The first part of its addresses.
    #[schema(example = "ana")]
    pub handle: String,
    /// The public name.
    #[schema(example = "Ana Novak")]
    pub name: String,
    /// The zone of its hours.
    #[schema(example = "Europe/Paris")]
    pub zone: String,
    /// The language of its mail.
    #[schema(example = "en")]
    pub locale: String,
}

/// Show whom the key stands for.
///
/// A call to try a key with: it says whose it is and changes nothing.
#[utoipa::path(
    tag = "host", operation_id = "showMe", security(("api_key" = [])),
    responses((status = 200, description = "The host of the key", body = Me)),
)]
#[get("/me")]
pub async fn show(app: Data<App>, key: HostKey) -> Result<HttpResponse, ApiError> {
    // The host went between the look-up of the key and this one.
    let host = ops::show_host(&app.context, key.host())
        .await?
        .ok_or_else(|| ApiError::new(Code::Unauthenticated))?;
    Ok(HttpResponse::Ok().json(Me {
        host: OwnHostView {
            id: host.id,
            handle: host.handle,
            name: host.name,
            zone: host.zone,
            locale: host.locale.tag().to_owned(),
        },
    }))
}
