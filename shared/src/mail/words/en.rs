//! English.
use super::Words;

pub(super) const WORDS: Words = Words {
    hello_before: "Hello ",
    hello_after: ",",

    subject_hold: "Please confirm: ",
    subject_confirmed: "Confirmed: ",
    subject_confirmed_host: "New booking: ",
    subject_confirmed_guest: "Invitation: ",
    subject_rescheduled: "New time: ",
    subject_new_host: "New host: ",
    subject_cancelled: "Cancelled: ",
    subject_handover: "Handed over: ",
    subject_reminder: "Reminder: ",
    with: |title, name| match (title, name) {
        (title, "") => title.to_owned(),
        ("", name) => format!("Meeting with {name}"),
        (title, name) => format!("{title} with {name}"),
    },
    and: ", ",
    colon: ": ",
    gap: " ",

    heading_hold: "Please confirm this booking",
    heading_confirmed: "Your booking is confirmed",
    heading_confirmed_host: "You have a new booking",
    heading_confirmed_guest: "You are invited",
    heading_rescheduled: "The meeting has moved",
    heading_new_host: "The meeting has a new host",
    heading_cancelled: "The meeting is cancelled",
    heading_handover: "Another host takes this meeting",
    heading_reminder: "Your meeting is coming up",

    hold_lead: "Somebody, perhaps not you, asked for this time in your name. \
                It is held, but not booked yet.",
    hold_action: "Confirm this booking",
    hold_lapses: |when| format!("If nobody confirms it, the hold lapses on {when}."),
    hold_ignore: "If you did not ask for this, or no longer want it, ignore this mail. \
                  That is safe: nothing is booked unless the page behind the link is used to confirm it.",
    guest_lead: "The person who booked this meeting named you as a guest.",
    handover_lead: "It takes place with another host. Your time is free again.",

    meeting: "Meeting",
    when: "When",
    new_time: "New time",
    earlier_time: "Earlier time",
    planned_time: "It would have been",
    bookers_time: "The booker's local time",
    place: "Where",
    host: "Host",
    hosts: "Hosts",
    booked_by: "Booked by",
    address: "E-mail",
    guests: "Guests",
    note: "Note",
    description: "About this meeting",
    cancelled_by: "Cancelled by",
    reason: "Reason",

    by_you: "you, through the link in your mail",
    by_booker: "the person who booked",
    by_host: "the host",
    by_coordinator: "a coordinator",

    host_calls: |phone| match phone {
        Some(phone) => format!("By telephone: the host calls {phone}"),
        None => "By telephone: the host calls the person who booked".to_owned(),
    },
    call_host: |phone| format!("By telephone: call {phone}"),
    yes: "Yes",
    no: "No",

    reschedule: "Reschedule",
    cancel: "Cancel",
    dashboard: "Open this booking in Holdfast",

    answer_booker: "Answering the calendar invitation (yes, no or maybe) does not move or cancel \
                    this booking. Only the links above do.",
    answer_host: "Answering the calendar invitation (yes, no or maybe) does not cancel this \
                  booking. Cancel or move it in Holdfast.",
    answer_guest: "Answering the calendar invitation (yes, no or maybe) does not cancel this \
                   booking. If you cannot come, ask the person who booked, or the host.",
    file_stays: "A calendar file that was downloaded earlier does not update itself.",
    file_attached_move: "The file attached to this mail has the new time.",
    file_attached_host: "The file attached to this mail has the new host.",
    file_attached_cancel: "The file attached to this mail takes the meeting out of a calendar.",

    footer: |site| format!("Sent by Holdfast at {site}"),

    ics_booker: "Answering this calendar invitation does not cancel or move the booking. \
                 Use the links in the mail about it.",
    ics_host: "Answering this calendar invitation does not cancel or move the booking. \
               Cancel or move it in Holdfast.",
    ics_guest: "Answering this calendar invitation does not cancel or move the booking. \
                Ask the person who booked, or the host.",
    ics_cancelled: "This booking is cancelled. ",
};
