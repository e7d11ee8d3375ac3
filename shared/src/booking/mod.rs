//! The rules of bookings: what a page is, what a request must be, what a booking may become.
pub mod answer;
pub mod link;
pub mod page;
pub mod policy;
pub mod public;
pub mod request;
pub mod state;

pub use answer::{Answer, AnswerValue};
pub use page::{Page, PageHost, Question};
pub use policy::{Confirmation, LocationKind, QuestionKind};
pub use public::{Location, PublicBooking, PublicGuest};
pub use request::{BookingRequest, FieldFault, Guest, InvalidRequest, RawBooking, RawGuest};
pub use state::{Actor, Refusal, Standing, State, Step};
