//! Nouns that journals, views and files write as players do: `1204`, `A3`.

/// What the macro names.
#[doc(hidden)]
pub use serde;

/// Has a type debugged and serialized as it is displayed, and deserialized as it is parsed.
#[macro_export]
macro_rules! as_text {
    ($noun:ty) => {
        impl ::std::fmt::Debug for $noun {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }

        impl $crate::as_text::serde::Serialize for $noun {
            fn serialize<S: $crate::as_text::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> $crate::as_text::serde::Deserialize<'de> for $noun {
            fn deserialize<D: $crate::as_text::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                type Text<'t> = ::std::borrow::Cow<'t, str>;
                let text = <Text<'_> as $crate::as_text::serde::Deserialize>::deserialize(from)?;
                text.parse().map_err($crate::as_text::serde::de::Error::custom)
            }
        }
    };
}
