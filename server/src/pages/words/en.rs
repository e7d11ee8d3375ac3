//! English.

use super::{Around, Book, Choose, Frame, Home, Manage, Notice, Problem, Refusal, Said, Words};

pub(super) static WORDS: Words = Words {
    frame: Frame {
        own_name: "English",
        skip: "Skip to the content",
        language: "Language",
        foot: "Scheduling by Holdfast",
        to_start: "Start page",
    },
    home: Home {
        title: "Book a time",
        lead: "Choose who you want to meet.",
        nobody: Said {
            title: "Holdfast",
            text: "This server lets people book a time with its hosts. Hosts share the address of \
                   their page themselves; if somebody sent you one, open it as it is.",
        },
        host_lead: "Choose what to book.",
    },
    choose: Choose {
        day: "Choose a day",
        zone: "Time zone",
        zone_button: "Show times",
        zone_hint: "With the mouse or a finger, choosing a zone shows its times at once.",
        zone_near: "Most likely",
        zone_other: "Other names",
        area: |name| match name {
            "America" => Some("Americas"),
            "Atlantic" => Some("Atlantic Ocean"),
            "Indian" => Some("Indian Ocean"),
            "Pacific" => Some("Pacific Ocean"),
            "US" => Some("United States (old names)"),
            "Brazil" => Some("Brazil (old names)"),
            "Canada" => Some("Canada (old names)"),
            "Chile" => Some("Chile (old names)"),
            "Mexico" => Some("Mexico (old names)"),
            "Etc" => Some("Fixed offsets"),
            _ => None,
        },
        times: |count| match count {
            1 => "1 free time".to_owned(),
            n => format!("{n} free times"),
        },
        earlier: "Earlier",
        later: "Later",
        none: Said {
            title: "No free times in these weeks",
            text: "Look at later weeks if there are any, or come back another day.",
        },
        soonest: "Soonest",
        all_times: |count| format!("All {count} times of this day"),
        day_none: Said {
            title: "No free times on this day",
            text: "They may just have been taken. Please choose another day.",
        },
        gone: "That time is no longer free. Please choose another one.",
        back: "All days",
        night: "Night",
        morning: "Morning",
        afternoon: "Afternoon",
        evening: "Evening",
        chosen: "chosen",
        today: "today",
    },
    book: Book {
        duration: "Duration",
        by_mail: "You confirm it from your mailbox",
        at_once: "Booked as soon as you send the form",
        details: "Your details",
        change_time: "Change the time",
        optional: "optional",
        name: "Your name",
        email: "Email address",
        email_hint_hold: "The link that confirms the booking goes to this address.",
        email_hint_book: "The confirmation goes to this address.",
        note: "Note",
        note_hint: "Anything that helps to prepare the meeting.",
        guests: "Guests",
        guests_hint: |most| match most {
            1 => "The email address of one guest.".to_owned(),
            n => format!("One email address a line, {n} at most."),
        },
        yes: "Yes",
        no: "No",
        no_answer: "No answer",
        hold: "Hold this time",
        book: "Book this time",
        hold_hint: "The time is then held for you, for up to 30 minutes. It is booked when you \
                    open the link in the mail and press Confirm.",
        problems: "Please check what you entered",
        taken: Said {
            title: "That time has just been taken",
            text: "Nothing was booked. Everything you typed is still here: choose one of the \
                   times below to send it again.",
        },
        taken_left: "Still free",
        taken_none: "Nothing else is free on that day.",
        other_days: "See other days",
        sent_title: "Check your mail",
        sent: Around {
            before: "A mail is on its way to ",
            after: ".",
        },
        sent_next: "Open the link in it and press Confirm. Only then is the time booked.",
        dev_mail: Around {
            before: "This is development mode: the mail is not sent but kept at ",
            after: ".",
        },
        held_until: "Held for you until",
        held_then: "If you do nothing, the time is released then.",
        no_mail: "If no mail arrives",
        no_mail_spam: "It can take a few minutes. Look in the spam folder, too.",
        no_mail_address: "Check the address above. If it is wrong, book again with the right one; \
                          this hold lapses by itself.",
        no_mail_again: "Once the hold has lapsed, the time may be free to book again.",
        again: "Back to the calendar",
    },
    problem: Problem {
        name_missing: "Please enter your name.",
        email_missing: "Please enter your email address.",
        answer_missing: "Please answer this question.",
        email_malformed: "This is not an email address. It looks like name@example.com.",
        too_long: |most| match most {
            Some(n) => format!("This is too long: {n} characters at most."),
            None => "This is too long. Please shorten it.".to_owned(),
        },
        characters: "Please leave out line breaks and control characters.",
        guests_not_allowed: "No guests can be added to this meeting.",
        too_many_guests: |most| match most {
            1 => "1 guest at most.".to_owned(),
            n => format!("{n} guests at most."),
        },
        guest_malformed: |nth| format!("Guest {nth}: this is not an email address."),
        guest_repeated: |nth| format!("Guest {nth}: this address is there already."),
        not_an_option: "Please choose one of the options.",
        phone_malformed: "This is not a phone number: 5 to 20 digits, with spaces or a leading + if \
                          you like.",
        start_not_offered: "This time can't be booked. Please choose another one.",
        other: "This can't be accepted as it is.",
    },
    manage: Manage {
        held: Said {
            title: "Confirm this time",
            text: "Nothing is booked yet.",
        },
        held_by: "Held for you until",
        confirm: "Confirm",
        held_nothing: "If you do nothing, the time is released then and nothing is booked.",
        decline: "I don't want it",
        decline_hint: "Somebody else may have entered your address. Ignoring this page is safe.",
        confirmed: Said {
            title: "Your booking is confirmed",
            text: "You will find the details in your mail, too.",
        },
        started: Said {
            title: "This meeting has begun",
            text: "It can no longer be moved or cancelled here. Please write to the host.",
        },
        finished: Said {
            title: "This meeting took place",
            text: "There is nothing left to do here.",
        },
        cancelled_by_booker: Said {
            title: "This booking is cancelled",
            text: "You cancelled it.",
        },
        cancelled_by_host: Said {
            title: "This booking is cancelled",
            text: "It was cancelled by the host.",
        },
        cancelled_by_coordinator: Said {
            title: "This booking is cancelled",
            text: "It was cancelled on behalf of the host.",
        },
        expired: Said {
            title: "This hold has lapsed",
            text: "It was not confirmed in time, so nothing is booked.",
        },
        expired_at: "It lapsed at",
        given_up: Said {
            title: "This hold was given up",
            text: "Nothing is booked and the time is free again.",
        },
        tag_held: "Held",
        tag_confirmed: "Confirmed",
        tag_started: "Under way",
        tag_finished: "Took place",
        tag_cancelled: "Cancelled",
        tag_expired: "Not booked",
        facts: "Details",
        host_time: "Host's time",
        host: "Host",
        location: "Where",
        host_calls: Around {
            before: "By telephone: the host calls ",
            after: ".",
        },
        host_calls_you: "By telephone: the host calls you",
        call_host: Around {
            before: "By telephone: call ",
            after: ".",
        },
        booker: "Booked by",
        guests: "Guests",
        note: "Your note",
        calendar: "Add to calendar",
        calendar_file: "Calendar file (.ics)",
        calendar_hint: "The other links open the site of that calendar and hand it the title, \
                        time and place. A file or copy does not update itself when the meeting \
                        changes.",
        calendar_cancel: "Cancellation for your calendar (.ics)",
        change: "Change of plans",
        reschedule: "Reschedule",
        cancel: "Cancel",
        answering: "Answering the calendar invitation does not cancel the booking. Please use the \
                    buttons here.",
        moves_left: |count| match count {
            1 => "You can move it once more.".to_owned(),
            n => format!("You can move it {n} more times."),
        },
        no_moves: "It can't be moved here any more. Please write to the host to agree on another \
                   time.",
        contact: "Write to the host",
        again: "Book another time",
        back: "Back to the booking",
        move_title: "Choose a new time",
        move_now: "Now booked",
        review: Said {
            title: "Move the meeting?",
            text: "Nothing changes until you press the button. Everybody is then told by mail.",
        },
        move_from: "From",
        move_to: "To",
        move_button: "Move to the new time",
        move_other: "Choose another time",
        cancel_form: Said {
            title: "Cancel the booking?",
            text: "The time is given back and everybody is told by mail. This can't be undone.",
        },
        reason: "Reason",
        reason_hint: "The host reads it.",
        cancel_button: "Cancel the booking",
        keep: "Keep it",
    },
    notice: Notice {
        booked: "Booked. A mail with the details is on its way.",
        confirmed: "Confirmed. A mail with the invitation is on its way.",
        already_confirmed: "This had already been confirmed. Nothing has changed.",
        moved: "Moved. A mail with the new time is on its way.",
        cancelled: "Cancelled. A mail about it is on its way.",
        already_cancelled: "This had already been cancelled. Nothing has changed.",
        given_up: "The hold is given up. Nothing is booked.",
        changed: "The booking changed meanwhile, so your last step was not carried out. This is \
                  how it stands now.",
        hold_lapsed: "The hold lapsed before you pressed the button. Nothing is booked.",
        confirmed_meanwhile: "This has been confirmed meanwhile. To give it up, cancel it below.",
        started: "The meeting has begun, so it could not be changed. Nothing was done.",
        finished: "The meeting is over, so it could not be changed. Nothing was done.",
        move_limit: "This booking can't be moved again. Please write to the host.",
        taken: "That time has just been taken. Your booking has not changed; please choose \
                another time.",
        not_offered: "That time can't be booked. Your booking has not changed; please choose \
                      another time.",
        unchanged: "That is the time already booked. Nothing has changed.",
        host_inactive: "The host takes no bookings at present, so the meeting can't be moved. \
                        Your booking has not changed.",
        times_unknown: "Free times can't be worked out right now, so nothing was done. Please try \
                        again in a few minutes.",
        too_many: |seconds| {
            format!(
                "Too many requests or open holds from here, so nothing was done. {}",
                retry_in(seconds)
            )
        },
        sent_before: "This form was sent before with other contents, so nothing was done. Press \
                      the button again to send it as it is now.",
    },
    refusal: Refusal {
        not_found: Said {
            title: "There is nothing here",
            text: "The link may be incomplete, or the page is no longer offered. Please open the \
                   link exactly as you got it.",
        },
        malformed: Said {
            title: "That could not be read",
            text: "Something in the address or the form has the wrong shape. Please go back and \
                   try again.",
        },
        foreign: Said {
            title: "That form came from another site",
            text: "For your safety it was not accepted, and nothing was done. Please open the \
                   page here and send it again.",
        },
        method: Said {
            title: "That can't be done here",
            text: "This address does not answer that kind of request.",
        },
        too_large: Said {
            title: "That is too much",
            text: "What was sent is larger than this page accepts. Please go back and shorten it.",
        },
        content_type: Said {
            title: "That kind of content is not accepted",
            text: "This address takes the fields of its own form only.",
        },
        too_many: Said {
            title: "Too many requests",
            text: "Nothing was done. Please wait, then go back and try again.",
        },
        retry_in,
        internal: Said {
            title: "Something went wrong here",
            text: "It is not your fault. Please try again in a moment.",
        },
        times_unknown: Said {
            title: "Times can't be shown right now",
            text: "Please try again in a few minutes.",
        },
        busy: Said {
            title: "Too busy right now",
            text: "Please try again in a few seconds.",
        },
    },
};

fn retry_in(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..60 => (seconds.max(1), "second"),
        60..5400 => (seconds.div_ceil(60), "minute"),
        _ => (seconds.div_ceil(3600), "hour"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("Try again in {count} {unit}{plural}.")
}
