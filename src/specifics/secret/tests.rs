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
fn what_a_sentence_a_statement_or_a_pipe_hands_over_is_told_nowhere() {
    for (text, told) in [
        ("Keep `password: geheim` in config.yml", "Keep `password: …` in config.yml"),
        ("db:\n  db_password: sesame\n  port: 5", "db:\n  db_password: …\n  port: 5"),
        ("Put password = geheimnis in the file", "Put password = … in the file"),
        ("The passphrase is sesame.", "The passphrase is …."),
        ("Das WLAN-Passwort lautet sesam", "Das WLAN-Passwort lautet …"),
        ("Le mot de passe : Soleil2024!", "Le mot de passe : …"),
        ("passphrase: correct-horse-battery-staple", "passphrase: …"),
        ("user: admin, pass: Geheim99", "user: admin, pass: …"),
        ("Use the API key 3f9a8b7c6d5e4f30a1b2", "Use the API key …"),
        ("-H 'x-goog-api-key: plainkeyvalue77'", "-H 'x-goog-api-key: …'"),
        ("The passphrase is “tide and ebb”, so", "The passphrase is “…”, so"),
        (
            "dotnet user-secrets set \"Smtp:Password\" \"Geheim99\"",
            "dotnet user-secrets set \"Smtp:Password\" \"…\"",
        ),
        ("Use hunter2 as the password there", "Use … as the password there"),
        ("Use password ‘Geheim99’ and «b»", "Use password ‘…’ and «b»"),
        ("export DB_PASSWORD=$'geheim'", "export DB_PASSWORD=$'…'"),
        (
            "echo geheim77 | docker login -u ann --password-stdin",
            "echo … | docker login -u ann --password-stdin",
        ),
        ("printf %s geheim | gh secret set KEY", "printf %s … | gh secret set KEY"),
        ("printf '%s\\n' \"ge heim\" | sudo -kS ls", "printf '%s\\n' \"…\" | sudo -kS ls"),
        ("echo 'root:geheim' | sudo chpasswd", "echo 'root:…' | sudo chpasswd"),
        ("docker login --password-stdin <<< geheim", "docker login --password-stdin <<< …"),
        ("CREATE USER a IDENTIFIED BY 'geheim';", "CREATE USER a IDENTIFIED BY '…';"),
        (
            "mysql -e \"alter user a identified with b by 'geheim'\"",
            "mysql -e \"alter user a identified with b by '…'\"",
        ),
        ("GRANT ALL ON a TO b IDENTIFIED BY 'geheim'", "GRANT ALL ON a TO b IDENTIFIED BY '…'"),
        ("ALTER ROLE app WITH PASSWORD 'geheim'", "ALTER ROLE app WITH PASSWORD '…'"),
        ("curl -su user:geheim https://a.example", "curl -su user:… https://a.example"),
        (
            "curl -sSU bob:geheim x && curl --proxy-user b:geheim",
            "curl -sSU bob:… x && curl --proxy-user b:…",
        ),
        ("curl -H 'Authorization: geheim' x", "curl -H 'Authorization: …' x"),
        ("mysql -psecret && http -a ann:geheim x", "mysql -p… && http -a ann:… x"),
        ("openssl enc -pass pass:geheim -in a", "openssl enc -pass pass:… -in a"),
        ("smbclient //srv/share -U ann%geheim", "smbclient //srv/share -U ann%…"),
        ("app:geheim@tcp(db:3306)/shop", "app:…@tcp(db:3306)/shop"),
        ("DSN=\"app:ge:heim@unix(/run/db)/shop\"", "DSN=\"app:…@unix(/run/db)/shop\""),
        ("postgres://app:pa/ss@db.example.org/shop", "postgres://app:…@db.example.org/shop"),
        (
            "https://hooks.slack.com/services/T0000000A/B0000000A/abcdEFGH1234",
            "https://hooks.slack.com/services/…",
        ),
        (
            "https://discord.com/api/webhooks/123456789/abc-DEF_ghi, too",
            "https://discord.com/api/webhooks/…, too",
        ),
    ] {
        assert_eq!(without_secrets(text), told);
    }
}

