//! Which model answers, changed while chatting. What the one before thought stays with it: within a turn nothing
//! changes, and reasoning does not outlive its turn.

use std::sync::Arc;

use super::answer::Refusal;
use super::driver::Driver;
use super::loading::{fitting, tool_definitions};
use super::notice::{Notice, SessionInfo};
use crate::config::{Key, Settings, Source};
use crate::counted::grouped;
use crate::llm::{Model, ModelInfo, Offer, Offers, offline};
use crate::memory::RulesError;
use crate::store;

/// Models that answer without a server: the built-in one, and those of scenarios and replays.
const OF_NO_SERVER: [&str; 3] = [offline::NAME, "scripted", "replayed"];

/// Lines of one list; words narrow it.
const MOST_LINES: usize = 40;

impl Driver {
    /// Lists the models that there are, or those whose names hold these words; with the name of one, or with words
    /// that only one has, that one answers from now on.
    pub(super) async fn choose_model(&mut self, wanted: Option<&str>) -> Result<String, Refusal> {
        let Some(shop) = self.model.shop() else {
            return match wanted {
                None => Ok(who_answers(&self.model.info())),
                Some(_) => Err(Refusal::of("Here the model is given, and there is no other.")),
            };
        };
        let Offers { all: offers, refused } =
            self.unless_stopped(shop.offers()).await.map_err(Refusal::Stop)?;
        let words = wanted.unwrap_or_default().to_lowercase();
        let found: Vec<&Offer> = offers.iter().filter(|offer| offer.has(&words)).collect();
        let own = self.model.info().provider;
        let chosen = wanted.and_then(|wanted| chosen(&found, wanted, &own));
        match (chosen, wanted) {
            (Some(offer), _) => self.switch_to(&offer.provider, &offer.name).await,
            (None, Some(words)) if found.is_empty() => {
                let none = format!(
                    "No server that can be asked has a model like {words:?}: /model lists them all."
                );
                let told = [none].into_iter().chain(refused);
                Err(Refusal::of(told.collect::<Vec<_>>().join("\n")))
            }
            _ => Ok(format!("{}\n{}", who_answers(&self.model.info()), list(&found, &refused))),
        }
    }

    pub(super) async fn switch_to(
        &mut self,
        provider: &str,
        name: &str,
    ) -> Result<String, Refusal> {
        let shop = self.model.shop().ok_or_else(|| Refusal::of("There is no other model."))?;
        let opened = self.unless_stopped(shop.open(provider, name)).await;
        let model = opened.map_err(Refusal::Stop)?.map_err(Refusal::of)?;
        // Another server may take what the one before did not.
        self.memory.set_tools(tool_definitions());
        let settings = self
            .settings_for(&model.info())
            .map_err(|why| Refusal::of(format!("{name} does not answer here: {why}")))?;
        self.take_model(model, settings);
        let info = self.model.info();
        if let Err(error) = self.store.choose_model(&info.provider, &info.name) {
            self.notify(Notice::problem(error.to_string(), "The next start does not know of it."));
        }
        let remembers = match flag_before(&self.settings, &self.began_with, &info.provider) {
            None => "The session remembers it.".to_owned(),
            Some(flag) => format!("The session remembers it for a start without {flag}."),
        };
        Ok(format!("{} {remembers}", who_answers(&info)))
    }

    /// The settings as they suit a model.
    fn settings_for(&mut self, model: &ModelInfo) -> Result<Settings, RulesError> {
        let mut settings = self.settings.clone();
        settings.fit_anew(model.context_window);
        settings.tell_chosen(Some((model.provider.clone(), model.name.clone())));
        let (rules, refused) = fitting(&self.memory, &settings);
        refused.map_or(Ok(()), Err)?;
        self.memory.set_rules(rules)?;
        Ok(settings)
    }

    fn take_model(&mut self, model: Arc<dyn Model>, settings: Settings) {
        self.store.answered_by(&model.info().name);
        self.model = self.meter.before(model);
        self.settings = settings;
        self.fit_cache();
        let dir = self.store.dir().to_owned();
        let (name, model) = (store::name_of(&dir), self.model.info());
        self.notify(Notice::Renamed(SessionInfo { name, directory: dir, model }));
        self.show_settings();
        self.tell_forms();
        self.show_memory();
    }

    /// The model that the session was with last, unless this run was started with another one.
    pub(super) async fn take_up_chosen_model(&mut self) {
        let info = self.model.info();
        let is_said = |key: Key| matches!(self.settings.source(key), Source::Flag(_));
        if is_said(Key::Model) || is_said(Key::Offline) || self.model.shop().is_none() {
            return;
        }
        let Some((provider, name)) = self.store.chosen_model() else {
            return self.tell_who_stands_in(&info);
        };
        if info.name == name && info.provider == provider {
            return;
        }
        if let Some(flag) = flag_before(&self.settings, &self.began_with, &provider) {
            return self.notify(Notice::Info(format!(
                "This session was with {name} from {provider}; {flag} names another server for this run. {}",
                who_answers(&info)
            )));
        }
        let told = match self.switch_to(&provider, &name).await {
            Ok(_) => format!("{name} from {provider} answers, as before."),
            Err(refused) => format!(
                "This session was with {name} from {provider}, which cannot be had now ({}). {}",
                refused.for_people().trim_end_matches('.'),
                who_answers(&info)
            ),
        };
        self.notify(Notice::Info(told));
    }

