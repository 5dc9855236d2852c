//! Words of the SQL practice: what the page says ([`page`], [`tasks`]), and what the module with
//! the database says of a query ([`judge`], [`mistakes`], [`sqlite`]).

pub mod judge;
pub mod mistakes;
pub mod page;
pub mod sqlite;
pub mod tasks;

/// All of them with sample values.
#[cfg(test)]
pub(crate) fn samples(lang: super::Lang) -> Vec<(&'static str, String)> {
    [
        judge::samples(lang),
        mistakes::samples(lang),
        page::samples(lang),
        sqlite::samples(lang),
        tasks::samples(lang),
    ]
    .concat()
}
