//! The daylight-saving policies: from a wall time to the instant of a slot, or why there is none.

use super::{
    offsets::{Offsets, Shown},
    rule::DstPolicy,
};

/// Why the clocks allow no slot at a wall time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clash {
    /// The clocks skip the start.
    StartSkipped,
    /// The clocks show the start twice, and this is not the pass that counts.
    StartTwice,
    /// The clocks skip the end.
    EndSkipped,
    /// The clocks show the end twice.
    EndTwice,
    /// From start to end so much time passes, microseconds, and that is not the duration.
    Length(i64),
    /// In elapsed time the slot runs past the host's midnight.
    PastMidnight,
}

/// The instant at which a slot starts, given the wall time of its start.
///
/// `midnight` is the wall time of the midnight that it must not cross, if there is one.
pub(super) fn settle(
    offsets: &Offsets,
    policy: DstPolicy,
    wall: i64,
    duration: i64,
    midnight: Option<i64>,
) -> Result<i64, Clash> {
    let start = match (offsets.resolve(wall), policy) {
        (Shown::Once(at), _) | (Shown::Twice(at), DstPolicy::Elapsed) => at,
        (Shown::Twice(_), DstPolicy::Strict) => return Err(Clash::StartTwice),
        (Shown::Never, _) => return Err(Clash::StartSkipped),
    };
    match policy {
        DstPolicy::Strict => match offsets.resolve(wall + duration) {
            Shown::Once(end) if end - start == duration => Ok(start),
            Shown::Once(end) => Err(Clash::Length(end - start)),
            Shown::Twice(_) => Err(Clash::EndTwice),
            Shown::Never => Err(Clash::EndSkipped),
        },
        DstPolicy::Elapsed => {
            // The last moment before the end decides: a slot that ends as a skipped midnight
            // begins has not crossed it.
            let last = start + duration - 1;
            let wall_end = last + offsets.at(last, &mut 0).offset + 1;
            if midnight.is_some_and(|midnight| wall_end > midnight) {
                Err(Clash::PastMidnight)
            } else {
                Ok(start)
            }
        }
    }
}
