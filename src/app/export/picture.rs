//! The drawing of a step as a picture of its own: what the page's sheet says is written into the
//! elements, text stays text, and the link to the step lies within.

use crate::app::dom;
use std::fmt::Write;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    Blob, CanvasRenderingContext2d, CssStyleDeclaration, Element, HtmlCanvasElement,
    HtmlImageElement,
};

/// What a drawing takes from the sheet.
const STYLES: [&str; 12] = [
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "font-size",
    "font-family",
    "font-weight",
    "text-anchor",
    "opacity",
    "marker-end",
];

/// Around the drawing, px.
const MARGIN: f64 = 12.0;
/// Drawings smaller than this are signs beside words, px.
const SIGN: f64 = 40.0;

/// The drawings of a scene in one SVG. `step`: the step as JSON, `link`: its address.
pub fn svg(scene: &Element, link: &str, step: &str) -> String {
    let drawings = all(scene, ".stage svg, .console svg, .lane svg");
    let boxes: Vec<(Element, web_sys::DomRect)> = drawings
        .into_iter()
        .map(|e| (e.clone(), e.get_bounding_client_rect()))
        .filter(|(_, b)| b.width() > SIGN && b.height() > 0.0)
        .collect();
    let left = boxes.iter().map(|(_, b)| b.x()).fold(f64::MAX, f64::min) - MARGIN;
    let top = boxes.iter().map(|(_, b)| b.y()).fold(f64::MAX, f64::min) - MARGIN;
    let right = boxes
        .iter()
        .map(|(_, b)| b.right())
        .fold(f64::MIN, f64::max)
        + MARGIN;
    let bottom = boxes
        .iter()
        .map(|(_, b)| b.bottom())
        .fold(f64::MIN, f64::max)
        + MARGIN;
    let (width, height) = ((right - left).max(1.0), (bottom - top).max(1.0));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">"
    );
    let _ = write!(
        out,
        "<metadata id=\"highwater\" data-link=\"{}\">{}</metadata>",
        escaped(link),
        escaped(step)
    );
    if let Some(defs) = dom::document().and_then(|d| d.query_selector(".defs defs").ok()?) {
        write_element(&mut out, &defs);
    }
    let ground = style(scene).map(|s| value(&s, "--bg")).unwrap_or_default();
    let _ = write!(
        out,
        "<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>",
        escaped(if ground.is_empty() { "#fff" } else { &ground })
    );
    for (e, at) in &boxes {
        let view = e
            .get_attribute("viewBox")
            .map_or_else(String::new, |v| format!(" viewBox=\"{}\"", escaped(&v)));
        let _ = write!(
            out,
            "<svg x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"{view}>",
            at.x() - left,
            at.y() - top,
            at.width(),
            at.height()
        );
        for child in children(e) {
            write_element(&mut out, &child);
        }
        out.push_str("</svg>");
    }
    out.push_str("</svg>");
    out
}

fn all(within: &Element, selector: &str) -> Vec<Element> {
    let Ok(list) = within.query_selector_all(selector) else {
        return vec![];
    };
    (0..list.length())
        .filter_map(|n| list.item(n)?.dyn_into().ok())
        .collect()
}

fn children(of: &Element) -> Vec<Element> {
    let list = of.children();
    (0..list.length()).filter_map(|n| list.item(n)).collect()
}

fn style(of: &Element) -> Option<CssStyleDeclaration> {
    dom::window()?.get_computed_style(of).ok()?
}

fn value(style: &CssStyleDeclaration, name: &str) -> String {
    let value = style.get_property_value(name).unwrap_or_default();
    value.trim().to_string()
}

/// An element with its own attributes, and with what the sheet says of it.
fn write_element(out: &mut String, e: &Element) {
    let tag = e.tag_name().to_lowercase();
    let tag = match &*tag {
        "lineargradient" | "clippath" | "foreignobject" | "script" | "style" => return,
        tag => tag,
    };
    let own = style(e);
    let shown = own
        .as_ref()
        .is_none_or(|s| value(s, "display") != "none" && value(s, "visibility") != "hidden");
    if !shown && !matches!(tag, "defs" | "pattern" | "marker") {
        return;
    }
    let _ = write!(out, "<{tag}");
    let names = e.get_attribute_names();
    for name in names.iter().filter_map(|n| n.as_string()) {
        if matches!(&*name, "class" | "tabindex" | "role")
            || name.starts_with("aria-")
            || name.starts_with("on")
        {
            continue;
        }
        let _ = write!(
            out,
            " {name}=\"{}\"",
            escaped(&e.get_attribute(&name).unwrap_or_default())
        );
    }
    if let Some(own) = own.filter(|_| !matches!(tag, "defs" | "g" | "svg" | "pattern" | "marker")) {
        for name in STYLES {
            let said = value(&own, name);
            if e.has_attribute(name) && name != "fill" && name != "stroke" || said.is_empty() {
                continue;
            }
            // What applies without being said.
            if matches!(
                (name, &*said),
                ("stroke", "none")
                    | ("stroke-dasharray", "none")
                    | ("marker-end", "none")
                    | ("stroke-linecap", "butt")
                    | ("stroke-linejoin", "miter")
                    | ("stroke-width", "1px")
                    | ("opacity", "1")
                    | ("text-anchor", "start")
                    | ("font-weight", "400")
            ) {
                continue;
            }
            if name.starts_with("font") && tag != "text" && tag != "tspan" {
                continue;
            }
            // An address of the page does not hold in a file.
            let said = match said.find('#') {
                Some(at) if said.starts_with("url(") => {
                    format!("url({}", said[at..].replace('"', ""))
                }
                _ => said,
            };
            let _ = write!(out, " {name}=\"{}\"", escaped(&said));
        }
    }
    out.push('>');
    let within = children(e);
    if within.is_empty() {
        out.push_str(&escaped(&e.text_content().unwrap_or_default()));
    }
    for child in within {
        write_element(out, &child);
    }
    let _ = write!(out, "</{tag}>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Draws an SVG `times` as large; `then` gets the PNG, or nothing where the browser refuses.
pub fn png(svg: &str, times: u32, then: impl FnOnce(Option<Blob>) + 'static) {
    let image = HtmlImageElement::new().ok();
    let canvas = dom::document()
        .and_then(|d| d.create_element("canvas").ok())
        .and_then(|e| e.dyn_into::<HtmlCanvasElement>().ok());
    let (Some(image), Some(canvas)) = (image, canvas) else {
        return then(None);
    };
    let drawn = image.clone();
    let loaded = Closure::once_into_js(move || {
        let (width, height) = (drawn.width() * times, drawn.height() * times);
        canvas.set_width(width);
        canvas.set_height(height);
        let pen = canvas
            .get_context("2d")
            .ok()
            .flatten()
            .and_then(|pen| pen.dyn_into::<CanvasRenderingContext2d>().ok());
        let done = pen.is_some_and(|pen| {
            let size = (f64::from(width), f64::from(height));
            pen.draw_image_with_html_image_element_and_dw_and_dh(&drawn, 0.0, 0.0, size.0, size.1)
                .is_ok()
        });
        if !done {
            return then(None);
        }
        let hand = Closure::once_into_js(move |blob: JsValue| then(blob.dyn_into::<Blob>().ok()));
        let _ = canvas.to_blob(hand.unchecked_ref());
    });
    image.set_onload(Some(loaded.unchecked_ref()));
    let text = web_sys::js_sys::encode_uri_component(svg);
    image.set_src(&format!(
        "data:image/svg+xml;charset=utf-8,{}",
        String::from(text)
    ));
}
