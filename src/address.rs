//! The address of a server as people write it, cut into its parts, none of which is changed.
//!
//! It need not be whole: `box:8080`, `[::1]` and what `OLLAMA_HOST` holds are cut as well, and so is what names a server on
//! the screen. Where a request goes is read by the library that sends it.

/// The parts of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address<'a> {
    /// What stands before `://`.
    pub scheme: Option<&'a str>,
    /// Name and password, before the last `@` that may end them.
    pub user: Option<&'a str>,
    /// Host and port.
    pub server: &'a str,
    /// All behind them, from its `/`, `?` or `#` on.
    pub rest: &'a str,
}

impl<'a> Address<'a> {
    /// Cuts an address; any text is one.
    pub fn of(text: &'a str) -> Self {
        let (scheme, bare) = match text.split_once("://") {
            Some((scheme, bare)) => (Some(scheme), bare),
            None => (None, text),
        };
        let (authority, rest) = bare.split_at(end_of_server(bare));
        let (user, server) = match authority.rsplit_once('@') {
            Some((user, server)) => (Some(user), server),
            None => (None, authority),
        };
        Self { scheme, user, server, rest }
    }

    /// The host, in its brackets where it has some.
    pub fn host(&self) -> &'a str {
        self.parted().0
    }

    /// The port, where it names one that can be.
    pub fn port(&self) -> Option<u16> {
        self.parted().1?.parse().ok()
    }

    fn parted(&self) -> (&'a str, Option<&'a str>) {
        match self.server.rsplit_once(':') {
            // The colons in brackets are the host's own.
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (self.server, None),
        }
    }

    /// The path, without a slash at its end and without what is asked of it.
    pub fn path(&self) -> &'a str {
        self.rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/')
    }

    /// Whether a name or a password stands in it.
    pub fn holds_user(&self) -> bool {
        self.user.is_some_and(|user| !user.is_empty())
    }
}

/// Where host and port end. A password may hold the sign that ends them elsewhere: no port has letters.
fn end_of_server(bare: &str) -> usize {
    let ends = ['/', '?', '#'];
    let end = bare.find(ends).unwrap_or(bare.len());
    let authority = &bare[..end];
    let is_no_port =
        |port: &str| !port.contains(']') && port.contains(|c: char| !c.is_ascii_digit());
    let is_cut = !authority.contains('@')
        && authority.rsplit_once(':').is_some_and(|(_, port)| is_no_port(port));
    match bare.rfind('@').filter(|_| is_cut) {
        Some(at) => bare[at..].find(ends).map_or(bare.len(), |end| at + end),
        None => end,
    }
}

/// Why an address that holds a name or a password is refused, and what to do, behind the words for that address.
pub const HOLDS_USER: &str = "holds a user name or password, and an address is no secret: take it out, and let \
                              api_key_env name the variable of a key, or write the header that the server wants below \
                              [providers.NAME]";

/// The text without the `user:password@` of an address in it, nor the values of a query that may be keys.
pub fn without_password(text: &str) -> String {
    const SECRETS: [&str; 5] = ["auth", "key", "pass", "secret", "token"];
    let Some((address, query)) = text.split_once('?') else { return without_user(text) };
    let masked = query.split('&').map(|part| match part.split_once('=') {
        Some((name, _)) if SECRETS.iter().any(|one| name.to_lowercase().contains(one)) => {
            format!("{name}=***")
        }
        _ => part.to_owned(),
    });
    format!("{}?{}", without_user(address), masked.collect::<Vec<_>>().join("&"))
}

fn without_user(text: &str) -> String {
    match Address::of(text) {
        Address { scheme: Some(scheme), user: Some(_), server, rest } => {
            format!("{scheme}://***@{server}{rest}")
        }
        Address { scheme: Some(_), .. } => text.to_owned(),
        Address { scheme: None, .. } => {
            // Without one, or with one mistyped, it is no address and yet holds a password.
            let user = text.rfind('@').filter(|at| text[..*at].contains(':'));
            user.map_or_else(|| text.to_owned(), |at| format!("***{}", &text[at..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scheme, user, host, port and path of an address.
    fn cut(text: &str) -> (&str, &str, &str, Option<u16>, &str) {
        let address = Address::of(text);
        let (scheme, user) = (address.scheme.unwrap_or("-"), address.user.unwrap_or("-"));
        (scheme, user, address.host(), address.port(), address.path())
    }

    #[test]
    fn an_address_is_cut_at_its_own_signs_and_nowhere_else() {
        for (text, parts) in [
            ("https://api.test", ("https", "-", "api.test", None, "")),
            ("https://api.test/v1/", ("https", "-", "api.test", None, "/v1")),
            ("http://box:8080/v1", ("http", "-", "box", Some(8080), "/v1")),
            ("http://box:80/v1//?a=b/c#d", ("http", "-", "box", Some(80), "/v1")),
            ("http://box?at=me@there:9", ("http", "-", "box", None, "")),
            ("http://box/@me:9", ("http", "-", "box", None, "/@me:9")),
            ("http://[::1]", ("http", "-", "[::1]", None, "")),
            ("http://[::1]:8080/v1", ("http", "-", "[::1]", Some(8080), "/v1")),
            ("http://me:pw@[::1]:8080", ("http", "me:pw", "[::1]", Some(8080), "")),
            ("https://a.test:443@b.test/", ("https", "a.test:443", "b.test", None, "")),
            ("http://me:p@w@box", ("http", "me:p@w", "box", None, "")),
            ("http://me:p/w?@box/v1", ("http", "me:p/w?", "box", None, "/v1")),
            ("http://box:9/@me:b", ("http", "-", "box", Some(9), "/@me:b")),
            ("http://box:99999", ("http", "-", "box", None, "")),
            ("http://box:port", ("http", "-", "box", None, "")),
            ("box", ("-", "-", "box", None, "")),
            ("box:9", ("-", "-", "box", Some(9), "")),
            ("[::1]:9/v1", ("-", "-", "[::1]", Some(9), "/v1")),
            ("me:pw@box/v1", ("-", "me:pw", "box", None, "/v1")),
            (":9", ("-", "-", "", Some(9), "")),
            ("", ("-", "-", "", None, "")),
        ] {
            assert_eq!(cut(text), parts, "{text:?}");
        }
        let whole = Address::of("http://me:pw@box:9/v1?a=b");
        assert_eq!((whole.server, whole.rest), ("box:9", "/v1?a=b"));
        assert!(whole.holds_user() && !Address::of("http://@box").holds_user());
    }

    #[test]
    fn a_password_is_blotted_out_of_whatever_may_be_an_address() {
        for (text, shown) in [
            ("http://me:pw@box:9/v1/", "http://***@box:9/v1/"),
            ("http://me@box", "http://***@box"),
            ("http://me:p@w@box", "http://***@box"),
            ("http://me:p/w@box/v1", "http://***@box/v1"),
            ("http:/me:p/w@box", "***@box"),
            ("me:pw@box", "***@box"),
            ("me@box", "me@box"),
            ("http://box/@v1", "http://box/@v1"),
            ("http://me:pw@box?Api-Key=k&v=2", "http://***@box?Api-Key=***&v=2"),
            ("what? a token", "what? a token"),
        ] {
            assert_eq!(without_password(text), shown, "{text:?}");
        }
    }
}
