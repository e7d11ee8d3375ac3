//! What must hold when processes die, clients vanish and mail servers hang.
mod hell;
mod kill;
mod sigterm;
mod stall;
mod vanish;
