//! How a card is drawn: its style, its texts, and the frame around them. All lengths are in points of the picture.

use std::fmt::Write as _;

/// The picture: what networks show beside a link has this shape.
const SIZE: (f64, f64) = (1200.0, 630.0);

/// Where its content begins and ends.
pub(super) const LEFT: f64 = 44.0;
pub(super) const RIGHT: f64 = SIZE.0 - 44.0;

/// The width of a letter in the widest letters that there usually are, and in usual ones, in its size.
const WIDEST: f64 = 0.62;
const USUAL: f64 = 0.56;

const STYLE: &str = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;fill:#1f2937}\
    .name,.title,.figure{font-weight:600}.small{fill:#5b6675}.end{text-anchor:end}.paper{fill:#ffffff}\
    .frame{fill:none;stroke:#d7dde4}.grid{stroke:#e8ecf1}.axis{stroke:#98a4b3}.wave{fill:none;stroke:#0b72b9;stroke-width:4;stroke-linecap:round}\
    .full{stroke:#cf4a3c}.window{stroke:#0b72b9}.fulltext{fill:#b93a2d}.windowtext{fill:#0b6aab}.fullarea{fill:#cf4a3c;opacity:.10}\
    .windowarea{fill:#0b72b9;opacity:.35}polyline{fill:none;stroke-width:3;stroke-linejoin:round;stroke-linecap:round}\
    .mark{stroke:#98a4b3;stroke-dasharray:4 4}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9aa7b5}.paper{fill:#0d1117}.frame{stroke:#30363d}\
    .grid{stroke:#21262d}.axis{stroke:#57606a}.wave,.window{stroke:#4fb3f6}.full{stroke:#ff7b6b}.fulltext{fill:#ff8f81}\
    .windowtext{fill:#6cc0f8}.fullarea{fill:#ff7b6b}.windowarea{fill:#4fb3f6}.mark{stroke:#6e7985}}";

/// The sign of the program: water that goes out.
pub(super) const WAVE: &str =
    "<path class=\"wave\" d=\"M44 46q8-9 16 0t16 0M44 57q8-9 16 0t16 0\"/>";

/// The whole picture around its content.
pub(super) fn picture(content: &str) -> String {
    let (width, height) = SIZE;
    let (across, down) = (width - 1.0, height - 1.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\"><style>{STYLE}</style>\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\
         <rect class=\"frame\" x=\".5\" y=\".5\" width=\"{across}\" height=\"{down}\"/>{content}</svg>\n"
    )
}

/// A text of one size: where it stands, and how wide it may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    class: &'static str,
    size: f64,
    x: f64,
    y: f64,
    room: f64,
    ends_there: bool,
}

impl Text {
    /// A text of a class and a size, which may be as wide as the picture.
    pub(super) fn new(class: &'static str, size: f64) -> Self {
        Self { class, size, x: LEFT, y: 0.0, room: RIGHT - LEFT, ends_there: false }
    }

    /// It begins there, on this line.
    pub(super) fn at(self, x: f64, y: f64) -> Self {
        Self { x, y, ..self }
    }

    /// It ends there, on this line.
    pub(super) fn ending_at(self, x: f64, y: f64) -> Self {
        Self { x, y, ends_there: true, ..self }
    }

    /// It may be so wide.
    pub(super) fn within(self, room: f64) -> Self {
        Self { room, ..self }
    }

    /// The text, which is drawn closer where it might be too wide: nobody knows the reader's letters.
    pub(super) fn draw(self, text: &str) -> String {
        // A sign that is written by its name, such as `&amp;`, counts for too much.
        let em = self.size * text.chars().count() as f64;
        let end = if self.ends_there { " end" } else { "" };
        let mut drawn = format!(
            "<text class=\"{}{end}\" font-size=\"{}\" x=\"{:.1}\" y=\"{:.1}\"",
            self.class, self.size, self.x, self.y
        );
        if WIDEST * em > self.room {
            let usual = (USUAL * em).min(self.room);
            let _ = write!(drawn, " textLength=\"{usual:.0}\" lengthAdjust=\"spacingAndGlyphs\"");
        }
        drawn + ">" + text + "</text>"
    }

    /// The text in lines so far apart, each as wide as it may be.
    pub(super) fn draw_in_lines(self, text: &str, apart: f64) -> String {
        let most = (self.room / (USUAL * self.size)) as usize;
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ') {
            match lines.last_mut() {
                Some(line) if line.len() + word.len() < most => *line = format!("{line} {word}"),
                _ => lines.push(word.to_owned()),
            }
        }
        let line = |(nth, line): (usize, &String)| {
            Self { y: self.y + apart * nth as f64, ..self }.draw(line)
        };
        lines.iter().enumerate().map(line).collect()
    }
}
