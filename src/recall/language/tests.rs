use super::*;

#[test]
fn a_language_is_told_by_its_grammar() {
    let nth = |message| Wording::of(message).language.nth;
    assert_eq!(nth("What was the name of the man who sold us the die?"), 0);
    assert_eq!(nth("tell me a joke"), 0, "two of its words are of Spanish grammar");
    for english in [
        "give me Dave's job",
        "list Anselm's cards",
        "I'm at Lucien's",
        "it's Dave’s, isn't it",
        "don't",
        "I'd say he'd know",
    ] {
        assert_eq!(nth(english), 0, "{english}");
    }
    for french in ["l'atelier d'Anselme", "t'as vu l'heure", "qu'est-ce qu'il y a"] {
        assert_eq!(nth(french), 3, "{french}");
    }
    assert_eq!(nth("wie geht's dir"), 1);
    assert_eq!(nth("llegamos a Morella"), 2);
    assert_eq!(nth("Wer hat uns damals das Haus verkauft?"), 1);
    assert_eq!(nth("¿Quién nos vende el pescado?"), 2);
    assert_eq!(nth("Qu'est-ce que l'architecte nous a dit ?"), 3);
    assert_eq!(nth("Где наша база?"), 4);
    assert_eq!(nth("प्रकाश की गति कितनी है?"), 5);
    assert_eq!(nth("كيف أعكس قائمة في بايثون؟"), 6);
    assert_eq!(nth("Işık hızı ne kadar?"), 7);
    assert_eq!(nth("Ile wynosi prędkość światła?"), 8);
    for unknown in ["", "Kubernetes?", "数据库在哪里？", "Πού είναι η βάση;"] {
        assert_eq!(nth(unknown), 0, "{unknown}");
    }
}

#[test]
fn what_names_the_kind_of_an_answer_says_nothing_of_a_topic() {
    let grammar = |message| Wording::of(message).grammar();
    for (message, kind) in [
        ("what day is the opening", "day"),
        ("How tall may the elm get?", "tall"),
        ("wie hoch darf die Ulme werden", "hoch"),
        ("Quel jour est la fête ?", "jour"),
        ("¿Qué día es la fiesta?", "dia"),
    ] {
        assert!(grammar(message).contains(&form(kind)), "{message}: {:?}", grammar(message));
    }
    for (message, word) in [("the day of the opening", "day"), ("how was the tall elm", "tall")] {
        assert!(!grammar(message).contains(&form(word)), "{message}");
    }
}

#[test]
fn questions_about_the_past_are_told_in_each_language() {
    for past in [
        "Which node did we find late?",
        "Wie habe ich meine Katze genannt?",
        "Wer hat den Schlüssel?",
        "¿Qué decidimos sobre la terraza?",
        "Qu'est-ce que nous avons choisi pour le sol ?",
        "J'ai payé combien pour la table ?",
        "Is 19 ok for bottling, going by what you told me?",
        "Womit soll ich das streichen, was hattest du empfohlen?",
        "¿Qué aceite me recomendaste?",
        "Quelle huile tu m'as conseillé ?",
    ] {
        assert!(Wording::of(past).is_about_past(), "{past}");
    }
    for other in [
        "How do I boil an egg?",
        "What would you recommend for a beginner?",
        "Wie koche ich ein Ei?",
        "Warum ist der Himmel blau?",
        "¿Por qué el cielo es azul?",
        "¿Cómo puedo aprender a nadar?",
        "Pourquoi le ciel est bleu ?",
        "Comment puis-je apprendre à nager ?",
    ] {
        assert!(!Wording::of(other).is_about_past(), "{other}");
    }
}

#[test]
fn the_simple_past_tells_of_what_has_been_and_a_participle_does_not() {
    for past in ["how many tins came?", "which one leaked", "who paid for the soup?"] {
        let wording = Wording::of(past);
        assert!(wording.tells_of_past() && !wording.is_about_past(), "{past}");
    }
    for other in ["how are tiles made?", "what do you need?", "who is indeed a hundred?"] {
        assert!(!Wording::of(other).tells_of_past(), "{other}");
    }
}

