//! What must hold when processes die, clients vanish and mail servers hang.
mod kill;
mod sigterm;
mod stall;
mod vanish;
