//! The words that made-up conversations are made of.

use std::sync::LazyLock;

/// How many of the nouns a topic is talked about in.
const OF_A_TOPIC: usize = 12;

/// Words of any talk, some of them rather technical.
pub(super) static COMMON: LazyLock<Vec<&str>> = LazyLock::new(|| {
    words_of(
        "the system needs a plan for storing every record before night falls while users watch \
    progress and engineers check each value again because some paths fail when the network drops packets under \
    heavy load and nobody noticed until the report arrived with numbers that did not add up at all so we changed \
    the order of steps and tried another approach with smaller batches clear names and better tests around the \
    edges of the parser which means that most people will only see one short message instead of three long ones \
    if you want to keep it simple start from what is known then write down what remains open and ask again",
    )
});

/// Words that every talk is full of, whatever it is about.
pub(super) static EVERYDAY: LazyLock<Vec<&str>> = LazyLock::new(|| {
    words_of(
        "the of and to in it is that was for on with as they at be this from have or had by but what some we can \
    out other were all there when use your how said an each she which do their time if will way about many then \
    them would so these her long make thing see him two has look more day could go come did no most who over know \
    than first been people down side now find any new work part take get place made where after back little only \
    round year came show every good give our under very through just much before line right too mean old same tell \
    set three want well also end put even here must big such why ask went need different again off away still should \
    found between never last let thought few while might next seem together enough often always",
    )
});

/// Nouns, of which every topic has a dozen; see [`noun`].
static NOUNS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    words_of(
        "anchor apron arch axle badge balcony barn barrel basin beam bench bicycle blanket bolt bonnet bottle bracket \
    bridge brook broom bucket buckle bulb cabin cable candle canoe canvas carpet cart cellar ceramic chain chalk \
    charcoal chimney chisel cider clay cliff clock cobbler coil collar column cork corridor cradle crane crate cushion \
    dagger dairy dam dough drain drawer drill drum dune easel elbow engine envelope fabric falcon faucet feather fence \
    fiddle filter flask flour flute foam fog forge fountain frame freight fuel funnel furnace gallery gate gauge gear \
    ginger glove glue goat granite gravel grill hammer handle hatch hay hedge helmet hinge honey hook horn hose inn \
    iron ivory jacket jar jetty juice kayak kettle kiln kite knob ladder lamp lane latch leather ledge lemon lens lever \
    lid lime linen lobby locker loft loom magnet mantle maple marble mast mattress mill mint mirror moss motor mule \
    mustard nail napkin needle net nettle nozzle oak oar oven paddle panel parcel pasture peach pearl pebble pedal \
    pepper piano pier pillar pillow pine pipe plank plaster plough plum pocket pond porch pottery pulley pump rack raft \
    rail rake ramp razor reef ribbon ridge rivet roof rope rudder saddle salmon sand sauce saw scaffold scarf screw \
    seed shelf shovel silk siren skillet slate sledge soap socket spade spice spindle spoon spruce stable stair statue \
    steam steel stove straw string sugar swing syrup tablet tank tarp teapot tent thread tile timber toast tower tractor \
    tray trellis trunk tube tunnel valve varnish vase veil velvet vinegar wagon walnut wax wheel whistle willow winch \
    wire wool yarn zinc",
    )
});

/// Beginnings and ends of the names of topics: 16 * 16 pairs.
pub(super) static FIRST: LazyLock<Vec<&str>> = LazyLock::new(|| {
    words_of(
        "harbour garden invoice lantern orchard compass saddle violin glacier bakery turbine \
    archive meadow ferry quarry beacon",
    )
});
/// See [`FIRST`].
pub(super) static SECOND: LazyLock<Vec<&str>> = LazyLock::new(|| {
    words_of(
        "survey budget migration schedule outage recipe contract repair inventory election \
    festival translation insurance telescope aquarium railway",
    )
});

fn words_of(text: &'static str) -> Vec<&'static str> {
    text.split_whitespace().collect()
}

/// One of several words, counted round.
pub(super) fn pick(words: &LazyLock<Vec<&'static str>>, at: usize) -> &'static str {
    words[at % words.len()]
}

/// How many words there are that topics are talked about in: a prime number, so that every step leads to each once.
const TOPICAL: usize = 2_053;

/// Words like "bookshelf", each of two nouns.
static COMPOUNDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of = |nth: usize| pick(&NOUNS, nth);
    let second = |nth: usize| of(nth / NOUNS.len() * 37 + nth * 3 + 11);
    (0..TOPICAL).map(|nth| format!("{}{}", of(nth), second(nth))).collect()
});

/// One of the dozen words that the topic with this number is talked about in, drawn from all of them: two topics have
/// one in common now and then, however many topics there are.
pub(super) fn noun(topic: usize, at: usize) -> &'static str {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let drawn = (topic as u64 + 1).wrapping_mul(FACTOR).rotate_left(32).wrapping_mul(FACTOR);
    let below = |bits: u64, end: usize| (bits & 0xffff_ffff) as usize % end;
    let (first, step) = (below(drawn, TOPICAL), 1 + below(drawn >> 32, TOPICAL - 1));
    &COMPOUNDS[(first + at % OF_A_TOPIC * step) % TOPICAL]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn topics_have_words_of_their_own_of_which_few_come_round() {
        let all: BTreeSet<&String> = COMPOUNDS.iter().collect();
        assert_eq!(all.len(), TOPICAL);
        let of = |topic| (0..OF_A_TOPIC).map(move |at| noun(topic, at)).collect::<BTreeSet<_>>();
        let topics: Vec<BTreeSet<&str>> = (0..160).map(of).collect();
        assert!(topics.iter().all(|words| words.len() == OF_A_TOPIC));
        let shared = |nth: usize| {
            let earlier = topics[..nth].iter();
            earlier.map(|other| topics[nth].intersection(other).count()).sum::<usize>()
        };
        let late: usize = (80..160).map(shared).sum();
        assert!(
            (200..1_200).contains(&late),
            "each of the late ones has some in common with earlier ones: {late}"
        );
    }
}
