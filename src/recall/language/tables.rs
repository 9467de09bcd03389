//! The languages that are known, a table each. A further one costs a table and nothing else.

mod german;
mod others;

use german::GERMAN;
use others::{ARABIC, HINDI, POLISH, RUSSIAN, TURKISH};

/// The words of a language, between spaces; accents and case do not matter.
#[derive(Debug)]
pub(super) struct Table {
    /// Words that say nothing about a topic. Of English those beyond the ones that are left out of whatever is compared.
    pub(super) grammar: &'static str,
    /// Words of every day beyond these; those of English are known elsewhere.
    pub(super) everyday: &'static str,
    /// Words for what belongs to people or was done together, or for remembering.
    pub(super) own: &'static str,
    /// What says the same in several words, anywhere in a message.
    pub(super) own_phrases: &'static [&'static str],
    /// Other words by which people speak of themselves, or of what has been.
    pub(super) past: &'static str,
    /// Forms of verbs that tell of anything that has been, in encyclopedias as well.
    pub(super) told: &'static str,
    /// Words that a question begins with.
    pub(super) asking: &'static str,
    /// Words that ask, and those that behind one of them name the kind of answer alone: "how long", "what day".
    pub(super) measuring: (&'static str, &'static str),
    /// Words that may stand before these: "by when", "and who".
    pub(super) before_asking: &'static str,
    /// Words that a question begins with where only their accents tell them from words of grammar: "qué".
    pub(super) asking_by_accent: &'static str,
    /// Verbs that a question begins with, and what stands behind them there: "is the", "did you".
    pub(super) inverted: &'static [(&'static str, &'static str)],
    /// What begins like a question and, without its sign, exclaims: "what a day".
    pub(super) exclaiming: &'static [&'static str],
    /// Words behind which a question stands within a sentence: "they want to know when".
    pub(super) indirect: &'static [&'static str],
    /// Words with which a question begins, and what tells more of what was just named: ", which was late".
    pub(super) relative: &'static str,
    /// With what a wish begins that asks as a question does: "give me", "I forgot".
    pub(super) wishes: &'static [&'static str],
    /// Words that a task begins with that needs what was said: "write to", "add up".
    pub(super) tasks: &'static str,
    /// Words that stand for what was just spoken of.
    pub(super) pointing: &'static str,
    /// Verbs of questions that name nothing, where no word has to stand for what was just spoken of: "¿Cómo se llamaba?"
    pub(super) naming: &'static str,
    /// With what a question begins that asks for advice. `*` is any word that tells of nothing that has been.
    pub(super) advice: &'static [&'static str],
    /// With what a wish begins for something that need not be theirs: "tell me a".
    pub(super) any: &'static [&'static str],
    /// Words by which it is for all of theirs: "give me a list".
    pub(super) whole: &'static str,
    /// With what a question begins that asks politely, for advice or for what has been.
    pub(super) polite: &'static [&'static str],
    /// Words before what both sides know. Empty where any noun has one.
    pub(super) definite: &'static str,
    /// Nouns are written with a capital, as names are.
    pub(super) has_capital_nouns: bool,
}

/// All of them. The first is taken for what is in none of them.
pub(super) const TABLES: &[Table] =
    &[ENGLISH, GERMAN, SPANISH, FRENCH, RUSSIAN, HINDI, ARABIC, TURKISH, POLISH];

/// The words of each of them but English that say nothing about a topic, between spaces.
pub const GRAMMARS: [&str; 3] = [GERMAN.grammar, SPANISH.grammar, FRENCH.grammar];

/// The words of every day beyond these, in the same order.
pub const EVERYDAYS: [&str; 3] = [GERMAN.everyday, SPANISH.everyday, FRENCH.everyday];

