//! Mail: which is owed, whether it is still true, and how it reads. Pure: rows and sending are
//! elsewhere.

pub mod backoff;
pub mod budget;
pub mod clean;
pub mod dates;
pub mod defuse;
pub mod dev_box;
pub mod domain;
pub mod facts;
mod header;
pub mod invitation;
pub mod kind;
mod letter;
pub mod message;
pub mod owed;
pub mod reminder;
pub mod render;
pub mod subject;
pub mod truth;
pub mod view;
mod words;

#[cfg(test)]
mod forms;
#[cfg(test)]
mod handover;
#[cfg(test)]
mod mail_cases;
#[cfg(test)]
mod reading;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod sentences;
#[cfg(test)]
mod wording;