#[test]
fn what_a_program_a_row_or_an_address_takes_is_told_nowhere() {
    for (text, told) in [
        (
            "aws secretsmanager create-secret --name prod/db --secret-string geheim",
            "aws secretsmanager create-secret --name prod/db --secret-string …",
        ),
        ("gh secret set API_TOKEN --body 'geheim'", "gh secret set API_TOKEN --body '…'"),
        ("gh secret set A -b=geheim && ls -b x", "gh secret set A -b=… && ls -b x"),
        (
            "vault write auth/approle/login role_id=ab12 secret_id=9f8e7d6c-1111-2222-3333-4444",
            "vault write auth/approle/login role_id=ab12 secret_id=…",
        ),
        (
            "https://a.blob.core.windows.net/c?sv=2020&sig=abc%2Fdef123%3D",
            "https://a.blob.core.windows.net/c?sv=2020&sig=…",
        ),
        (
            "SET PASSWORD FOR 'app'@'%' = PASSWORD('geheim');",
            "SET PASSWORD FOR 'app'@'%' = PASSWORD('…');",
        ),
        (
            "INSERT INTO users (name, password) VALUES ('joe', 'geheim'), ('ann', 'ge,heim');",
            "INSERT INTO users (name, password) VALUES ('joe', '…'), ('ann', '…');",
        ),
        (
            "insert into users(api_token, id) values(crypt('geheim', f(2)), 'x')",
            "insert into users(api_token, id) values(crypt('…', f(2)), 'x')",
        ),
        (
            "keytool -genkey -storepass geheim -keypass 'geheim2' -alias app",
            "keytool -genkey -storepass … -keypass '…' -alias app",
        ),
        (r"net use Z: \\nas\share geheim /user:joe", r"net use Z: \\nas\share … /user:joe"),
        (r"net use \\nas\share /user:joe Geheim77", r"net use \\nas\share /user:joe …"),
        (
            "The admin password used to be Marsh1Mallow but now it's Pepp3rMint.",
            "The admin password used to be … but now it's ….",
        ),
        ("echo geheim | cryptsetup open /dev/sdc1 data", "echo … | cryptsetup open /dev/sdc1 data"),
        ("DB creds are app/S4lamander9", "DB creds are app/…"),
        ("credentials: joe / Gr1zzly98", "credentials: joe / …"),
        ("パスワードは Sakura99 です", "パスワードは … です"),
        ("データベースのパスワードは「Sakura99」です。", "データベースのパスワードは「…」です。"),
        ("数据库密码是Sakura99，谢谢", "数据库密码是…，谢谢"),
        ("密碼：Sakura99", "密碼：…"),
        ("비밀번호는 Sakura99 입니다", "비밀번호는 … 입니다"),
        ("wifi: SSID HomeNet, key Blu3Whale22", "wifi: SSID HomeNet, key …"),
    ] {
        assert_eq!(without_secrets(text), told);
    }
}

#[test]
fn what_is_called_a_secret_in_its_clause_and_is_random_is_told_nowhere() {
    for (text, told) in [
        (
            "The secret access key is gT5sLq2/Vn3mXw7RtY5uZp/Bc9eFgHjK4aQ1oI6s for the bucket.",
            "The secret access key is … for the bucket.",
        ),
        (
            "AWS key AKIAIOSFODNN7EXAMPLE with secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.",
            "AWS key … with secret ….",
        ),
        ("Here is the key: `wJalrXUtnFEMI/K7MDENG/bPxRfi+CYK7Y==`, ok", "Here is the key: `…`, ok"),
        (
            "Here are the keys:\n\n```\nwJalrXUtnFEMI/K7MDENG\n```",
            "Here are the keys:\n\n```\n…\n```",
        ),
        ("key: Ab3/dE5fGh7iJk9lMn1oPq3rSt5uVw7xYz9", "key: …"),
        ("{\"key\":\"Ab3/dE5fGh7iJk9lMn1oPq3rSt\"}", "{\"key\":\"…\"}"),
        ("?key=Ab3/dE5fGh7iJk9lMn1oPq3rSt==&n=1", "?key=…&n=1"),
        ("My Azure key is Zm9v/YmFyYmF6cXV4Zm9vYmFyYm+bc==.", "My Azure key is …."),
        (
            "The token that Bob uses now is eyJabc/def123456789ABCDEFG",
            "The token that Bob uses now is …",
        ),
        ("Use Vn3mXw7/RtY5uZp+Bc9eFg as the secret key.", "Use … as the secret key."),
        ("Der Schlüssel lautet Vn3mXw7/RtY5uZp+Bc9eFg", "Der Schlüssel lautet …"),
        ("secrets: Vn3mXw7/RtY5uZp+Bc9eFg, Zk9mXw7/RtY5uZp+Bc9eFg", "secrets: …, …"),
        (
            "The session cookie is sid=8f14e45fceea167a5a36dedd4bea2543",
            "The session cookie is sid=…",
        ),
        ("Cookie: session=8f14e45fceea167a5a36dedd4bea2543", "Cookie: …"),
        ("the cookie PHPSESSID=8f14e45f-ceea-167a-5a36-dedd4bea2543;", "the cookie PHPSESSID=…;"),
        ("OTP code 839201 please", "OTP code … please"),
        ("The 2FA code is 839201.", "The 2FA code is …."),
        (
            "The 2FA code for the GitHub account is 839 201",
            "The 2FA code for the GitHub account is …",
        ),
        ("Verification code: 8392", "Verification code: …"),
        ("839201 is your one-time code", "… is your one-time code"),
    ] {
        assert_eq!(without_secrets(text), told);
    }
}

