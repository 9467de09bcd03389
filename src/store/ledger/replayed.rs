//! The prices of a session that was replayed: no server charged them, so the bill tells them itself.

use std::path::Path;

use serde_json::{Value, json};

use crate::bill::{CacheKind, Money, Prices};
use crate::store::Error;
use crate::store::disk::appender::Appender;
use crate::store::disk::paths::Paths;
use crate::store::record::text;

/// Keeps the prices at which a session that nobody has open was replayed. Its bill is told at them until a model
/// of a server answers in it.
///
/// # Errors
/// The bill cannot be written.
pub fn keep_prices(dir: &Path, prices: &Prices) -> Result<(), Error> {
    let paths = Paths::new(dir);
    let mut bill = Appender::open(&paths.bill(), &paths.disk, &mut Vec::new())?;
    bill.append(format!("{}\n", line(prices)).as_bytes()).map(drop)
}

fn line(prices: &Prices) -> Value {
    let Prices { cached, write, output, cache, least, money } = prices;
    let money = money.as_ref().map(
        |Money { per_million, currency }| json!({ "per_million": per_million, "currency": currency }),
    );
    let cache = cache.as_str();
    json!({ "prices": {
        "cached": cached, "write": write, "output": output, "cache": cache, "least": least, "money": money,
    } })
}

/// The prices that a line tells, if it tells any.
pub(super) fn prices(line: &Value) -> Option<Prices> {
    let told = line.get("prices")?;
    let price = |of: &Value, key: &str| of.get(key)?.as_f64().filter(|price| *price >= 0.0);
    let money = |of: &Value| {
        Some(Money { per_million: price(of, "per_million")?, currency: text(of.get("currency")?)? })
    };
    Some(Prices {
        cached: price(told, "cached")?,
        write: price(told, "write")?,
        output: price(told, "output")?,
        cache: CacheKind::from_word(told.get("cache")?.as_str()?)?,
        least: told.get("least").and_then(Value::as_u64).unwrap_or(0),
        money: told.get("money").and_then(money),
    })
}
