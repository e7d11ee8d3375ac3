//! The rules of bookings: what a page is, what a request must be, what a booking may become.
pub mod page;
pub mod policy;

pub use page::{Page, PageHost, Question};
pub use policy::{Confirmation, LocationKind, QuestionKind};