#[test]
fn what_only_looks_like_a_secret_in_its_clause_is_told() {
    for text in [
        "The key is in config/keys/prod.pem and the secret in src/auth/TokenStoreV2/Keys2024.rs",
        "The token address is 7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU, see Gt5sLq2/Vn3mXw7RtY5uZp",
        "The public key is Vn3mXw7/RtY5uZp+Bc9eFg and the cache key: Vn3mXw7/RtY5uZp+Bc9eFg",
        "It is keyed. The file Vn3mXw7/RtY5uZp+Bc9eFg stays, the secret too",
        "key fingerprint SHA256:Vn3mXw7/RtY5uZp+Bc9eFg",
        "Keys:\n\nThe file is Vn3mXw7/RtY5uZp+Bc9eFg",
        "session=planning-2027 sid=20270105T103000Z session_id=8f14e45f-ceea-167a-5a36-dedd4bea2543",
        "The error code is 5003, the security code path 8392 and OTP since 2027, MFA 2027",
        "2FA for 1200 users; the code is 839201 and the zip code: 10115",
    ] {
        assert_eq!(without_secrets(text), text);
    }
}

#[test]
fn what_only_looks_like_a_secret_is_told() {
    for text in [
        "gh pr create --body 'text 77' && gh secret list && gh secret set A --body \"$A\"",
        "aws secretsmanager get-secret-value --secret-id prod/db/main --secret-string file://a.json",
        "The row has secret_id=9f8e7d6c-1111-2222-3333-4444, and keytool -storepass:env STORE_PW",
        "https://example.org/x?sig=short and keytool -storepass \"$PW\" -keystore app.jks",
        "INSERT INTO users (name, password) VALUES ($1, $2), (?, crypt(?, ?)), (:a, :b)",
        "INSERT INTO posts (name, title) VALUES ('joe', 'Geheim77'); The values ('a', 'b')",
        r"net use Z: \\nas\share /user:joe and net use Z: \\nas\share works; see \\nas\share x /user:y",
        "The password used to be stored there. The creds are in config/prod2024, credentials: a/b",
        "The creds are kept in vault/Prod2024x. The WLAN key length is 256 bits, wifi key rotation2",
        "パスワードは8文字以上です。パスワードは SHA256 でハッシュ化。密码是 DB_PASSWORD 的值。비밀번호는 bcrypt12 로",
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
        "password: required, password: string; the password is wrong. The passphrase is too short",
        "The password is long.\nThe password is stored.\npassword: encrypted\npassword: at least one digit",
        "Click on password \"Show\", identified by 'id', ordered by 'password'",
        "gcloud secrets versions access latest --secret=db-password",
        "gcloud run deploy --set-secrets=API_KEY=api-key:latest --update-secrets DB_PASS=db-pass:2",
        "helm upgrade app . --set auth.existingSecret=app --set auth.existingSecret=appAuth2",
        "secretName: app-tls\nsecret=\"app-tls\" docker build --secret id=npm_token,src=.npmrc .",
        "token: TokenKind::Ident2, secret: V1Secret, token = next_token(), token=next_token",
        "connect(user=user, password=db_password, token=cfg.authToken) password=$DB_PASSWORD",
        "if_token: Token![if], password: Optional[HiddenText] = None, token = parts[1], key_pass: u32",
        "We set the user password 'at least 8', and create rows identified by 'id'",
        "{ password: formData.password, token: userToken, password: values.password! }",
        "There is a password to remove and a secret: !vault; secret: !!binary abc",
        "let mut cookie: i32 = 0; Access-Control-Allow-Credentials: true",
        "<input type=\"password\" name=\"password\" id=\"pw1\">",
        "token=\"bearer\" --- PASS: TestLogin2 (0.00s)",
        "echo $TOKEN | docker login --password-stdin; echo done | grep password",
        "npm_config_python3_path and npm_package_version_2 and hvs.example.org/page-12345678",
        "https://example.org:8080/users/@ann and https://discord.com/api/webhooks",
        "We restart at 12345678:AAA and curl -sS -u ann https://a.example",
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

#[test]
fn the_keys_of_services_are_known_by_their_forms() {
    let random = "3xFfGF0abcDEF1234567890abcDEF1234567890xyz";
    let hook = "12345678:AA";
    for (begin, length) in [
        ("AGE-SECRET-KEY-1", 40),
        ("AIzaSy", 33),
        ("ATATT3", 40),
        ("dop_v1_", 40),
        ("glpat-", 20),
        ("hvs.", 24),
        ("lin_api_", 40),
        ("npm_", 36),
        ("rk_live_", 24),
        ("sbp_", 40),
        ("shpat_", 32),
        ("sk_live_", 24),
        ("xoxa-", 24),
        ("xoxb-", 24),
        ("xoxp-", 24),
        ("ya29.", 40),
    ] {
        let text = format!("take {begin}{}, please", &random[..length]);
        assert_eq!(without_secrets(&text), "take …, please", "{begin}");
    }
    let bot = format!("{hook}{}", &random[..33]);
    assert_eq!(without_secrets(&bot), "12345678:…");
    let address = format!("https://api.telegram.org/bot{bot}/getMe");
    assert_eq!(without_secrets(&address), "https://api.telegram.org/bot12345678:…/getMe");
    let discord = format!("MTE5OTk5OTk5OTk5OTk5OTk5OQ.GabcDe.{}", &random[..27]);
    assert_eq!(without_secrets(&discord), "…");
}
