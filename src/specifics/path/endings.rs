//! What tells a path from other words: endings of files, usual directories, and what only looks like one.

use crate::specifics::words::Words;

/// Endings of files.
pub(super) static ENDINGS: Words = Words::new(
    "7z aac ai apk asm avi avif bak bash bat bib bin blend blg bmp bz2 c cc cert cfg class cmake \
     cmd conf config cpp cr2 cs csproj css csv cue cxx dart dat db deb diff dll dmg doc docx dot \
     dump dwg dxf eml env epub erl ex exe exs fdx flac fs gif go gpx gql gradle graphql gz h hcl \
     heic hpp hs htm html ics img indd ini ipynb iso jar java jl jpeg jpg js json jsonl jsx key \
     keynote kml kt kts ldif less lock log lua m4a m4v map md mdx mjs mk mkv mm mobi mov mp3 mp4 \
     mpg msg msi nef nix numbers odp ods odt ofx ogg old orig otf out pages parquet patch pbxproj pdb pdf \
     pem pfx php pickle pkl pl plist png po podspec ppt pptx properties proto ps1 psd py pyc pyi qif qml r \
     raw rb rpm rs rst rtf sass sav scala scriv scss service sh sln snap so sock socket sol sql sqlite \
     sqlite3 srt svelte svg swift swp tar tex tf tfvars tgz tif tiff timer tmp toml tpl ts tsv tsx \
     ttf txt vb vbs vcf vtt vue war wasm wav webm webp woff woff2 wxs xcconfig xcf xls xlsm xlsx xml xsd xz \
     yaml yml zig zip zsh zst",
);

/// Files that are known without an ending.
pub(super) static FILES: Words = Words::new(
    "Brewfile CMakeLists.txt CODEOWNERS Caddyfile Cartfile Containerfile Dockerfile Fastfile Gemfile Jenkinsfile Justfile \
     Makefile Pipfile Podfile Procfile Rakefile Snakefile Tiltfile Vagrantfile authorized_keys crontab justfile known_hosts",
);

/// Files that begin with a dot.
pub(super) static DOTFILES: Words = Words::new(
    ".babelrc .bash_history .bash_profile .bashrc .clang-format .dockerignore .editorconfig .env \
     .env.development .env.local .env.production .eslintrc .eslintrc.json .gitattributes .gitconfig \
     .gitignore .gitlab-ci.yml .gitmodules .htaccess .inputrc .netrc .npmrc .nvmrc .pgpass \
     .pre-commit-config.yaml .prettierrc .profile .python-version .tmux.conf .tool-versions .vimrc \
     .zshrc",
);

/// Names with which relative paths begin.
pub(super) static DIRECTORIES: Words = Words::new(
    ".github api app apps archive assets backend backup backups bench benches bin build cmd \
     components conf config configs content core crates data db desktop dev dist doc docs documents \
     downloads drafts etc example examples fixtures frontend home images img include infra internal \
     invoices k8s lib libs log logs manuscript migrations models modules node_modules notebooks \
     notes out packages pages photos pictures pkg plugins projects prompts proto public receipts \
     res resources routes scripts server services share spec specs src static storage styles target \
     templates test tests themes tmp tools usr utils var vendor views web website",
);

/// First parts of media types: `application/json` is no path.
pub(super) const MEDIA: &[&str] =
    &["application", "text", "image", "audio", "video", "multipart", "font", "message", "model"];

/// Libraries that are called like script files.
pub(super) static LIBRARIES: Words = Words::new(
    "alpine angular backbone chart d3 day discord electron ember express knockout moment nest next \
     node nuxt p5 plotly react require socket solid tensorflow three vue",
);

/// Objects whose fields look like endings: `process.env`, `console.log`.
pub(super) static OBJECTS: Words = Words::new(
    "app.state console context ctx e e.g event i.e import.meta logger math np process req request \
     res response s3 self this window",
);
