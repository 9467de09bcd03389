use super::super::{Kind, Report, extract};
use super::*;

#[test]
fn a_secret_is_told_nowhere() {
    for (text, told) in [
        (
            "export OPENAI_API_KEY=sk-proj-AbCdEf0123456789 && make",
            "export OPENAI_API_KEY=… && make",
        ),
        ("npm publish --tag sk-proj-AbCdEf0123456789", "npm publish --tag …"),
        (
            "curl -H \"Authorization: Bearer abcdef1234567890\" https://a.example",
            "curl -H \"Authorization: Bearer …\" https://a.example",
        ),
        ("curl -H 'Authorization: Basic dXNlcg==' x", "curl -H 'Authorization: Basic …' x"),
        ("curl -H 'X-Api-Key: abc123' x", "curl -H 'X-Api-Key: …' x"),
        ("curl -H 'Cookie: sid=abc; id=2' x", "curl -H 'Cookie: …' x"),
        ("curl -u admin:S3cret x", "curl -u admin:… x"),
        (
            "curl https://a.example \\\n  -H 'a: b' \\\n  -u admin:S3cret",
            "curl https://a.example \\\n  -H 'a: b' \\\n  -u admin:…",
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nMIIEvQ==\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----",
        ),
        ("curl --user=admin:S3cret x", "curl --user=admin:… x"),
        ("PGPASSWORD=hunter42x psql -h db", "PGPASSWORD=… psql -h db"),
        ("PGPASSWORD='two words' psql", "PGPASSWORD='…' psql"),
        ("docker run -e POSTGRES_PASSWORD=geheim pg", "docker run -e POSTGRES_PASSWORD=… pg"),
        ("mysql -u root -pS3cretPw99 app", "mysql -u root -p… app"),
        ("docker exec db mysqldump -psecret app", "docker exec db mysqldump -p… app"),
        ("sshpass -p geheim ssh -p 2222 host", "sshpass -p … ssh -p 2222 host"),
        ("docker login -u ann -p geheim", "docker login -u ann -p …"),
        ("redis-cli -a geheim ping", "redis-cli -a … ping"),
        ("gh auth --with --token geheim", "gh auth --with --token …"),
        ("app --password=geheim --db-password 'a b'", "app --password=… --db-password '…'"),
        ("-d '{\"user\":\"a\",\"password\":\"b c\"}'", "-d '{\"user\":\"a\",\"password\":\"…\"}'"),
        ("\"clientSecret\": \"abc\", \"n\": 1", "\"clientSecret\": \"…\", \"n\": 1"),
        ("postgres://admin:S3cretPw@db.example.org/app", "postgres://admin:…@db.example.org/app"),
        (
            "https://a.example/x?id=1&access_token=abc-d&n=2",
            "https://a.example/x?id=1&access_token=…&n=2",
        ),
        ("https://ghp_abcdefgh0123456789@github.com/a/b", "https://…@github.com/a/b"),
        ("The password is hunter2, and so on", "The password is …, and so on"),
        ("The password for the admin is **Hunter!x**.", "The password for the admin is **…**."),
        ("Das Passwort lautet `hunter2`.", "Das Passwort lautet `…`."),
        ("The password: Tr0ub4dor&3 ; and", "The password: … ; and"),
        ("Log in as root, password hunter2x!", "Log in as root, password …"),
        ("The PIN is 4711.", "The PIN is …."),
        ("The token is 3f9a8b7c6d5e4f30 there", "The token is … there"),
        ("see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4 there", "see … there"),
    ] {
        assert_eq!(without_secrets(text), told);
    }
}

#[test]
fn what_only_looks_like_a_secret_is_told() {
    for text in [
        "app --password-file /run/secrets/db -p 8080 --max-tokens 512",
        "mkdir -p dir && mysql -p app && mysql -u root -p$PASS",
        "curl -H \"Authorization: Bearer $TOKEN\" -u \"$USER:$PASS\" https://user@host/x",
        "PGPASSWORD=$PGPASSWORD psql; PASSWORD=\"${DB_PASSWORD}\" make",
        "password=<your password>, token={{ token }}, API_KEY=YOUR_API_KEY",
        "SSH_KEY=~/.ssh/id_ed25519 SECRET_FILE=/run/s token=$(cat token)",
        "max_tokens=512, token: 24h, TOKEN_LIMIT=4096, Pass: 12, fail: 3, pass: 100%",
        "The password is stored in the vault. The password is hashed with sha256.",
        "The password is 12 characters long; the password is 12-character, password bcrypt12",
        "The secret is db-credentials-2 and the token is refresh_token",
        "the LED pin is GPIO21, the primary key is user_id_2, key: refunds:v2",
        "pip install sk-learn-contrib-tools; the --token flag to use with 3 hosts",
        "token = get_token(2); password = os.environ[\"X1\"]; password: string; token: required 2",
        "https://example.org/12:30/@ann?page_token=2&key=title postgres://user:$PW@db",
        "kubectl create secret generic db-pass-1 --from-file=key.txt",
        "use crate::secret::Secret; fn release(token: RawRestoreState, key: u8, password: SecretString)",
        "pub api_key: Option<Secret>, const BYTES_OF_TOKEN: u64 = 1; super::token::{COLON, DOT2}",
        "fetch(url, { credentials: \"same-origin\", token: 'Bearer' })",
        "Basic auth: see https://a.example/b:c@d and Authorization: required",
    ] {
        assert_eq!(without_secrets(text), text);
    }
}

#[test]
fn what_is_lifted_holds_no_secret_and_is_known_again() {
    let secrets = ["hunter2", "hunter42x", "eyJ", "S3cretPw", "abcdef1234567890"];
    for text in [
        "The password is hunter2 and the port is 8443.",
        "```sh\nPGPASSWORD=hunter42x psql -h db -U app\n```",
        "We decided to use the password hunter42x for the test database.",
        "token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "It runs at postgres://admin:S3cretPw@db.example.org:5432/app",
        "Run `curl -H \"Authorization: Bearer abcdef1234567890\" https://api.example.org/v1/x`.",
    ] {
        let found = extract([text]);
        let tells = |one: &str| found.iter().any(|found| found.text.contains(one));
        assert!(!secrets.into_iter().any(tells), "{found:?}");
        let missing = Report::of(&found, text).missing;
        assert!(missing.iter().all(|one| one.kind == Kind::Decision), "{missing:?}");
    }
}
