//! Anybody's text as that of an XML document.

/// A text between the tags of a document, in which nothing is read as a tag or an entity.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_markup_is_text() {
        assert_eq!(escape("R&D <b>&lt;"), "R&amp;D &lt;b>&amp;lt;");
    }
}
