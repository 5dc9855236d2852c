//! What a person gets to see and read, on pictures made by hand.

#[path = "view/card.rs"]
mod card;
#[path = "view/commits.rs"]
mod commits;
#[path = "view/console.rs"]
mod console;
#[path = "view/drawn.rs"]
mod drawn;
#[path = "view/export.rs"]
mod export;
#[path = "view/facts.rs"]
mod facts;
#[path = "view/hand.rs"]
mod hand;
#[path = "view/labels.rs"]
mod labels;
#[path = "view/laws.rs"]
mod laws;
#[path = "view/minis.rs"]
mod minis;
#[path = "view/offsets.rs"]
mod offsets;
#[path = "view/parallel.rs"]
mod parallel;
#[path = "view/ruler.rs"]
mod ruler;
#[path = "view/ruler_text.rs"]
mod ruler_text;
#[path = "view/scenes.rs"]
mod scenes;
#[path = "view/stage.rs"]
mod stage;
#[path = "view/truth.rs"]
mod truth;
#[path = "view/words.rs"]
mod words;