const ENGLISH: Table = Table {
    grammar: "finally eventually ultimately currently nowadays anymore whats wheres whens whos hows didnt wasnt werent isnt \
        arent hadnt hasnt havent dont doesnt couldnt wouldnt shouldnt ive youve weve theyre im youre thats theres remind \
        remember",
    everyday: "ok okay lol haha hmm yeah yep yup nope ugh wow thx pls oops yay hey hi oh ah aw ooh phew mind sense \
        wrong funny fun joke bored boring tired hungry sleepy awesome amazing cute weird crazy luck glad cheers \
        goodnight",
    own: "my our ours mine we we're we've remember remind",
    own_phrases: &[
        "do i have",
        "did i",
        "have i",
        "did we",
        "have we",
        "i told you",
        "i forgot",
        "i forget",
        "can't remember",
        "don't remember",
        "did you say",
        "did you tell",
        "did you recommend",
        "did you suggest",
        "did you advise",
        "you said",
        "you told",
        "you advised",
        "you recommended",
        "you suggested",
        "you warned",
        "your advice",
    ],
    past: "i i'm i've me us last ago earlier before again ever yesterday",
    told: "did was were had been have has didn't wasn't weren't hadn't hasn't haven't didnt wasnt werent hadnt hasnt \
        havent",
    asking: "what when where which who whom whose why how did do does was were is are has have had can could \
        would didn't wasn't weren't isn't aren't didnt wasnt werent isnt arent remind tell what's whats where's wheres \
        when's whens who's whos how's hows",
    measuring: (
        "how what which",
        "big date day deep far fast heavy high kind large late long many month much often old soon sort tall thick \
            time week wide year",
    ),
    before_asking: "and at btw but by for from in ok of on since so to until with",
    asking_by_accent: "",
    inverted: &[
        (
            "is are isn't aren't does doesn't can could should would will",
            "a an the my our your their",
        ),
        (
            "am is are was were isn't aren't wasn't weren't do does did don't doesn't didn't can could should would \
                will have has had",
            "i you he she it we they there",
        ),
        (
            "what's whats where's wheres when's whens who's whos how's hows",
            "a an the my our your their his her its he she it they that this",
        ),
    ],
    exclaiming: &["what a", "what an", "have a", "have an", "have fun"],
    indirect: &[
        "to know",
        "asks",
        "asked",
        "asking",
        "ask me",
        "ask us",
        "wonder",
        "wonders",
        "wondering",
        "don't know",
        "dont know",
        "no idea",
        "not sure",
        "can't remember",
        "cant remember",
        "forgot",
        "forget",
        "tell me",
        "tell her",
        "tell him",
        "tell them",
    ],
    relative: "which who whom whose where who's whos where's wheres",
    wishes: &[
        "do me",
        "give me",
        "make me",
        "show me",
        "list",
        "find",
        "look up",
        "name all",
        "name both",
        "name every",
        "name me",
        "name the",
        "repeat",
        "i need all",
        "i need every",
        "i need her",
        "i need his",
        "i need my",
        "i need our",
        "i need that",
        "i need the",
        "i need their",
        "i need those",
        "i need to know",
        "i need a list",
        "i need a summary",
        "i forgot",
        "i forget",
        "i can't remember",
        "i don't remember",
        "please give",
        "please show",
        "pls give",
    ],
    tasks: "add calculate compile complete compose draft email fill make message note prepare put recap remind reply send sum summarise \
        summarize text write",
    pointing: "he her hers him his it its it's she that their them there they this those",
    naming: "",
    advice: &[
        "how do i",
        "how can i",
        "how should i",
        "how do you",
        "what is a",
        "what is an",
        "what's a",
        "what's an",
        "tell me a",
        "can i",
        "could i",
        "should i",
        "what should i",
        "where can i",
        "do we",
        "can we",
    ],
    any: &[
        "give me a",
        "give me an",
        "give me another",
        "give me some",
        "make me a",
        "tell me a",
        "tell me an",
        "tell me another",
        "tell me something",
        "sing me a",
        "write a",
        "write an",
        "write me a",
        "write me an",
    ],
    whole: "all breakdown each every list overview recap rundown summary table timeline",
    polite: &["can you", "could you", "would you"],
    definite: "the",
    has_capital_nouns: false,
};

