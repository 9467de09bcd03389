//! What some characters say of a topic that stand side by side in a script without spaces: there a few of them may be grammar
//! and no word.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::marks::is_mark;
use super::{is_han, is_hangul};

/// What says nothing about a topic in Japanese, Chinese, Thai and Korean, between spaces.
const GRAMMAR: [&str; 4] = [
    "です ます でした ました ません でしょう ください して した する され れる られ れた れて いる いた いて います いました ある \
     あり あった ない なか なく なら こと もの ため よう から まで より など ので のに けど けれど だけ しか でも ても とも では \
     には とは への として について による において という といった この その あの どの これ それ あれ どれ ここ そこ どこ いつ \
     だれ なに なぜ どう どうして どんな くらい ぐらい いくつ いくら とても もう まだ また そして しかし だから だった だっけ \
     っけ かな よね たい たく なり なる なっ なければ ばなり いけ ほしい もらう もらっ くれ あげ みる みて おり おき しま しょう \
     まし せん ませ ましょ はい いいえ ありがとう すか すが すね たか たら ると にな がい 何か 何時 今日 明日 昨日 来月 来週 方法 \
     説明 自分 場合 必要 時間 教え",
    "的 了 是 在 我 你 您 他 她 它 们 这 那 哪 吗 呢 吧 啊 没 不 和 也 都 就 还 很 请 把 被 给 几 一 我们 你们 他们 这个 那个 \
     什么 怎么 怎样 多少 没有 因为 所以 但是 如果 一个 一下 可以 时候 现在 今天 昨天 明天 开始 知道 告诉 觉得 需要 应该 已经 \
     可能 这样 自己 大家 时间 问题 使用 用了 之前 以后 关于 为什",
    "ที่ การ ของ และ เป็น ได้ ไม่ มี ให้ ใน จะ ว่า กับ ก็ แล้ว อยู่ คือ อะไร ทำ อย่างไร อย่าง ยังไง เท่าไหร่ เท่าไร เมื่อไหร่ เมื่อไร เมื่อ เท่า ไหร่ ไหม \
     ครับ ค่ะ คะ ช่วย หน่อย จาก โดย เพื่อ เพราะ ถ้า แต่ หรือ นี้ นั้น ไป มา ต้อง ควร ความ ผม ฉัน เรา คุณ เขา ใคร ไหน กี่ ทุก วัน วันนี้ \
     เมื่อวาน พรุ่งนี้ มาก กว่า ด้วย อีก ยัง เคย กำลัง ต่อ ขอ บอก เล่า ฟัง เริ่ม ใช้ ตัว คน แบบ เรื่อง ซึ่ง ถึง ตาม ขึ้น ลง ออก เข้า",
    "습니다 습니까 니다 니까 합니다 했습니다 입니다 인가요 가요 나요 까요 어요 아요 해요 에요 예요 세요 하세요 주세요 었습 았습 \
     했습 하는 하고 해서 에서 에게 으로 부터 까지 한테 이랑 보다 처럼 그리고 그래서 하지만 언제 어디 어디서 누가 무엇 무슨 어떤 \
     어떻게 얼마 얼마나 이것 그것 저것 우리 나는 내가 제가 저는 오늘 어제 내일 지금 있다 있는 있어 없다 없는 있습 없습 됐나 \
     됐어 되는 되나 하나 해야 하는지 방법 설명",
];

/// Particles of Japanese that are one character, and those of Korean.
const PARTICLES: &str = "はがをにへともやかでのばたてだなねよ";
const ENDS: &str = "을를이가은는에의로도와과만요다";

/// With what Korean particles and endings of verbs begin.
const BEGIN: &str = "을를이가은는에의로도와과만으까부하한보랑요다인입했";

/// Characters of the longest one.
const LONGEST: usize = 8;

/// How much some characters side by side say about a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Telling {
    /// They are grammar.
    Nothing,
    /// They may be a word, or a part of one.
    Little,
    /// They hold a word.
    Much,
}

/// Scripts whose characters say unequally much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Han,
    Katakana,
    Hiragana,
    Hangul,
    Letters,
}

impl Script {
    fn of(c: char) -> Self {
        match c {
            '\u{3040}'..='\u{309f}' => Self::Hiragana,
            '\u{30a0}'..='\u{30ff}' => Self::Katakana,
            c if is_han(c) => Self::Han,
            c if is_hangul(c) => Self::Hangul,
            _ => Self::Letters,
        }
    }

