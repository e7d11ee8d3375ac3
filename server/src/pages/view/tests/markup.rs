//! As much reading of HTML as the tests need: the pages are our own and well formed.

/// Every opening tag, from `<` to `>`.
pub(super) fn tags(html: &str) -> Vec<&str> {
    html.split('<')
        .skip(1)
        .filter(|part| part.starts_with(|c: char| c.is_ascii_alphabetic()))
        .filter_map(|part| part.split('>').next())
        .collect()
}

/// The opening tags of an element.
pub(super) fn elements<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    tags(html)
        .into_iter()
        .filter(|tag| {
            let rest = tag.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\n']))
        })
        .collect()
}

/// The value of an attribute, as it stands.
pub(super) fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

/// How often a text occurs.
pub(super) fn count(html: &str, text: &str) -> usize {
    html.matches(text).count()
}

/// A form: its tag, what is in it, its hidden fields.
pub(super) struct Form<'a> {
    pub(super) tag: &'a str,
    pub(super) body: &'a str,
    pub(super) hidden: Vec<(&'a str, &'a str)>,
}

/// Every form of a page.
pub(super) fn forms(html: &str) -> Vec<Form<'_>> {
    html.split("<form")
        .skip(1)
        .filter_map(|rest| {
            let whole = rest.split("</form>").next()?;
            let (tag, body) = whole.split_once('>')?;
            let hidden = elements(body, "input")
                .into_iter()
                .filter(|tag| attribute(tag, "type") == Some("hidden"))
                .filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value")?)))
                .collect();
            Some(Form { tag, body, hidden })
        })
        .collect()
}