const SPANISH: Table = Table {
    grammar: "el la los las un una unos unas lo al del de a en con por para sin sobre entre hasta desde hacia según \
        tras ante bajo durante y e o u ni pero sino que si porque pues como cuando donde adonde quien quienes cual \
        cuales cuanto cuanta cuantos cuantas cuyo es son era eran fue fueron ser sido soy eres somos sea está están \
        estaba estaban estar estoy estamos he has ha hemos han había habían haber hay hubo tengo tiene tienes tenemos \
        tienen tenía tener yo tú él ella ello nosotros nosotras vosotros ellos ellas usted ustedes me te se nos os le \
        les mi mis ti su sus tus nuestro nuestra nuestros nuestras este esta esto estos estas ese esa eso esos esas \
        aquel aquella aquello no ya muy más menos también tampoco solo tan tanto mucho mucha muchos muchas poco todo \
        toda todos todas otro otra otros otras mismo misma algo nada algún alguna alguien nadie cada hace hacer hago \
        hacen va voy vas vamos van ir puede puedo puedes pueden poder debe debo aquí ahí allí ahora así aún entonces \
        luego llama llaman llamo llamaba hola gracias vale bueno bien",
    everyday: "euro euros minuto minutos hora horas días semana semanas mes meses año años veces número \
        bien mal mejor peor bueno buena buenos buenas gran grande grandes pequeño pequeña nuevo nueva nuevos nuevas \
     viejo vieja primero primera segundo segunda tercero último última dos tres cuatro cinco seis siete ocho nueve \
     diez doce quince veinte treinta medio media mitad hoy ayer mañana tarde noche siempre nunca vez antes después \
     además casi sólo tal vale perfecto gracias hola claro dice decir digo di dime pregunta preguntan preguntas \
     preguntar preguntarán quiero quieres quiere querer necesito necesitas necesita necesitan necesitar saber sabe \
     sabes poner pon pone ponles usa usar uso toma tomar lleva llevar deja dejar dejo pide pedir busca buscar buscas \
     sube subir baja bajar bajo queda quedar quedarse cuesta cuestan cuestas gusta gustan gustar pasa pasar pasarse \
     significa cosa cosas parte lado forma manera tipo gente persona personas día cumple cumplir corto largo corta \
     larga verdad verdadero suele elección llamo llamar gana ganas gano mientras aunque tarda unos creo veo ver qué \
     cómo cuándo dónde cuánto cuánta cuántos cuántas quién cuál cuáles noches tardes buenas ay uy uf jaja jajaja \
     hambre sueño calor frío cansado cansada aburrido aburrida risa genial lunes martes miércoles jueves viernes \
     sábado domingo",
    own: "mi mis nuestro nuestra nuestros nuestras nosotros nosotras nos hemos recuerda recuerdas recuérdame",
    own_phrases: &[
        "me olvidé",
        "no recuerdo",
        "no me acuerdo",
        "se me olvidó",
        "dijiste",
        "me decías",
        "recomendaste",
        "recomendabas",
        "aconsejaste",
        "aconsejabas",
        "desaconsejaste",
        "desaconsejabas",
        "sugeriste",
        "tu consejo",
    ],
    past: "yo me he habíamos fui fuimos éramos estábamos tengo tenemos tenía teníamos ayer anteayer anoche antes \
        pasado pasada última último dije dijimos dijiste decidimos hicimos hice elegimos \
        compramos quedamos pusimos hablamos acordamos",
    told: "fue era eran había estaba estaban dijo",
    asking: "quién quiénes cuál cuáles cuánto cuánta cuántos cuántas recuérdame dime",
    measuring: ("cuál qué", "año clase día fecha hora mes tipo"),
    before_asking: "a con de desde en hasta ok para por y",
    asking_by_accent: "qué cómo cuándo dónde adónde",
    inverted: &[],
    exclaiming: &[
        "qué asco",
        "qué bonito",
        "qué calor",
        "qué frío",
        "qué horror",
        "qué miedo",
        "qué pena",
        "qué rabia",
        "qué rico",
        "qué risa",
        "qué sueño",
        "qué suerte",
    ],
    indirect: &[
        "pregunta",
        "preguntan",
        "preguntó",
        "preguntado",
        "saber",
        "no sé",
        "no recuerdo",
        "olvidé",
    ],
    relative: "",
    wishes: &[
        "dame",
        "dime",
        "muéstrame",
        "enséñame",
        "busca",
        "necesito",
        "no recuerdo",
        "no me acuerdo",
        "olvidé",
        "se me olvidó",
    ],
    tasks: "anota apunta calcula completa contesta envía escribe escríbele haz hazme prepara redacta rellena responde resume suma",
    pointing: "ahí allí aquello él ella ellas ellos eso ese esa",
    naming: "llama llaman llamaba llamaban era eran fue",
    advice: &[
        "cómo puedo",
        "cómo podría",
        "cómo hago",
        "qué puedo",
        "qué es un",
        "qué es una",
        "qué debo",
        "qué me pongo",
        "dónde puedo",
        "puedo",
        "podría",
        "debo",
        "debería",
        "podemos",
        "me recomiendas",
    ],
    any: &[
        "cuéntame algo",
        "cuéntame un",
        "cuéntame una",
        "dame otro",
        "dame otra",
        "dame un",
        "dame una",
        "dime algo",
        "dime un",
        "dime una",
        "escríbeme un",
        "escríbeme una",
    ],
    whole: "cada lista resumen tabla toda todas todo todos",
    polite: &["puedes", "podrías"],
    definite: "",
    has_capital_nouns: false,
};

