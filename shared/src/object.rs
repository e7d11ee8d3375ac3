//! JSON objects that are objects.
//!
//! serde's derived structs also take a list of their fields in order. Nobody documents that, and a
//! request of the wrong type is to be refused.

use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
    forward_to_deserialize_any,
};

/// A struct that is read from an object alone.
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(AsMap(deserializer)).map(Self)
    }
}

/// A list of such structs, for `#[serde(deserialize_with)]`.
///
/// # Errors
/// The deserializer's.
pub fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let objects = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|object| object.0).collect())
}

/// A field that tells `null` from its absence: for `Option<Option<T>>` with
/// `#[serde(default, deserialize_with)]`.
///
/// # Errors
/// The deserializer's.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

struct AsMap<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for AsMap<D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, D::Error> {
        Err(D::Error::custom("only a struct is read as an object"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use serde::Deserialize;

    use super::{Object, list};

    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair {
        #[serde(default)]
        left: u8,
        #[serde(default, deserialize_with = "list")]
        right: Vec<Single>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Single {
        #[serde(default)]
        value: u8,
    }

    #[test]
    fn an_object_is_read_and_a_list_is_refused_at_every_depth() {
        let read = |text: &str| serde_json::from_str::<Object<Pair>>(text).map(|pair| pair.0);
        let right = vec![Single { value: 2 }];
        assert_eq!(
            read(r#"{"left":1,"right":[{"value":2}]}"#).unwrap(),
            Pair { left: 1, right }
        );
        assert!(serde_json::from_str::<Pair>("[1]").is_ok(), "serde's own");
        for text in [
            "[]",
            "[1]",
            r#"{"right":[[]]}"#,
            r#"{"right":[[2]]}"#,
            "1",
            "null",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
