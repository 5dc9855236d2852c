//! What the controller knows and what each broker believes: a fold under the scene.

use super::draw::icon;
use super::notices::rich;
use crate::text::{Lang, ui};
use crate::view::controller::Beliefs;
use yew::{Html, classes, html};

pub fn beliefs(lang: Lang, b: &Beliefs) -> Html {
    html! {
        <details class="fold">
            <summary>{ ui::who_knows_what(lang) }</summary>
            <div class="scroll" tabindex="0" role="group" aria-label={b.caption.clone()}>
                <table>
                    <caption>{ &b.caption }</caption>
                    <thead><tr>{ for b.head.iter().map(|h| html! { <th scope="col">{ h }</th> }) }</tr></thead>
                    <tbody>
                        { for b.rows.iter().map(|row| html! {
                            <tr>
                                <th scope="row">{ &row.who }</th>
                                { for row.cells.iter().map(|cell| html! {
                                    <td class={classes!(cell.differs.then_some("differs"))}>
                                        <span class="sign">
                                            if let Some(sign) = cell.icon {
                                                { icon::inline(icon::path(sign), 12) }
                                            }
                                            { &cell.text }
                                        </span>
                                    </td>
                                }) }
                            </tr>
                        }) }
                    </tbody>
                </table>
            </div>
            if !b.elr.is_empty() {
                <p>{ rich(&b.elr) }</p>
            }
            if !b.brokers.is_empty() {
                <ul class="plain">{ for b.brokers.iter().map(|s| html! { <li>{ rich(s) }</li> }) }</ul>
            }
        </details>
    }
}