    /// Says so where a server's model answered last and the built-in one does now.
    fn tell_who_stands_in(&self, now: &ModelInfo) {
        let last = self.meter.last_answered_by();
        let Some(last) = last.filter(|name| now.offline && !OF_NO_SERVER.contains(&&**name)) else {
            return;
        };
        let (why, then) = if self.settings.offline() {
            ("`offline` is set", "Take that setting out to ask it again.")
        } else {
            (
                "no server is known to ask for it",
                "Start with --base-url URL and --model NAME, or with the key of its provider, to go on with it.",
            )
        };
        self.notify(Notice::Info(format!(
            "{last} answered here last, and {why}: the built-in offline model answers now. {then}"
        )));
    }
}

/// The flag of a run that goes before what a session remembers: another model, or another server than that of this provider.
/// `began_with` is the provider that answers where nothing is remembered.
pub fn flag_before(settings: &Settings, began_with: &str, provider: &str) -> Option<String> {
    let keys = [Key::Model, Key::Offline, Key::BaseUrl, Key::Provider];
    let names_it = |key: &Key| matches!(key, Key::BaseUrl | Key::Provider);
    let is_own = provider == began_with;
    let goes_before = |key: &Key| !(is_own && names_it(key));
    keys.into_iter().filter(goes_before).find_map(|key| match settings.source(key) {
        Source::Flag("--set") => Some(format!("--set {}", key.name())),
        Source::Flag(flag) => Some((*flag).to_owned()),
        _ => None,
    })
}

/// The one that is meant: by its full name, by its name at the provider that answers now, by its name where only
/// one has it, or by words that only one has.
fn chosen<'a>(found: &[&'a Offer], wanted: &str, own: &str) -> Option<&'a Offer> {
    let wanted = wanted.trim();
    let full = |offer: &&&Offer| offer.full_name().eq_ignore_ascii_case(wanted);
    let named = |offer: &&&Offer| offer.name.eq_ignore_ascii_case(wanted);
    let here = found.iter().find(|offer| named(offer) && offer.provider == own);
    let mut anywhere = found.iter().filter(named);
    let alone = anywhere.next().filter(|_| anywhere.next().is_none());
    let only = found.first().filter(|_| found.len() == 1);
    found.iter().find(full).or(here).or(alone).or(only).copied()
}

/// The models that were found, and whose servers told of none.
fn list(found: &[&Offer], refused: &[String]) -> String {
    let mut lines: Vec<String> = found.iter().take(MOST_LINES).map(|offer| offer.line()).collect();
    if lines.is_empty() && refused.is_empty() {
        lines.push(
            "No server that can be asked lists a model. Set a provider's key, or start one here."
                .to_owned(),
        );
    }
    if found.len() > MOST_LINES {
        lines.push(format!(
            "And {} more: /model WORDS lists those that match.",
            found.len() - MOST_LINES
        ));
    }
    lines.extend(refused.iter().cloned());
    lines.push("/model NAME changes to one at once.".to_owned());
    lines.join("\n")
}

/// Which model answers.
fn who_answers(model: &ModelInfo) -> String {
    if model.offline {
        return "The built-in offline model answers. It is no language model: it follows pattern rules, \
                summarises by extraction and answers from memory."
            .to_owned();
    }
    let window = model.context_window.map_or_else(
        || "the size of its window is not known".to_owned(),
        |tokens| format!("it takes {} tokens", grouped(tokens)),
    );
    format!("{} from {} answers; {window}.", model.name, model.provider)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_meant_by_its_name_or_by_words_that_only_one_has() {
        let offer = |provider: &str, name: &str| Offer {
            provider: provider.to_owned(),
            name: name.to_owned(),
            context: None,
            price: None,
        };
        let all = [offer("A", "big"), offer("A", "bigger"), offer("B", "big"), offer("B", "small")];
        let meant = |wanted: &str, own: &str| {
            let found: Vec<&Offer> =
                all.iter().filter(|offer| offer.has(&wanted.to_lowercase())).collect();
            chosen(&found, wanted, own).map(Offer::full_name)
        };
        for (wanted, own, expected) in [
            ("big", "B", Some("B big")),
            ("big", "C", None),
            ("a big", "B", Some("A big")),
            ("BIGGER", "C", Some("A bigger")),
            ("sma", "A", Some("B small")),
            ("b", "A", None),
            ("none", "A", None),
        ] {
            assert_eq!(meant(wanted, own).as_deref(), expected, "{wanted}");
        }
    }

    #[test]
    fn a_list_says_which_servers_refuse_to_tell_of_theirs() {
        assert!(list(&[], &[]).starts_with("No server that can be asked lists a model."));
        let refused = ["A: a:1 answered 401: nope. Check the key.".to_owned()];
        let told = list(&[], &refused);
        assert!(told.starts_with(&refused[0]) && !told.contains("No server"), "{told}");
    }
}
