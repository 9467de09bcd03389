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

/// One of the dozen nouns that the topic with this number is talked about in. Two topics have two of them in common at
/// most, so long as there are not many more than a hundred and sixty topics: whoever has talked about all nouns takes
/// every 31st of them, then every 31st of those.
pub(super) fn noun(topic: usize, at: usize) -> &'static str {
    /// A prime number, so that every step leads to each noun once.
    const NOUNS_USED: usize = 257;
    const STEP: usize = 31;
    let of_round = NOUNS_USED / OF_A_TOPIC;
    let step = (0..topic / of_round).fold(1, |step, _| step * STEP % NOUNS_USED);
    NOUNS[(topic % of_round * OF_A_TOPIC + at % OF_A_TOPIC) * step % NOUNS_USED]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn two_topics_have_two_nouns_in_common_at_most() {
        let of = |topic| (0..OF_A_TOPIC).map(move |at| noun(topic, at)).collect::<BTreeSet<_>>();
        let topics: Vec<BTreeSet<&str>> = (0..165).map(of).collect();
        for (nth, one) in topics.iter().enumerate() {
            assert_eq!(one.len(), OF_A_TOPIC);
            assert!(topics[..nth].iter().all(|other| one.intersection(other).count() <= 2));
        }
    }
}
