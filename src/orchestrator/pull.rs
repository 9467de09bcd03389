//! A model that a server on this machine does not have is fetched there, and answers from then on.

use tokio::sync::mpsc::unbounded_channel;

use super::answer::Refusal;
use super::driver::Driver;
use super::notice::Notice;
use crate::llm::Fetched;

impl Driver {
    /// Fetches the model of this name, or the one that is to answer, and tells how far it is.
    pub(super) async fn pull(&mut self, name: Option<&str>) -> Result<String, Refusal> {
        let info = self.model.info();
        let name = name.map(str::to_owned).or_else(|| Some(info.name).filter(|_| !info.offline));
        let name = name.ok_or_else(|| Refusal::of("Which model? For example: /pull qwen3:8b"))?;
        let shop = self.model.shop().ok_or_else(|| Refusal::of("Here the model is given."))?;
        let (tell, mut told) = unbounded_channel();
        let mut fetching = shop.pull(&info.provider, &name, tell);
        let mut last = String::new();
        let outcome = loop {
            tokio::select! {
                biased;
                asked = self.ops.recv() => self.interrupt(asked).map_err(|_| {
                    Refusal::of(format!("Stopped. What came of {name} is kept: /pull {name} goes on from it."))
                })?,
                Some(fetched) = told.recv() => self.tell_fetched(&name, fetched, &mut last),
                done = &mut fetching => break done,
            }
        };
        // The last lines may have come with the end.
        while let Ok(fetched) = told.try_recv() {
            self.tell_fetched(&name, fetched, &mut last);
        }
        let provider = outcome.map_err(Refusal::of)?;
        let answers = self.switch_to(&provider, &name).await?;
        Ok(format!("{name} is there now. {answers}"))
    }

    /// Tells how far it is, if that is not what was told last.
    fn tell_fetched(&self, name: &str, fetched: Fetched, last: &mut String) {
        let line = fetched.line();
        if line != *last && !line.is_empty() {
            self.notify(Notice::Fetching { model: name.to_owned(), fetched });
            *last = line;
        }
    }
}
