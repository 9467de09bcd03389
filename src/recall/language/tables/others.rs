//! Languages of which little more is known than the words of their grammar, those that no language before them has.

use super::Table;

/// What is known of none of them.
const NOTHING: Table = Table {
    grammar: "",
    everyday: "",
    own: "",
    own_phrases: &[],
    past: "",
    told: "",
    asking: "",
    measuring: ("", ""),
    before_asking: "",
    asking_by_accent: "",
    inverted: &[],
    exclaiming: &[],
    indirect: &[],
    relative: "",
    wishes: &[],
    tasks: "",
    pointing: "",
    naming: "",
    advice: &[],
    any: &[],
    whole: "",
    polite: &[],
    definite: "",
    has_capital_nouns: false,
};

pub(super) const RUSSIAN: Table = Table {
    grammar: "а без бы был была были было быть в вам вас во вот все всё вы где да для до его ее если есть еще же за и \
        из или им их к как каков какова каково какая какие какой какое ко когда кого кому который которая кто куда ли мне \
        меня мой моя мое мои моей моего мы на нам нас наш наша наше наши нашей не нет но ну о об он она они от по почему \
        при про с сколько со так там то тоже только ты у уже чего чем что чтобы эта эти это этот я",
    everyday: "день дня год года раз время можно надо нужно сегодня вчера завтра расскажи скажи",
    own: "мой моя мое мои моей моего моих наш наша наше наши нашей нашего наших помнишь напомни",
    own_phrases: &["у меня", "у нас", "мы решили", "я говорил", "я говорила", "ты говорил"],
    past: "я мы мне нам нас меня",
    told: "был была было были",
    asking: "где когда кто что как какой какая какое какие сколько почему зачем куда откуда",
    measuring: ("", ""),
    before_asking: "а и но",
    definite: "мой моя мое мои моей моего наш наша наше наши нашей нашего этот эта это эти",
    ..NOTHING
};

pub(super) const HINDI: Table = Table {
    grammar: "आप इस उस एक और कब कर करना करता करते करने करें का कि कितना कितनी कितने किया किस किसी की कुछ के कैसे को कोई कौन \
        क्या क्यों गई गए गया चाहिए जा जो तक तो था थी थे दिया ने नहीं पर भी मुझे में मेरा मेरी मेरे मैं मैंने यह या ये रहा रही रहे लिए \
        वह वे साथ से हम हमने हमारा हमारी हमारे ही हुआ हुई हुए है हैं हो होता होती होना कहाँ कौनसा",
    everyday: "दिन समय बार आज कल बताओ बताइए सुनाओ बनाओ",
    own: "मेरा मेरी मेरे हमारा हमारी हमारे मैंने हमने",
    past: "मैं हम मुझे",
    told: "था थी थे गया गई गए",
    asking: "क्या कब कहाँ कौन कैसे कितना कितनी कितने क्यों",
    definite: "मेरा मेरी मेरे हमारा हमारी हमारे",
    ..NOTHING
};

pub(super) const ARABIC: Table = Table {
    grammar: "أن أنا أنت أو أي أين إلى إن التي الذي الى بعد بين ثم حتى عن على عند فيه في فيها قد كان كانت كل كم كما كيف لا \
        لقد لكن لم لماذا لن له لها ليس ما ماذا متى مع من منذ نحن هذا هذه هل هناك هو هي هم ولا وما ومن يا ذلك تلك",
    everyday: "يوم اليوم أمس غدا وقت مرة",
    own: "لي لدي عندي لنا لدينا عندنا",
    past: "أنا نحن قلت قلنا",
    told: "كان كانت",
    asking: "هل ما ماذا متى أين كيف كم من لماذا",
    definite: "لي لدي عندي لنا",
    ..NOTHING
};

/// Without the words that many texts in other languages have as well.
pub(super) const TURKISH: Table = Table {
    grammar: "benim bir bize bizim biz bu bunu bunun çok daha değil gibi hangi hangisi için ile iken içinde kadar kaç kim kimin \
        mi nasıl ne neden nedir nerede nereye neydi olan olarak oldu olduğu onu onun şey şunu üzerinde var vardı ve veya yok",
    everyday: "zaman gün bugün dün yarın anlat söyle",
    own: "benim bizim bize",
    past: "biz",
    told: "vardı neydi",
    asking: "nasıl neden nerede nereye hangi kaç kim",
    definite: "benim bizim",
    ..NOTHING
};

/// Without the words that other languages have as well.
pub(super) const POLISH: Table = Table {
    grammar: "bo był była było były czy dla gdzie ile jak jaka jaki jakie jest jego jej który która które kiedy kto mój moja \
        moje nasz nasza nasze nie oraz przez przy się tego tej ten ta te też tylko więc wynosi że",
    everyday: "czas dzień dziś wczoraj jutro opowiedz powiedz",
    own: "mój moja moje nasz nasza nasze",
    told: "był była było były",
    asking: "gdzie ile jak jaka jaki jakie kiedy kto który która które czy",
    definite: "mój moja moje nasz nasza nasze",
    ..NOTHING
};
