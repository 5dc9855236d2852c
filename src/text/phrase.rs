//! The form in which phrases are written: whole in Russian, whole in English, side by side.

#[cfg(test)]
pub(crate) use sample::Sample;

/// Writes phrases as functions `name(lang, values...) -> String`, and for the tests a list of
/// them all with sample values.
macro_rules! phrases {
    ($( $(#[doc = $doc:literal])+ fn $name:ident($($arg:ident: $ty:ty),* $(,)?) {
        ru: $ru:literal $(, $rx:expr)* ;
        en: $en:literal $(, $ex:expr)* ;
    } )*) => {
        $( $(#[doc = $doc])+
        pub fn $name(lang: $crate::text::Lang, $($arg: $ty),*) -> String {
            match lang {
                $crate::text::Lang::Ru => format!($ru $(, $rx)*),
                $crate::text::Lang::En => format!($en $(, $ex)*),
            }
        } )*

        /// Every phrase of this file with sample values: (its name, what it says).
        #[cfg(test)]
        pub(crate) fn samples(lang: $crate::text::Lang) -> Vec<(&'static str, String)> {
            let mut all = Vec::new();
            for n in 0..3 {
                let _ = n;
                $( all.push((
                    stringify!($name),
                    $name(lang, $(<$ty as $crate::text::phrase::Sample>::sample(stringify!($arg), n)),*),
                )); )*
            }
            all
        }
    };
}
pub(crate) use phrases;

#[cfg(test)]
mod sample {
    use crate::kafka::error::KafkaError;
    use crate::kafka::ids::*;
    use crate::kafka::message::Acks;

    /// Values to try a phrase with: the `n`-th of three, so that plurals take all their forms.
    pub trait Sample {
        /// The `n`-th sample.
        fn sample(arg: &str, n: usize) -> Self;
    }

    macro_rules! sample {
    ($($ty:ty: $a:expr, $b:expr, $c:expr;)*) => {
        $(impl Sample for $ty {
            fn sample(_: &str, n: usize) -> Self {
                [$a, $b, $c][n % 3]
            }
        })*
    };
}

    /// Ends (`to`, `end`, `told`) lie behind beginnings.
    impl Sample for Boundary {
        fn sample(arg: &str, n: usize) -> Self {
            let behind = if matches!(arg, "to" | "end" | "told") {
                n as i64 + 1
            } else {
                0
            };
            Boundary([1, 4, 22][n % 3] + behind)
        }
    }

    impl Sample for Option<Boundary> {
        fn sample(arg: &str, n: usize) -> Self {
            (n > 0).then(|| Boundary::sample(arg, n))
        }
    }

    sample! {
        i64: 1, 2, 5;
        u32: 1, 2, 5;
        u16: 1, 2, 5;
        usize: 1, 2, 5;
        BrokerId: BrokerId(1), BrokerId(2), BrokerId(3);
        Offset: Offset(0), Offset(3), Offset(21);
        Epoch: Epoch(0), Epoch(1), Epoch(5);
        BrokerEpoch: BrokerEpoch(1), BrokerEpoch(14), BrokerEpoch(205);
        MetaOffset: MetaOffset(1), MetaOffset(14), MetaOffset(205);
        Ms: Ms(3), Ms(9_000), Ms(9_400);
        Acks: Acks::None, Acks::Leader, Acks::All;
        KafkaError: KafkaError::NotEnoughReplicas, KafkaError::RequestTimedOut, KafkaError::Timeout;
        BrokerSet: BrokerSet::EMPTY, BrokerSet::only(BrokerId(2)),
            BrokerSet::only(BrokerId(1)).with(BrokerId(3));
        // A word that is no sentence of either language.
        &str: "p1", "0–5", "7";
    }
}
