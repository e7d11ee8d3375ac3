//! The figures of mail: each that the documents and the dashboard name is there from the start.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use holdfast_tests::{
    Flow,
    process::{Running, Settings, free_port},
    source,
};
use serde_json::Value;

/// The names of the series that a process exports, each with its labels. A histogram is its buckets,
/// its sum and its count.
fn exported(figures: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut series: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in figures.lines().filter(|line| !line.starts_with('#')) {
        let Some((series_and_labels, _)) = line.rsplit_once(' ') else {
            continue;
        };
        let (name, labels) = series_and_labels
            .split_once('{')
            .unwrap_or((series_and_labels, ""));
        let known = series.entry(name.to_owned()).or_default();
        for label in labels.trim_end_matches('}').split(',') {
            if let Some((label, _)) = label.split_once('=') {
                known.insert(label.to_owned());
            }
        }
    }
    series
}

/// The series that a query names, each with the labels that it selects by.
fn named(query: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (at, _) in query.match_indices("holdfast_") {
        let rest = &query[at..];
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let selector = rest[end..]
            .strip_prefix('{')
            .and_then(|rest| rest.split_once('}'))
            .map_or("", |(selector, _)| selector);
        let labels = selector
            .split(',')
            .filter_map(|matcher| matcher.split_once(['=', '!']))
            .map(|(label, _)| label.trim().to_owned())
            .filter(|label| label != "instance")
            .collect();
        found.push((rest[..end].to_owned(), labels));
    }
    found
}

fn queries(dashboard: &Value, into: &mut Vec<String>) {
    match dashboard {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(text) if key == "expr" || key == "query" => {
                        into.push(text.clone());
                    }
                    value => queries(value, into),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| queries(value, into)),
        _ => {}
    }
}

/// The labels that a query sums by.
fn kept_apart(query: &str) -> Vec<String> {
    let clauses = query.split(" by (").skip(1);
    let inside = clauses.filter_map(|rest| rest.split_once(')'));
    let labels = inside.flat_map(|(labels, _)| labels.split(','));
    labels
        .map(|label| label.trim().to_owned())
        .filter(|label| label != "instance")
        .collect()
}

/// A worker that has sent nothing yet.
async fn figures() -> String {
    let flow = Flow::start().await;
    let settings = Settings::web(&flow.database)
        .with(
            "HOLDFAST_KEYS",
            format!("test:{}", STANDARD.encode([7; 32])),
        )
        .without("HOLDFAST_ROLE")
        .with("HOLDFAST_LISTEN", format!("127.0.0.1:{}", free_port()))
        .with("HOLDFAST_SMTP_URL", flow.mail.sink.url());
    let mut worker = Running::start_worker(&settings);
    worker.ready().await;
    let (status, figures) = worker.get("/metrics").await;
    assert_eq!(status, 200);
    worker.stop().await;
    flow.end().await;
    figures
}

#[tokio::test]
async fn every_figure_of_the_dashboard_and_of_the_documents_is_exported_from_the_start() {
    let figures = figures().await;
    let exported = exported(&figures);
    let dashboard: Value = serde_json::from_str(&source::read("docs/grafana-mail.json")).unwrap();
    let mut asked = Vec::new();
    queries(&dashboard["panels"], &mut asked);
    queries(&dashboard["templating"], &mut asked);
    let mut names = 0;
    for query in &asked {
        for (name, mut labels) in named(query) {
            names += 1;
            labels.extend(kept_apart(query));
            let known = exported.get(&name);
            let known = known.unwrap_or_else(|| panic!("{query}: {name} is not in {figures}"));
            for label in labels {
                assert!(known.contains(&label), "{query}: {name} has no {label}");
            }
        }
    }
    assert!(names > 20, "{names}");
    panels_are_told_apart(&dashboard["panels"]);
    let document = source::read("docs/mail.md");
    let (_, table) = document.split_once("### Metrics").unwrap();
    let (table, _) = table.split_once("###").unwrap();
    let mut documented = BTreeSet::new();
    for (name, _) in named(table) {
        let histogram = format!("{name}_count");
        assert!(
            exported.contains_key(&name) || exported.contains_key(&histogram),
            "{name} is not exported: {figures}"
        );
        documented.insert(name);
    }
    for name in exported.keys() {
        let family = ["_bucket", "_sum", "_count"]
            .into_iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(name);
        if family.starts_with("holdfast_mail_") || family.starts_with("holdfast_smtp_") {
            assert!(
                documented.contains(family),
                "docs/mail.md does not name {family}"
            );
        }
    }
    assert!(documented.len() >= 13, "{documented:?}");
}

/// Grafana shows one panel of an id, and one query of a letter.
fn panels_are_told_apart(panels: &Value) {
    let panels = panels.as_array().unwrap();
    let mut ids = BTreeSet::new();
    for panel in panels {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{panel}");
        let targets = panel["targets"].as_array().into_iter().flatten();
        let letters: Vec<&str> = targets.map(|one| one["refId"].as_str().unwrap()).collect();
        let apart: BTreeSet<&str> = letters.iter().copied().collect();
        assert_eq!(apart.len(), letters.len(), "{panel}");
        assert_eq!(letters.is_empty(), panel["type"] == "row", "{panel}");
    }
}

/// What a query names is found, or the test above would prove nothing.
#[test]
fn the_reader_of_queries_finds_names_and_labels() {
    let found = named(
        r#"sum(rate(holdfast_a_total{instance=~"x",outcome="sent",class!~"y"}[5m])) / holdfast_b"#,
    );
    assert_eq!(
        found,
        [
            (
                "holdfast_a_total".to_owned(),
                vec!["outcome".to_owned(), "class".to_owned()]
            ),
            ("holdfast_b".to_owned(), vec![]),
        ]
    );
    assert_eq!(
        kept_apart("max by (lane) (a) / sum by (le, instance) (b)"),
        ["lane", "le"]
    );
    let known =
        exported("# HELP x\nholdfast_a_total{outcome=\"sent\",class=\"\"} 3\nholdfast_b 0\n");
    assert_eq!(known["holdfast_a_total"].len(), 2);
    assert!(known.contains_key("holdfast_b"));
}
