//! `model.json`: the model that a person chose for a session.

use serde_json::{Map, Value};

use crate::store::disk::object::{read_object, write_object};
use crate::store::disk::paths::Paths;
use crate::store::record::text;
use crate::store::{Error, LogReader, Store};

impl Store {
    /// Keeps whom the session is with from now on: the provider's name and the model's.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn choose_model(&mut self, provider: &str, model: &str) -> Result<(), Error> {
        let field = |key: &str, value: &str| (key.to_owned(), Value::from(value));
        let fields = Map::from_iter([field("provider", provider), field("model", model)]);
        write_object(&self.paths.disk, &self.paths.model(), fields)
    }

    /// Whom the session is with, if a person chose: the provider's name and the model's.
    pub fn chosen_model(&self) -> Option<(String, String)> {
        chosen_model(&self.paths)
    }
}

impl LogReader {
    /// As [`Store::chosen_model`].
    pub fn chosen_model(&self) -> Option<(String, String)> {
        chosen_model(self.paths())
    }
}

/// The same of a session whose files these are.
fn chosen_model(paths: &Paths) -> Option<(String, String)> {
    // A choice that cannot be read is none: whoever is configured answers.
    let fields = read_object(&paths.model(), paths.mend, &mut Vec::new()).ok()??;
    Some((text(fields.get("provider")?)?, text(fields.get("model")?)?))
}
