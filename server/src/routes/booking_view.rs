//! A booking as JSON.

use serde::Serialize;
use shared::{
    address::EmailAddress,
    booking::{Actor, Location, LocationKind, PublicBooking, State},
    instant::Instant,
    token::ManageToken,
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;

/// A booking as its booker sees it.
#[derive(Serialize, ToSchema)]
pub struct BookingView {
    /// Its id; also the first part of the UID of its invitations.
    pub id: Uuid,
    /// Where it stands. A hold that lapsed is `expired`.
    pub state: State,
    /// +1 on every transition; the SEQUENCE of its invitations. Name it when you move the booking.
    #[schema(example = 0)]
    pub revision: i32,
    /// The title as it was when it was booked.
    #[schema(example = "Introduction")]
    pub title: String,
    /// The description as it was when it was booked.
    pub description: String,
    /// The start of the meeting.
    pub start: Instant,
    /// The end of the meeting.
    pub end: Instant,
    /// The booker's zone.
    #[schema(example = "Europe/Paris")]
    pub zone: String,
    /// The host.
    pub host: HostView,
    /// Where it takes place, once it is confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<LocationView>,
    /// The booker's name.
    pub name: String,
    /// The booker's address.
    pub email: String,
    /// The booker's note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The guests that the booker named.
    pub guests: Vec<GuestView>,
    /// Until when a hold keeps the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_expires_at: Option<Instant>,
    /// Who cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled_by: Option<Actor>,
    /// Opens the booking: keep it secret. Only in the answer that made a confirmed booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manage_token: Option<String>,
    /// The booking's page, with the token in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manage_url: Option<String>,
    /// How often the booker may still move it. On manage calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reschedules_left: Option<u32>,
    /// What the booker may do now. On manage calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<Action>>,
}

/// The host.
#[derive(Serialize, ToSchema)]
pub struct HostView {
    /// The public name.
    #[schema(example = "Ana Novak")]
    pub name: String,
    /// The host's address, if it is verified. On manage calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "ana@example.com")]
    pub email: Option<String>,
}

/// Where a meeting takes place.
#[derive(Serialize, ToSchema)]
pub struct LocationView {
    /// What kind of place.
    pub kind: LocationKind,
    /// The address, link or phone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A guest.
#[derive(Serialize, ToSchema)]
pub struct GuestView {
    /// The address.
    pub email: String,
    /// The name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What a booker may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Confirm the hold.
    Confirm,
    /// Move it.
    Reschedule,
    /// Cancel it, or let the hold go.
    Cancel,
}

impl BookingView {
    /// The booking for the public: without the host's address.
    #[must_use]
    pub fn public(booking: &PublicBooking, now: Instant) -> Self {
        let state = booking.state_at(now);
        let is_certain = matches!(state, State::Confirmed | State::Completed | State::NoShow);
        Self {
            id: booking.id,
            state,
            revision: booking.standing.revision,
            title: booking.title.clone(),
            description: booking.description.clone(),
            start: booking.standing.span.from,
            end: booking.standing.span.to,
            zone: booking.zone.name().to_owned(),
            host: HostView {
                name: booking.host_name.clone(),
                email: None,
            },
            location: is_certain.then(|| location(&booking.location)).flatten(),
            name: booking.name.clone(),
            email: booking.email.as_str().to_owned(),
            note: booking.note.clone(),
            guests: booking
                .guests
                .iter()
                .map(|guest| GuestView {
                    email: guest.email.as_str().to_owned(),
                    name: guest.name.clone(),
                })
                .collect(),
            hold_expires_at: booking
                .standing
                .hold_expires_at
                .filter(|_| state == State::Held),
            cancelled_by: booking.cancelled_by,
            manage_token: None,
            manage_url: None,
            reschedules_left: None,
            actions: None,
        }
    }

    /// The booking for whoever holds its token.
    #[must_use]
    pub fn managed(app: &App, booking: &PublicBooking, now: Instant) -> Self {
        let mut view = Self::public(booking, now);
        view.host.email = booking
            .host_email
            .as_ref()
            .map(EmailAddress::as_str)
            .map(str::to_owned);
        view.reschedules_left = Some(
            booking
                .standing
                .reschedules_left(app.context.limits.booker_reschedules),
        );
        view.actions = Some(actions(booking, now, app.context.limits.booker_reschedules));
        view
    }

    /// With the token that opens it.
    #[must_use]
    pub fn with_token(mut self, app: &App, token: Option<&ManageToken>) -> Self {
        if let Some(token) = token {
            self.manage_url = Some(manage_url(app, token, ""));
            self.manage_token = Some(token.as_str().to_owned());
        }
        self
    }
}

/// The link that a token opens, for an action or none.
#[must_use]
pub fn manage_url(app: &App, token: &ManageToken, action: &str) -> String {
    shared::booking::link::manage(&app.settings.manage_url, token, action)
}

/// The place, unless nothing is said of one.
pub(super) fn location(location: &Location) -> Option<LocationView> {
    (location.kind != LocationKind::None).then(|| LocationView {
        kind: location.kind,
        text: location.text.clone(),
    })
}

/// What its booker may do with a booking at an instant.
#[must_use]
pub fn actions(booking: &PublicBooking, now: Instant, booker_limit: u32) -> Vec<Action> {
    let standing = &booking.standing;
    let state = booking.state_at(now);
    let open = state == State::Confirmed && now < standing.span.from;
    let mut actions = Vec::new();
    if state == State::Held {
        actions.push(Action::Confirm);
    }
    if open && standing.reschedules_left(booker_limit) > 0 {
        actions.push(Action::Reschedule);
    }
    if state == State::Held || open {
        actions.push(Action::Cancel);
    }
    actions
}