    /// What some characters of it say that are no grammar. Two may be a part of any longer word, if one goes on there.
    fn telling(self, part: &str, is_cut: bool) -> Telling {
        let (part, little, much) = match self {
            Self::Han => (part, 1, 2),
            Self::Katakana => (part, 2, if is_cut { 3 } else { 2 }),
            Self::Hiragana => (part.trim_matches(|c| PARTICLES.contains(c)), 2, 3),
            Self::Hangul => {
                (part.trim_end_matches(|c| ENDS.contains(c)), 1, if is_cut { 3 } else { 2 })
            }
            Self::Letters => (part, 3, 4),
        };
        match part.chars().filter(|c| !is_mark(*c)).count() {
            long if long >= much => Telling::Much,
            long if long >= little => Telling::Little,
            _ => Telling::Nothing,
        }
    }

    /// Whether a word of it may go on with a character, and not with a particle.
    fn goes_on_with(self, c: char) -> bool {
        Self::of(c) == self && !(self == Self::Hangul && BEGIN.contains(c))
    }
}

/// What characters side by side say of a topic.
pub fn telling(stretch: &str) -> Telling {
    telling_in(stretch, &(0..stretch.len()))
}

/// What a part of some characters side by side says: where words of grammar begin and end among them, all of them tell.
pub fn telling_in(run: &str, part: &Range<usize>) -> Telling {
    let says = |(script, at): (Script, Range<usize>)| {
        let (from, to) = (at.start.max(part.start), at.end.min(part.end));
        if from >= to {
            return Telling::Nothing;
        }
        let goes_on = |c| script.goes_on_with(c);
        let is_cut = from > at.start || to < at.end && run[to..].starts_with(goes_on);
        script.telling(&run[from..to], is_cut)
    };
    others(run).map(says).max().unwrap_or(Telling::Nothing)
}

/// How many words a text in a script without spaces names, about.
pub fn count_telling(run: &str) -> usize {
    contents(run).count()
}

/// What stands between words of grammar in a text in a script without spaces, and may be a word.
pub fn contents(run: &str) -> impl Iterator<Item = &str> {
    let others = others(run);
    others
        .filter(|(script, at)| script.telling(&run[at.clone()], false) == Telling::Much)
        .map(|(_, at)| &run[at])
}

/// The parts of some characters side by side that are no words of grammar, each of one script.
fn others(run: &str) -> impl Iterator<Item = (Script, Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(behind) = behind_grammar(&run[at..]) {
            at = run.len() - behind.len();
        }
        let first = run[at..].chars().next()?;
        let (script, start) = (Script::of(first), at);
        let goes_on = |rest: &str| {
            rest.starts_with(|c| Script::of(c) == script) && behind_grammar(rest).is_none()
        };
        at += first.len_utf8();
        while goes_on(&run[at..]) {
            at += run[at..].chars().next().map_or(1, char::len_utf8);
        }
        Some((script, start..at))
    })
}

/// What stands behind the longest word of grammar with which a text begins.
fn behind_grammar(text: &str) -> Option<&str> {
    static WORDS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| GRAMMAR.iter().flat_map(|words| words.split_whitespace()).collect());
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(LONGEST);
    let longest = ends.filter(|end| WORDS.contains(&text[..*end])).last()?;
    Some(&text[longest..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_longer_word_says_less() {
        let of = |run: &str, part: &str| {
            let start = run.find(part).unwrap();
            telling_in(run, &(start..start + part.len()))
        };
        assert_eq!(of("フランス革命", "ラン"), Telling::Little);
        assert_eq!(of("リストア", "リスト"), Telling::Much);
        assert_eq!(of("리스트를", "리스"), Telling::Little);
        assert_eq!(of("타일은", "타일"), Telling::Much);
        assert_eq!(count_telling("灰色のタイルと大工さんの件ですか"), 3);
        assert_eq!(of("เริ่มเมื่อไหร่", "ื่อไหร"), Telling::Nothing, "of a word of grammar");
    }

    #[test]
    fn grammar_says_nothing_and_words_say_something() {
        for nothing in
            ["", "です", "はいつ", "ですか", "的是", "什么时候", "습니다", "เป็นอย่างไร", "かは"]
        {
            assert_eq!(telling(nothing), Telling::Nothing, "{nothing}");
        }
        for little in ["猫", "働いて", "らいで", "弟は", "画一", "กลับ"] {
            assert_eq!(telling(little), Telling::Little, "{little}");
        }
        for much in
            ["りんごの", "換気扇は", "ロゴ", "数据库", "자전거를", "กระเบื้อง", "歯医者に行か"]
        {
            assert_eq!(telling(much), Telling::Much, "{much}");
        }
    }
}
