//! Pages as a browser without scripts uses them: links to follow and forms to fill in.

use reqwest::{Method, RequestBuilder};

use crate::{Answer, TestApp};

/// A form as it would be sent: its filled-in fields, in order.
#[derive(Clone, Debug)]
pub struct Form {
    pub method: String,
    pub action: String,
    pub fields: Vec<(String, String)>,
    /// The names of all controls, filled in or not, buttons apart.
    pub controls: Vec<String>,
    /// Buttons that send a value: name and value.
    pub buttons: Vec<(String, String)>,
}

impl Form {
    /// With a field filled in, in place of what stands there.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.retain(|(held, _)| held != name);
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With one more field, as a second box that is ticked.
    #[must_use]
    pub fn and(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Without a field.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.fields.retain(|(held, _)| held != name);
        self
    }

    /// A field's value; empty if it is not there.
    pub fn value(&self, name: &str) -> &str {
        let held = self.fields.iter().find(|(held, _)| held == name);
        held.map_or("", |(_, value)| value)
    }

    /// The request that a browser makes of it.
    pub fn request(&self, app: &TestApp) -> RequestBuilder {
        assert_eq!(self.method, "post");
        app.request(Method::POST, &self.action)
            .header("Sec-Fetch-Site", "same-origin")
            .form(&self.fields)
    }

    /// Sends it.
    pub async fn send(&self, app: &TestApp) -> Answer {
        app.send(self.request(app)).await
    }
}

impl Answer {
    /// The forms of a page that change something.
    pub fn forms(&self) -> Vec<Form> {
        let mut forms = forms(&self.text());
        forms.retain(|form| form.method == "post");
        forms
    }

    /// The one form that changes something and ends in this path.
    pub fn form(&self, action: &str) -> Form {
        let forms = self.forms();
        let found = forms.iter().find(|form| form.action.ends_with(action));
        found
            .unwrap_or_else(|| panic!("no form to {action} in {forms:#?}"))
            .clone()
    }

    /// The addresses of a page's links.
    pub fn links(&self) -> Vec<String> {
        let text = self.text();
        let links = tags(&text).into_iter().filter(|tag| tag.name == "a");
        links.filter_map(|tag| tag.get("href")).collect()
    }

    /// Whether the page holds a text, as it stands there escaped.
    pub fn says(&self, text: &str) -> bool {
        self.text().contains(text)
    }

    /// The texts inside elements of a class, tags left out.
    pub fn texts(&self, class: &str) -> Vec<String> {
        let text = self.text();
        let of_class = tags(&text).into_iter().filter(|tag| {
            tag.get("class")
                .is_some_and(|classes| classes.split(' ').any(|held| held == class))
        });
        of_class
            .map(|tag| {
                let rest = &text[tag.end..];
                let close = format!("</{}>", tag.name);
                plain(&rest[..rest.find(&close).unwrap_or(rest.len())])
            })
            .collect()
    }

    /// The notice at the top of the page; empty if there is none.
    pub fn notice(&self) -> String {
        self.texts("notice").into_iter().next().unwrap_or_default()
    }
}

/// A start tag.
struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, String)>,
    /// Where the text after it begins.
    end: usize,
}

impl Tag<'_> {
    fn get(&self, name: &str) -> Option<String> {
        let held = self.attributes.iter().find(|(held, _)| *held == name);
        held.map(|(_, value)| value.clone())
    }

    fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|(held, _)| *held == name)
    }
}

/// The start tags and the end tags (their name begins with a slash), in order. The pages' own
/// markup quotes every value and never writes `>` in one.
fn tags(html: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(found) = html[at..].find('<') {
        let begin = at + found + 1;
        let Some(length) = html[begin..].find('>') else {
            break;
        };
        let inside = &html[begin..begin + length];
        at = begin + length + 1;
        let (name, rest) = inside.split_once([' ', '\n']).unwrap_or((inside, ""));
        tags.push(Tag {
            name,
            attributes: attributes(rest),
            end: at,
        });
    }
    tags
}

fn attributes(mut rest: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return found;
        }
        let stop = rest.find([' ', '=', '\n']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(stop);
        match after.strip_prefix("=\"") {
            Some(value) => {
                let end = value.find('"').unwrap();
                found.push((name, unescape(&value[..end])));
                rest = &value[end + 1..];
            }
            None => {
                found.push((name, String::new()));
                rest = after.trim_start_matches('=');
            }
        }
    }
}

fn forms(html: &str) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    let mut inside = false;
    let mut select = String::new();
    let tags = tags(html);
    for tag in &tags {
        match (tag.name, inside) {
            ("form", _) => {
                inside = true;
                forms.push(Form {
                    method: tag.get("method").unwrap_or_default(),
                    action: tag.get("action").unwrap_or_default(),
                    fields: Vec::new(),
                    controls: Vec::new(),
                    buttons: Vec::new(),
                });
            }
            ("/form", _) => inside = false,
            (_, false) => {}
            (_, true) => control(forms.last_mut().unwrap(), tag, html, &mut select),
        }
    }
    forms
}

fn control(form: &mut Form, tag: &Tag<'_>, html: &str, select: &mut String) {
    let name = tag.get("name").unwrap_or_default();
    let value = tag.get("value").unwrap_or_default();
    match tag.name {
        "input" => {
            form.controls.push(name.clone());
            let kind = tag.get("type").unwrap_or_default();
            if !matches!(kind.as_str(), "radio" | "checkbox") || tag.has("checked") {
                form.fields.push((name, value));
            }
        }
        "textarea" => {
            form.controls.push(name.clone());
            let rest = &html[tag.end..];
            let text = unescape(&rest[..rest.find("</textarea>").unwrap()]);
            // The parser drops the first line break.
            let text = text.strip_prefix('\n').unwrap_or(&text).to_owned();
            form.fields.push((name, text));
        }
        "select" => {
            form.controls.push(name.clone());
            *select = name;
        }
        "option" if tag.has("selected") => form.fields.push((select.clone(), value)),
        "button" if !name.is_empty() => form.buttons.push((name, value)),
        _ => {}
    }
}

/// Text without its tags, on one line.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    for c in html.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => text.push(c),
            _ => {}
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    unescape(&words.join(" "))
}

/// Turns the character references that templates write back into characters.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        let end = at + rest[at..].find(';').unwrap();
        let name = &rest[at + 1..end];
        plain.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            _ => {
                let number = name.strip_prefix('#').unwrap().parse().unwrap();
                char::from_u32(number).unwrap()
            }
        });
        rest = &rest[end + 1..];
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_what_its_controls_hold() {
        let html = r#"<form method="post" action="/x"><input type="hidden" name="a" value="1&#38;2">
            <input type="radio" name="r" value="no"><input type="radio" name="r" value="yes" checked>
            <textarea name="t">&#10;
two</textarea><select name="s"><option value="p">P</option><option value="q" selected>Q</option></select>
            <button name="start" value="9">9</button></form><a href="/y?a&#61;b">y</a>"#;
        let form = forms(html).remove(0);
        assert_eq!((form.method.as_str(), form.action.as_str()), ("post", "/x"));
        assert_eq!(form.value("a"), "1&2");
        assert_eq!(form.value("r"), "yes");
        assert_eq!(form.value("t"), "\ntwo");
        assert_eq!(form.value("s"), "q");
        assert_eq!(form.buttons, [("start".into(), "9".into())]);
        assert_eq!(form.with("a", "3").without("r").value("r"), "");
    }
}
