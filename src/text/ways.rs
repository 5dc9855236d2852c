//! Words of the ways into the site: where to go from the front page.

use super::phrase::phrases;

phrases! {
    /// Name of the group of links.
    fn ways() { ru: "Куда пойти"; en: "Where to go"; }
    /// Leads to the first scene; each scene leads to the next.
    fn in_order() { ru: "Пройти по порядку"; en: "Take them in order"; }
    /// Leads to the page that builds an embed.
    fn embed() { ru: "Вставить в урок"; en: "Put into a lesson"; }
    /// Leads to the SQL practice.
    fn sql() { ru: "Практика SQL"; en: "SQL practice"; }
}
