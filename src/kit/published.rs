//! What a ruleset publishes for programs, by declaration.

/// Declares what is published of a thing: each field with what it is made of. Behind `of` stands what the values are taken from, behind `with` what
/// several of them need. As in `published! { struct Shown<'a> of (unit: &'a Unit) { name: &'a str = &unit.name, men: u32 = unit.men(), } }`:
/// `Shown::of(unit)` makes one, and serde writes it.
#[macro_export]
macro_rules! published {
    ($(
        $(#[$about:meta])*
        $visible:vis struct $name:ident $(<$life:lifetime>)? of ($($given:ident: $from:ty),+) $(with { $($known:tt)* })? {
            $($(#[$what:meta])* $field:ident: $type:ty = $value:expr,)+
        }
    )+) => {$(
        $(#[$about])*
        #[derive($crate::word::serde::Serialize)]
        $visible struct $name $(<$life>)? {
            $($(#[$what])* $field: $type,)+
        }

        impl $(<$life>)? $name $(<$life>)? {
            $visible fn of($($given: $from),+) -> Self {
                $($($known)*)?
                Self { $($field: $value,)+ }
            }
        }
    )+};
}
