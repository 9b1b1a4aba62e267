//! A language by declaration: its verbs, with the form and the uses of each.

/// Declares the verbs of a language and its grammar. Behind a verb stand the words that a line begins with, then the shape of what follows
/// ([`Form::shape`](crate::grammar::Form::shape)); in the braces what remarks say where something is missing, and the examples for help and guides, each with
/// what happens. As in `language! { /// The order language. static GRAMMAR of Verb, Kind = Manner::of("order"); Hide ["HIDE"]: "{who:own+}" => { missing
/// lack("who", "Who hides?"); "HIDE 3" => "hides where it stands"; } }`.
#[macro_export]
macro_rules! language {
    (
        $(#[$about:meta])+
        $visible:vis static $GRAMMAR:ident of $Verb:ident, $Kind:ident = $manner:expr;
        $(
            $(#[$of:meta])*
            $verb:ident [$($word:literal),+]: $shape:expr => {
                $(missing $lack:expr;)*
                $($($line:literal),+ => $does:expr;)*
            }
        )+
    ) => {
        /// What a line asks for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visible enum $Verb {
            $($(#[$of])* $verb,)+
        }

        $(#[$about])+
        $visible static $GRAMMAR: std::sync::LazyLock<$crate::grammar::Grammar<$Verb, $Kind>> =
            std::sync::LazyLock::new(|| {
                const FORMS: &[$crate::grammar::Form<$Verb>] = &[$($crate::grammar::Form {
                    verb: $Verb::$verb,
                    words: &[$($word),+],
                    shape: $shape,
                    missing: &[$($lack),*],
                    uses: &[$($crate::grammar::Use { lines: &[$($line),+], does: $does }),*],
                },)+];
                $crate::grammar::Grammar::new($manner, FORMS, $Kind::named)
            });
    };
}