#[test]
fn what_is_named_and_asked_for_by_courtesy_alone_is_a_request() {
    for request in [
        "Pidge's stats please",
        "the trader's address pls",
        "our order number, please",
        "die Adresse vom Händler bitte",
        "l'adresse du marchand s'il te plaît",
        "la dirección del taller, por favor",
    ] {
        assert!(Wording::of(request).names_and_pleads(), "{request}");
    }
    for other in [
        "please",
        "yes please",
        "a coffee please",
        "un café por favor",
        "translate this please",
        "the trader's address",
        "please come",
    ] {
        assert!(!Wording::of(other).names_and_pleads(), "{other}");
    }
}

#[test]
fn what_is_so_anywhere_is_told_from_what_is_particular() {
    for any in ["how are tiles made?", "what do eels eat?", "what is the best way to cut it off?"] {
        assert_eq!(Wording::of(any).is_of_any(), !any.contains("it "), "{any}");
    }
    for theirs in [
        "how are the tiles made?",
        "what do our eels eat?",
        "who came?",
        "when does he pay?",
        "what should I eat?",
    ] {
        assert!(!Wording::of(theirs).is_of_any(), "{theirs}");
    }
}

#[test]
fn a_task_begins_as_a_question_does() {
    for task in [
        "Draft the note to Ines",
        "Schreib dem Verein",
        "Redacta la nota",
        "Rédige une lettre pour nous",
    ] {
        assert!(Wording::of(task).begins_like_task(), "{task}");
    }
    for other in ["The draft is good", "Der Verein schreibt", "La nota es buena"] {
        assert!(!Wording::of(other).begins_like_task(), "{other}");
    }
}

#[test]
fn what_has_been_is_no_advice_however_politely_it_is_asked_for() {
    assert!(Wording::of("Can you explain recursion to a child?").asks_advice());
    assert!(!Wording::of("Can you tell me what our tyre size was?").asks_advice());
    assert!(!Wording::of("Wie habe ich die Katze genannt?").asks_advice());
}

#[test]
fn what_somebody_is_said_to_know_stands_behind_an_article() {
    let telling = |message| Wording::of(message).telling();
    let one = |term: &str, is_known| (term.to_owned(), is_known);
    assert_eq!(
        telling("What wood is the worktop made of?"),
        [one("wood", false), one("worktop", true)]
    );
    assert_eq!(telling("Do violins have worktops?"), [one("violin", false), one("worktop", false)]);
    let german = telling("Aus welchem Holz ist die Platte?");
    assert!(german.iter().all(|(_, is_known)| *is_known), "{german:?}");
    assert!(german.iter().all(|(term, _)| !["die", "aus", "welchem"].contains(&term.as_str())));
}

#[test]
fn what_need_not_be_theirs_is_told_from_what_is() {
    let is_for_any = |message| Wording::of(message).asks_for_any();
    for any in [
        "Tell me a joke",
        "can you give me a recipe for pancakes",
        "please write a limerick",
        "cuéntame un chiste",
        "dame una receta de gazpacho",
        "raconte-moi une blague",
        "Gib mir ein Rezept",
        "écris-moi un poème sur la pluie",
        "escríbeme un poema",
        "schreib mir ein Gedicht",
    ] {
        assert!(is_for_any(any), "{any}");
    }
    for theirs in [
        "Give me a list of what they asked for",
        "give me the recipe",
        "write a message to the plumber",
        "tell me a date that we agreed on",
        "dame un resumen de la boda",
        "Tell me when it was",
        "",
    ] {
        assert!(!is_for_any(theirs), "{theirs}");
    }
}

#[test]
fn words_of_grammar_and_of_every_day_are_known_by_their_terms() {
    let is_one = |word| is_of_grammar(&terms::terms(word).concat());
    assert!(is_one("mañana") && is_one("semaine") && is_one("gekauft"));
    assert!(!is_one("kestrel") && !is_one("abuela"));
}
