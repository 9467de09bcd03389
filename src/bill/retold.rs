//! What a turn took in another program, where a conversation is told again.

use super::{CacheKind, Paid, Said};

/// What tools had to do with a turn, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tools {
    /// Of results that are held by reference instead.
    pub held: u32,
    /// Of what the model said and called itself, where results may stand among it; 0 where no tool was called.
    pub own: u32,
    /// Of arguments that were cut off.
    pub cut: u32,
}

impl Tools {
    /// The tokens that the model wrote, of a reply with so many, and those that stand in it and that tools wrote.
    pub fn divided(self, reply: u64) -> (u64, u64) {
        let own = if self.own == 0 { reply } else { reply.min(self.own.into()) };
        (own + u64::from(self.cut), reply - own)
    }
}

/// A turn that is told again: what tools wrote is read and not written, whoever pays, and what a model called them with is
/// written in full.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retold {
    /// What tools had to do with it.
    pub tools: Tools,
    /// Tokens of the reply that say where a text is held by reference: nobody else reads these.
    pub pointers: u64,
    /// Another conversation begins with it, with so many tokens in its history that were said in one before.
    pub begins: Option<u64>,
    /// It came after a pause in which a cache forgets.
    pub cold: bool,
}

impl Retold {
    /// What it said, where the reply stands for all that the model wrote and read.
    pub fn said(&self, said: Said) -> Said {
        let (written, returned) = self.tools.divided(said.reply);
        let read = said.looked_up + returned + u64::from(self.tools.held);
        let looked_up = read.saturating_sub(self.pointers);
        let cold = said.cold || self.cold;
        Said { looked_up, reply: written, output: written, cold, ..said }
    }

    /// What its last request took, where its answer stands for all of that. What is held by reference was read once: of
    /// the tools' results, and of the message so many tokens. A cache with breakpoints, which keeps prompts from so many
    /// tokens on, takes its price for that as for all that is new to it.
    pub fn paid(&self, reply: u64, of_message: u64, paid: Paid, cache: (CacheKind, u64)) -> Paid {
        let (written, returned) = self.tools.divided(reply);
        let read = returned + u64::from(self.tools.held) + of_message;
        let output = (paid.output + written).saturating_sub(reply);
        let (kind, least) = cache;
        if kind == CacheKind::Breakpoints && paid.prompt() + read >= least {
            return Paid { written: paid.written + read, output, ..paid };
        }
        Paid { uncached: paid.uncached + read, output, ..paid }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(user: u64, reply: u64) -> Said {
        Said { user, reply, output: reply, fixed: 1_000, ..Said::default() }
    }

    #[test]
    fn a_turn_that_is_told_again_says_what_tools_wrote_as_read() {
        let tools = Tools { held: 3_000, own: 40, cut: 5 };
        let it = Retold { tools, ..Retold::default() };
        let told = it.said(said(10, 100));
        assert_eq!((told.user, told.looked_up, told.reply, told.output), (10, 3_060, 45, 45));
        let free = (CacheKind::Prefix, 0);
        let paid = it.paid(100, 7, Paid::reported(500, 400, 0, 100), free);
        assert_eq!((paid.read, paid.uncached, paid.output), (400, 100 + 3_060 + 7, 45));
        // All that is new to a cache with breakpoints is written to it, if it keeps so short a prompt.
        let at = |least| {
            let cache = (CacheKind::Breakpoints, least);
            let paid = it.paid(100, 7, Paid::reported(500, 400, 100, 100), cache);
            (paid.read, paid.written, paid.uncached)
        };
        assert_eq!(at(500 + 3_060 + 7), (400, 100 + 3_060 + 7, 0));
        assert_eq!(at(500 + 3_060 + 8), (400, 100, 3_060 + 7));
        let plain = Retold::default();
        assert_eq!(plain.paid(100, 0, paid, free), paid);
        // Others read no words on where a text is held; whoever holds it there does.
        let pointed = Retold { pointers: 8, ..it };
        assert_eq!(pointed.said(said(10, 100)).looked_up, 3_052);
        assert_eq!(
            pointed.paid(100, 7, Paid::reported(500, 400, 0, 100), free),
            it.paid(100, 7, Paid::reported(500, 400, 0, 100), free)
        );
    }
}
