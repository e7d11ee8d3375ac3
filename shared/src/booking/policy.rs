//! The choices that an event type makes.

/// A word of the database's that this program does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the database holds the word {0:?}, which this program does not know")]
pub struct UnknownWord(pub String);

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant,)* }

        impl $name {
            /// The word in JSON and in the database.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::booking::policy::UnknownWord;
            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word { $($word => Ok(Self::$variant),)* _ => Err($crate::booking::policy::UnknownWord(word.to_owned())) }
            }
        }
    };
}

pub(crate) use words;

words! {
    /// How a booking becomes certain.
    Confirmation {
        /// The time is held until a button behind a mailed link is pressed.
        EmailLink = "email_link",
        /// At once.
        Instant = "instant",
    }
}

words! {
    /// Where a meeting takes place.
    LocationKind {
        /// Nothing is said.
        None = "none",
        /// A text, such as an address.
        Text = "text",
        /// The host calls the booker.
        BookerPhone = "booker_phone",
        /// The booker calls the host.
        HostPhone = "host_phone",
        /// A fixed link.
        Link = "link",
    }
}

words! {
    /// What an answer looks like.
    QuestionKind {
        /// One line.
        ShortText = "short_text",
        /// Several lines.
        LongText = "long_text",
        /// One of the options.
        Choice = "choice",
        /// Any of the options.
        MultipleChoice = "multiple_choice",
        /// True or false.
        YesNo = "yes_no",
        /// A phone number.
        Phone = "phone",
    }
}
