//! German.

use super::Table;

pub(super) const GERMAN: Table = Table {
    grammar: "der die das den dem des ein eine einen einem einer eines und oder aber denn sondern doch dass ob weil wenn \
        als wie wer wen wem wessen was wo wann warum wieso weshalb wozu woher wohin womit wofür worüber worum worauf \
        woran wovon welche welcher welches welchen welchem ist sind war waren sei wäre bin bist seid gewesen wird \
        werden wurde wurden worden werde würde habe hast hat haben hatte hatten hätte kann kannst können konnte \
        könnte soll sollte sollen sollst will willst wollen wollte muss musst müssen musste darf dürfen mag möchte \
        ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen man mein meine meinen meinem meiner \
        meines dein deine deinen deinem deiner sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere \
        unseren unserem unserer euer eure nicht kein keine keinen keinem keiner auch noch nur schon so sehr mehr \
        viel viele wenig mit von vom zu zum zur bei beim nach vor für auf aus an am in im ins um über unter durch \
        gegen ohne bis seit während zwischen neben hinter da dann dort hier jetzt nun ja nein bitte mal eben \
        eigentlich etwas nichts alles alle allem allen beide jede jeder jedes jeden dies diese dieser dieses diesen \
        diesem jene derer dessen nochmal heißt heißen heiße hieß hießen wieder immer damit dafür davon dabei daran \
        darüber dazu gibt lassen lässt hallo moin servus danke klar okay gut hab habs haste hats gibts gibt's gabs \
        gab ists wars wirds gehts wieviel wieviele fürs vors übers aufs unters hinters nen ne nem sowas irgendwas \
        irgendwie irgendwo irgendwann grad gerade halt doch eh ach na naja wegen laut pro je ob überall",
    everyday: "euro prozent minute minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre \
        jahren stück nummer uhr abend abends morgen morgens mittag nacht heute gestern weiter weiteren gleich \
        gleichzeitig zuerst zuletzt erst erste ersten erster erstes zweite zweiten zweiter dritte dritten letzte \
        letzten nächste nächsten halbe halben drei vier fünf sechs sieben acht neun zehn zwölf zwei eins einmal \
        zweimal etwa rund circa genau meist meistens oft selten manchmal trotzdem deshalb außerdem sonst statt \
        anstatt obwohl sobald falls sowie gut gute guten guter gutes besser beste besten schlecht groß große großen \
        größe klein kleine kleinen lang lange länger kurz kurze neu neue neuen neuer alt alte alten ganz ganze \
        ganzen einfach schwer leicht richtig falsch wichtig möglich nötig bitte danke gern gerne hallo okay prima \
        super klar sicher wirklich natürlich vielleicht mach mache machen macht gemacht nimm nehme nehmen nimmt \
        genommen geh gehe gehen geht gegangen komm komme kommen kommt gekommen sag sage sagen sagt gesagt frag frage \
        fragen steht stehen steh stell stellen stelle leg legen setz setzen halt halten hält bring bringen brauche \
        brauchst braucht brauchen kostet kosten kauf kaufe kaufen gekauft zeig zeigen weiß wissen finde finden \
        findet gefunden bleib bleiben bleibt reicht reichen achte achten lohnt hilft helfen passt passen fehlt \
        fehlen tut tun klappt läuft laufen schick schicken schreib schreibe schreiben lies lesen darum daher dadurch \
        danach davor daraus hierfür jeweils sogar zumindest mindestens höchstens weniger mehrere einige manche \
        andere anderen anderer anderes selbst nochmal zurück oben unten innen außen links rechts vorne hinten \
        richtige überhaupt beim denn lieber spätestens teil teile sache sachen seite seiten art leute leuten dinge \
        thema fall fälle genommen geholfen half vielen gegeben geben gib gebe gibst nahm nahmen bekommen bekommt \
        bekam kriegen kriegt gekriegt hol holen holt geholt gehören gehört gemeint meinte meinen meint gesehen sehen \
        sieht gewusst wusste gefragt gestellt gesetzt gelegt gelaufen gegangen gefehlt gebraucht geworden geblieben \
        geschrieben geschickt gezeigt gebracht vorgenommen abgemacht ausgemacht vereinbart entschieden beschlossen \
        sollten wollten konnten mussten durften insgesamt zusammen bisher noch bald sofort ungefähr ziemlich \
        oh boah puh toll müde hunger langweilig lustig witz witzig hoch hohe weit tief breit dick schnell teuer montag dienstag mittwoch donnerstag freitag \
        samstag sonntag erstmal",
    own: "wir mein meine meinen meinem meiner meines unser unsere unseren unserem unserer erinnere erinnerst",
    own_phrases: &[
        "habe ich",
        "hab ich",
        "haben wir",
        "hatte ich",
        "hatten wir",
        "weiß nicht mehr",
        "nicht mehr ein",
        "vergessen",
        "du gesagt",
        "du sagtest",
        "sagtest du",
        "du empfohlen",
        "du geraten",
        "du vorgeschlagen",
        "dein rat",
        "deine empfehlung",
        "sie gesagt",
        "sie empfohlen",
        "sie geraten",
    ],
    past: "ich mich mir uns habe hast haben gestern vorgestern letzte letzten letzter letztes neulich vorhin früher \
        vorher damals schon wieder nochmal",
    told: "hat hatte hatten hattest war waren wurde wurden",
    asking: "wer wen wem wessen wo wann warum wieso weshalb weswegen wie wieviel wieviele welche welcher welches \
        welchen welchem woher wohin womit wofür worüber woran woraus worum worauf wovon wovor wodurch wogegen wonach \
        wozu",
    measuring: (
        "welche welchem welchen welcher welches wie",
        "alt breit datum dick groß hoch jahr klein lang lange monat oft schnell schwer spät tag teuer tief viel viele \
            weit woche",
    ),
    before_asking: "ab an auf aus bei bis für in mit nach ok seit um und von vor zu",
    asking_by_accent: "",
    inverted: &[
        (
            "bin bist ist sind war waren hat hast habe haben hatte hatten kann kannst können soll sollen muss müssen darf \
                dürfen wird werden wurde",
            "ich du er sie es wir ihr man das der die",
        ),
        // In a part of a sentence the verb stands last.
        (
            "wann was wen wem wer wie wo woher wohin",
            "bringt fährt geht gibt hat hatte heißt hieß holt ist kann kommt kostet liegt macht muss nimmt soll steht trägt war \
                will wird wurde zahlt",
        ),
    ],
    exclaiming: &["was für ein", "was für eine", "was für einen"],
    indirect: &[
        "fragt",
        "fragen",
        "fragte",
        "gefragt",
        "frage mich",
        "frag mich",
        "wissen",
        "weiß nicht",
        "keine ahnung",
        "vergessen",
    ],
    relative: "",
    wishes: &[
        "alles was ich",
        "alles was wir",
        "gib mir",
        "zeig mir",
        "sag mir",
        "nenn mir",
        "erinnere mich",
        "such",
        "suche",
        "liste",
        "ich brauche alle",
        "ich brauche das",
        "ich brauche den",
        "ich brauche die",
        "ich brauche eine liste",
        "ich brauche eine zusammenfassung",
        "ich brauche mein",
        "ich brauche meine",
        "ich brauche meinen",
        "ich brauche nochmal",
        "ich brauche unser",
        "ich brauche unsere",
        "ich brauche unseren",
        "ich weiß nicht mehr",
        "ich habe vergessen",
        "ich hab vergessen",
        "mir fällt",
    ],
    tasks: "antworte berechne ergänze entwirf erstell erstelle fass fasse formulier formuliere füll fülle mach mache \
        notier rechne rechn schick schicke schreib schreibe stell stelle trag trage verfass verfasse zähl zähle",
    pointing: "da dafür daran davon dazu dort er es ihm ihn ihr sie das",
    naming: "heißt hieß heißen hießen",
    advice: &[
        "wie * ich",
        "wie * man",
        "was soll ich",
        "was ist ein",
        "was ist eine",
        "was kann ich",
        "wo kann ich",
        "soll ich",
        "sollte ich",
        "kann ich",
        "darf ich",
        "können wir",
        "sollen wir",
    ],
    any: &[
        "erzähl mir ein",
        "erzähl mir eine",
        "erzähl mir einen",
        "erzähl mir was",
        "erzähl was",
        "gib mir ein",
        "gib mir eine",
        "gib mir einen",
        "gib mir irgendein",
        "sag mir ein",
        "sag mir eine",
        "sag mir einen",
        "schreib mir ein",
        "schreib mir eine",
        "schreib mir einen",
    ],
    whole: "alle allen aller jede jeden jeder liste tabelle übersicht zusammenfassung",
    polite: &["kannst du", "könntest du", "würdest du"],
    definite: "",
    has_capital_nouns: true,
};
