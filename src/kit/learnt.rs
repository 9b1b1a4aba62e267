//! What a seat learns of an event.

/// What of an event a sight with the same name tells: a line an event. A field is as in the event, unless a value stands behind it; fields behind `;` are
/// the sight's alone, those behind `of` the event's alone. Of an event whose condition isn't met, or whose value is missing (`?`), nothing is learnt. Behind
/// `else` stand the events that are told of in another way. As in `learnt!(event: Event => Sight { Moved { unit = eye.seen(*unit)?, from, to }; } else {
/// Event::Closed => None })`, in a function that gives `Option<Sight>`.
#[macro_export]
macro_rules! learnt {
    ($event:ident: $Event:ident => $Sight:ident {
        $($name:ident {
            $($field:ident $(= $value:expr)?),* $(; $($added:ident = $new:expr),+)?
        } $(of { $($known:ident),+ })? $(if $condition:expr)?;)+
    } else { $($other:tt)* }) => {
        match $event {
            $($Event::$name { $($field,)* $($($known,)+)? .. } => {
                $(if !($condition) {
                    return None;
                })?
                Some($Sight::$name {
                    $($field: $crate::learnt_value!($field $(, $value)?),)*
                    $($($added: $new,)+)?
                })
            })+
            $($other)*
        }
    };
}

/// The value of a field of [`learnt!`].
#[doc(hidden)]
#[macro_export]
macro_rules! learnt_value {
    ($field:ident) => {
        ::std::clone::Clone::clone($field)
    };
    ($field:ident, $value:expr) => {
        $value
    };
}
