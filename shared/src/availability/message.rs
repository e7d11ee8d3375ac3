//! The sentences that tell a problem to the person who typed the text.

use super::problem::{Problem, ProblemCode};
use crate::locale::Locale;

impl Problem {
    /// The problem in one sentence, with the quoted piece and, where there is one, a way out.
    #[must_use]
    pub fn message(&self, locale: Locale) -> String {
        match locale {
            Locale::En => english(self),
            Locale::ZhCn => chinese(self),
        }
    }
}

fn english(problem: &Problem) -> String {
    let quote = &problem.quote;
    match problem.code {
        ProblemCode::TooLong => "The text is longer than 2,000 bytes.".to_owned(),
        ProblemCode::NotUnderstood => format!("\"{quote}\" is not understood."),
        ProblemCode::Misplaced => format!("\"{quote}\" means nothing in this place."),
        ProblemCode::NoDay => {
            format!("\"{quote}\" has no day before it; write one, such as \"mon {quote}\".")
        }
        ProblemCode::NoHours => {
            format!("\"{quote}\" has no hours after it; write them, such as \"{quote} 9-5\".")
        }
        ProblemCode::DaysNotJoined => {
            format!("\"{quote}\" are two days side by side; put \"and\" or \"-\" between them.")
        }
        ProblemCode::BetweenDays => {
            format!(
                "\"{quote}\" can be read in two ways; write {}.",
                english_choice(problem)
            )
        }
        ProblemCode::NotATime => {
            format!("\"{quote}\" is not a time; write it like 9, 9:30, 9.30, 9h30 or 9am.")
        }
        ProblemCode::HourOutOfRange => format!("\"{quote}\" is not a time; hours are 0 to 24."),
        ProblemCode::MeridiemHourOutOfRange => {
            format!("\"{quote}\" is not a time; with am or pm, hours are 1 to 12.")
        }
        ProblemCode::Hour24 => format!(
            "\"{quote}\" cannot stand here; hour 24 is written 24:00 and only ends a range."
        ),
        ProblemCode::MinuteOutOfRange => {
            format!("\"{quote}\" is not a time; minutes are 00 to 59.")
        }
        ProblemCode::HalfRange => {
            format!("\"{quote}\" is not a range; write a start and an end, such as \"9-12\".")
        }
        ProblemCode::EndNotAfterStart if problem.suggestions.is_empty() => {
            format!("\"{quote}\" does not end after it starts.")
        }
        ProblemCode::EndNotAfterStart => {
            format!(
                "\"{quote}\" does not end after it starts; write {}.",
                english_choice(problem)
            )
        }
        ProblemCode::Overnight => match problem.suggestions.as_slice() {
            [before, after] => format!(
                "\"{quote}\" runs past midnight; write \"{before}\" on the day and \"{after}\" on \
                 the day after."
            ),
            _ => format!("\"{quote}\" runs past midnight; split it over two days."),
        },
    }
}

fn chinese(problem: &Problem) -> String {
    let quote = &problem.quote;
    match problem.code {
        ProblemCode::TooLong => "文字超过 2,000 字节。".to_owned(),
        ProblemCode::NotUnderstood => format!("无法理解“{quote}”。"),
        ProblemCode::Misplaced => format!("“{quote}”在这里没有意义。"),
        ProblemCode::NoDay => {
            format!("“{quote}”前面没有星期；请先写星期，例如“mon {quote}”。")
        }
        ProblemCode::NoHours => {
            format!("“{quote}”后面没有时间；请写上时间，例如“{quote} 9-5”。")
        }
        ProblemCode::DaysNotJoined => {
            format!("“{quote}”中两个星期紧挨着；请在中间写“and”或“-”。")
        }
        ProblemCode::BetweenDays => {
            format!("“{quote}”有两种读法；请写{}。", chinese_choice(problem))
        }
        ProblemCode::NotATime => {
            format!("“{quote}”不是时间；请写成 9、9:30、9.30、9h30 或 9am。")
        }
        ProblemCode::HourOutOfRange => format!("“{quote}”不是时间；小时应为 0 到 24。"),
        ProblemCode::MeridiemHourOutOfRange => {
            format!("“{quote}”不是时间；带 am 或 pm 时，小时应为 1 到 12。")
        }
        ProblemCode::Hour24 => {
            format!("“{quote}”不能用在这里；24 点应写成 24:00，且只能作为结束时间。")
        }
        ProblemCode::MinuteOutOfRange => format!("“{quote}”不是时间；分钟应为 00 到 59。"),
        ProblemCode::HalfRange => {
            format!("“{quote}”不是时间段；请写出开始和结束时间，例如“9-12”。")
        }
        ProblemCode::EndNotAfterStart if problem.suggestions.is_empty() => {
            format!("“{quote}”的结束时间不晚于开始时间。")
        }
        ProblemCode::EndNotAfterStart => {
            format!(
                "“{quote}”的结束时间不晚于开始时间；请写{}。",
                chinese_choice(problem)
            )
        }
        ProblemCode::Overnight => match problem.suggestions.as_slice() {
            [before, after] => {
                format!("“{quote}”跨过了午夜；请在当天写“{before}”，在第二天写“{after}”。")
            }
            _ => format!("“{quote}”跨过了午夜；请分成两天来写。"),
        },
    }
}

fn english_choice(problem: &Problem) -> String {
    let quoted: Vec<String> = problem
        .suggestions
        .iter()
        .map(|text| format!("\"{text}\""))
        .collect();
    quoted.join(" or ")
}

fn chinese_choice(problem: &Problem) -> String {
    let quoted: Vec<String> = problem
        .suggestions
        .iter()
        .map(|text| format!("“{text}”"))
        .collect();
    quoted.join("或")
}
