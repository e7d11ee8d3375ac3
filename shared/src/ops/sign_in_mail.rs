//! The budget of sign-in mail.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Context, failure::Failure};
use crate::{
    address::EmailAddress,
    fingerprint::Purpose,
    mail::budget::Suppression,
    store::budget::{self, Reserved, Wish},
};

/// Reserves the budgets of a sign-in mail, under the claim that it will be sent under; `Some` says
/// which is used up, and nothing is reserved then. The caller's transaction must end before the
/// mail is sent; [`budget::release`] gives the reservation back if it reaches nobody.
///
/// Addresses are counted apart from those of bookers and guests, by a fingerprint of another
/// domain.
///
/// # Errors
/// [`Failure`].
pub async fn reserve_sign_in_mail(
    context: &Context,
    conn: &mut PgConnection,
    mail: Uuid,
    claim: Uuid,
    to: &EmailAddress,
) -> Result<Option<Suppression>, Failure> {
    let fingerprint = context
        .keys
        .fingerprint
        .of_address(Purpose::SignInLedger, to);
    let allowance = context.limits.mail.of_sign_in();
    let place = budget::lock_sign_in(conn, &fingerprint, allowance, context.clock.pinned()).await?;
    let wish = Wish {
        mail,
        claim,
        recipient: Some(&fingerprint),
        kind: "sign_in",
        allowance,
        link: None,
    };
    match budget::reserve(conn, place, &wish).await? {
        Reserved::Yes => Ok(None),
        Reserved::No(why) => Ok(Some(why)),
        // The locks were taken alone: this is never the answer.
        Reserved::AskAlone => Err(Failure::Stored("mail ledger")),
    }
}
