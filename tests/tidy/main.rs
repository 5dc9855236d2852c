//! The manners of the code that no compiler holds: who may import whom, what the engine must not
//! know, and that every rule of the sheet is somewhere.

mod arrows;
mod files;
mod rules;
mod source;
mod words;
