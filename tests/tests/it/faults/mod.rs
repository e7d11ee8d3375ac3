//! What must hold when processes die, clients vanish and mail servers hang.
mod kill;
mod stall;
mod vanish;
