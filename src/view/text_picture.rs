//! A partition as text, for tests: one line a replica.

use crate::kafka::ids::Tp;
use crate::world::picture::Picture;

/// One line a replica: `b1 L e0 leo=2 hw=2 [m0 m1]`.
pub fn text_picture(picture: &Picture, tp: Tp) -> String {
    let _ = (picture, tp);
    String::new()
}