const FRENCH: Table = Table {
    grammar: "le la les l un une des du de d au aux à a en dans par pour sans sur sous entre vers chez avec avant \
        après depuis pendant contre et ou mais donc or ni car que qu quoi qui quand comment pourquoi où quel quelle \
        quels quelles combien lequel laquelle si comme est sont était étaient suis es sommes êtes être été sera \
        serait fut ai as avons avez ont avait avaient avais avoir eu aura peut peux pouvons pouvez peuvent pouvoir \
        doit dois devons faut va vais vas allons vont aller fait fais font faire je j tu il elle on nous vous ils \
        elles me m te t se s moi toi lui leur leurs eux mon ma mes ton ta tes son sa ses notre nos votre vos ce c cet \
        cette ces ça cela ceci celui celle ceux celles y ne n pas plus moins très trop aussi encore déjà toujours \
        jamais bien peu beaucoup tout toute tous toutes autre autres même rien quelque chose chaque ici là alors puis \
        ainsi non oui appelle s'appelle appelait bonjour salut merci bon",
    everyday: "euro euros minute minutes heures jour jours semaine semaines mois an ans année années fois numéro lieu \
        bonjour merci salut parfait super bon bonne bons bonnes mieux meilleur meilleure grand grande grands petit \
     petite petits nouveau nouvelle nouvel vieux ancien ancienne premier première second seconde deuxième troisième \
     dernier dernière deux trois quatre cinq six sept huit neuf dix douze quinze vingt trente demi demie moitié hier \
     demain matin soir nuit aujourd'hui maintenant ensuite enfin alors presque environ surtout seulement chose choses \
     partie côté façon manière type gens personne personnes veux veut voulez vouloir prends prend prenez prendre mets \
     mettez mettre donne donnez donner demande demandez demander regarde regardez cherche cherchez chercher trouve \
     trouver coûte coûter coûtent suffit suffisent passe passez passer garde gardez garder ajoute ajoutez laisse \
     lavez vérifiez servir sert servi sortez choisissez comptez choix marche marchent vient venir revenir réserve \
     réservez utilise utilisez avoir besoin d'accord voilà ainsi puisque toute heure temps point pareille vont vrai \
     cela nuit bonsoir oh ah euh haha mdr faim soif sommeil chaud froid fatigué fatiguée génial lundi mardi mercredi \
     jeudi vendredi samedi dimanche",
    own: "mon ma mes notre nos nous rappelle rappelles souviens",
    own_phrases: &[
        "j'ai oublié",
        "je ne sais plus",
        "ne me souviens",
        "ai je",
        "avons nous",
        "tu as dit",
        "tu m'as dit",
        "tu disais",
        "tu as conseillé",
        "tu m'as conseillé",
        "tu as recommandé",
        "tu m'as recommandé",
        "vous avez dit",
        "vous m'avez dit",
        "vous m'avez conseillé",
        "ton conseil",
        "votre conseil",
    ],
    past: "je j j'ai j'avais me m moi ai avons avions étions hier dernier dernière derniers dernières déjà encore \
        autrefois avant",
    told: "était étaient avait avaient fut a",
    asking: "qui quoi quand comment pourquoi où quel quelle quels quelles combien lequel laquelle rappelle",
    measuring: ("quel quelle quels quelles", "an année date heure jour mois sorte taille type"),
    before_asking: "à avec dans de depuis en et jusqu'à ok par pour sur",
    asking_by_accent: "",
    inverted: &[(
        "est sont était as avez ai avons peut peux",
        "ce il elle on tu vous je nous ils elles",
    )],
    exclaiming: &["quel beau", "quelle belle", "quelle horreur", "quelle journée"],
    indirect: &["demande", "demandent", "demandé", "savoir", "sais pas", "sais plus", "oublié"],
    relative: "qui que où lequel laquelle",
    wishes: &[
        "donne moi",
        "montre moi",
        "dis moi",
        "rappelle moi",
        "liste",
        "cherche",
        "trouve",
        "j'ai besoin",
        "j'ai oublié",
        "je ne sais plus",
        "je ne me souviens",
        "il me faut",
    ],
    tasks: "additionne calcule complète écris envoie fais note prépare récapitule rédige remplis réponds résume",
    pointing: "ça cela elle elles en il ils là y lui",
    naming: "appelle appelait appellent s'appelle s'appelait",
    advice: &[
        "comment puis je",
        "comment je",
        "comment faire",
        "comment on",
        "combien font",
        "qu'est ce qu'un",
        "qu'est ce qu'une",
        "comment est ce que je",
        "que puis je",
        "où puis je",
        "puis je",
        "pouvons nous",
        "dois je",
        "devrais je",
        "est ce que je peux",
    ],
    any: &[
        "dis moi un",
        "dis moi une",
        "écris moi un",
        "écris moi une",
        "donne moi un",
        "donne moi une",
        "raconte moi un",
        "raconte moi une",
        "raconte moi quelque chose",
    ],
    whole: "chaque liste récapitulatif résumé tableau tous toute toutes",
    polite: &["peux tu", "pouvez vous", "pourrais tu", "pourriez vous"],
    definite: "",
    has_capital_nouns: false,
};
