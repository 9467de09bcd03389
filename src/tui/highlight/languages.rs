//! The languages that are known, one row each.

/// A pair of quotes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether a backslash takes the next sign's meaning away.
    pub(super) escapes: bool,
    /// Whether the text may go on in the next line.
    pub(super) spans_lines: bool,
    /// Whether it holds one character, and stands for something else otherwise.
    pub(super) one_character: bool,
}

/// What a language looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Words and signs.
    Words,
    /// Keys before a colon or an equals sign.
    Settings,
    /// Quoted keys before a colon.
    Json,
    /// Tags and text.
    Markup,
    /// Lines that were added and removed.
    Diff,
}

/// One language.
#[derive(Debug)]
pub(super) struct Language {
    pub(super) names: &'static [&'static str],
    pub(super) shape: Shape,
    pub(super) line_comments: &'static [&'static str],
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// Longer quotes before shorter ones that they begin with.
    pub(super) quotes: &'static [Quote],
    /// Between spaces.
    pub(super) keywords: &'static str,
    pub(super) ignores_case: bool,
}

const fn quote(sign: &'static str) -> Quote {
    Quote { open: sign, close: sign, escapes: true, spans_lines: false, one_character: false }
}

const fn long(sign: &'static str) -> Quote {
    Quote { spans_lines: true, ..quote(sign) }
}

const fn raw(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, escapes: false, spans_lines: true, one_character: false }
}

const PLAIN: &[Quote] = &[quote("\""), quote("'")];
const WITH_BACKTICKS: &[Quote] = &[quote("\""), quote("'"), long("`")];
const C_COMMENT: Option<(&str, &str)> = Some(("/*", "*/"));

const NOTHING: Language = Language {
    names: &[],
    shape: Shape::Words,
    line_comments: &[],
    block_comment: None,
    quotes: PLAIN,
    keywords: "",
    ignores_case: false,
};

/// With comments as in C.
const LIKE_C: Language = Language { line_comments: &["//"], block_comment: C_COMMENT, ..NOTHING };

/// With comments as in a shell.
const LIKE_SHELL: Language = Language { line_comments: &["#"], ..NOTHING };

/// Every language that is known.
pub(super) static LANGUAGES: &[Language] = &[
    Language {
        names: &["rust", "rs"],
        quotes: &[
            raw("r#\"", "\"#"),
            raw("r\"", "\""),
            long("\""),
            Quote { one_character: true, ..quote("'") },
        ],
        keywords: "as async await break const continue crate dyn else enum extern false fn for if impl \
                   in let loop match mod move mut pub ref return self Self static struct super trait \
                   true type unsafe use where while",
        ..LIKE_C
    },
    Language {
        names: &["python", "py", "python3"],
        quotes: &[long("\"\"\""), long("'''"), quote("\""), quote("'")],
        keywords: "False None True and as assert async await break case class continue def del elif \
                   else except finally for from global if import in is lambda match nonlocal not or \
                   pass raise return self try while with yield",
        ..LIKE_SHELL
    },
    Language {
        names: &["javascript", "js", "jsx", "mjs", "typescript", "ts", "tsx"],
        quotes: WITH_BACKTICKS,
        keywords: "abstract any as async await boolean break case catch class const continue declare \
                   default delete do else enum export extends false finally for from function if \
                   implements import in instanceof interface let namespace new null number of private \
                   protected public readonly return static string super switch this throw true try type \
                   typeof undefined var void while yield",
        ..LIKE_C
    },
    Language {
        names: &["c", "h", "cpp", "c++", "cc", "hpp", "cxx"],
        keywords: "#define #include auto bool break case catch char class const constexpr continue \
                   default delete do double else enum extern false float for goto if inline int long \
                   namespace new nullptr operator override private protected public return short signed \
                   sizeof static struct switch template this throw true try typedef typename union \
                   unsigned using virtual void volatile while",
        ..LIKE_C
    },
    Language {
        names: &["java", "kotlin", "kt", "csharp", "cs", "c#", "swift", "scala", "dart"],
        quotes: &[long("\"\"\""), quote("\""), quote("'")],
        keywords: "abstract as async await boolean break byte case catch char class const continue \
                   default do double else enum extends false final finally float for foreach fun func \
                   get guard if implements import in init int interface internal is let long namespace \
                   new nil null object override package private protected protocol public readonly \
                   record return sealed self set short static string struct super switch this throw \
                   throws true try using val var void when where while yield",
        ..LIKE_C
    },
    Language {
        names: &["go", "golang"],
        quotes: &[quote("\""), quote("'"), raw("`", "`")],
        keywords: "any bool break byte case chan const continue default defer else error fallthrough \
                   false float64 for func go goto if import int int64 interface map nil package range \
                   return rune select string struct switch true type var",
        ..LIKE_C
    },
    Language {
        names: &["ruby", "rb", "elixir", "ex", "exs", "crystal"],
        keywords: "alias and begin break case class def defmodule do else elsif end ensure false fn for \
                   if in module next nil not or raise redo require rescue retry return self super then \
                   true unless until when while yield",
        ..LIKE_SHELL
    },
    Language {
        names: &["php"],
        line_comments: &["//", "#"],
        keywords: "abstract array as break case catch class const continue echo else elseif extends \
                   false final fn for foreach function if implements instanceof interface match \
                   namespace new null private protected public readonly return static switch throw \
                   trait true try use while yield",
        ..LIKE_C
    },
    Language {
        names: &["bash", "sh", "shell", "zsh", "fish", "console", "dockerfile", "make", "makefile"],
        quotes: &[long("\""), Quote { escapes: false, ..long("'") }],
        keywords: "CMD COPY ENTRYPOINT ENV FROM RUN WORKDIR case cd do done echo elif else end esac \
                   eval exec exit export fi for function if in local readonly return select set shift \
                   source sudo then trap unset until while",
        ..LIKE_SHELL
    },
    Language {
        names: &["sql", "postgresql", "postgres", "mysql", "sqlite"],
        line_comments: &["--"],
        block_comment: C_COMMENT,
        quotes: &[Quote { escapes: false, ..long("'") }, quote("\"")],
        keywords: "add all alter and as asc begin between by case check column commit constraint create \
                   cross default delete desc distinct drop else end exists foreign from full group \
                   having if in index inner insert into is join key left like limit not null offset on \
                   or order outer over partition primary references returning right rollback select set \
                   table then union unique update using values view when where with",
        ignores_case: true,
        ..NOTHING
    },
    Language {
        names: &["json", "jsonc", "json5", "jsonl"],
        shape: Shape::Json,
        keywords: "false null true",
        ..LIKE_C
    },
    Language {
        names: &["yaml", "yml", "toml", "ini", "conf", "cfg", "properties", "env"],
        shape: Shape::Settings,
        keywords: "false no null off on true yes",
        ..LIKE_SHELL
    },
    Language {
        names: &["html", "xml", "svg", "vue", "xhtml"],
        shape: Shape::Markup,
        block_comment: Some(("<!--", "-->")),
        quotes: &[long("\""), long("'")],
        ..NOTHING
    },
    Language {
        names: &["css", "scss", "less"],
        shape: Shape::Settings,
        block_comment: C_COMMENT,
        keywords: "auto inherit initial none unset",
        ..NOTHING
    },
    Language {
        names: &["lua", "haskell", "hs"],
        line_comments: &["--"],
        keywords: "and break case class data deriving do else elseif end false for function if import \
                   in instance let local module newtype nil not of or repeat return then true type \
                   until where while",
        ..NOTHING
    },
    Language { names: &["diff", "patch"], shape: Shape::Diff, ..NOTHING },
];
