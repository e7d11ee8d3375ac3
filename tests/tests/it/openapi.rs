//! The OpenAPI document, the router and the source say the same.

use std::collections::{BTreeMap, BTreeSet};

use holdfast_server::{
    error::Code,
    openapi::{OPERATION_ERRORS, errors_of},
    pages, router,
};
use holdfast_tests::{TestApp, app::Options, logs, source};
use reqwest::Method;
use serde_json::Value;

const VERBS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    serde_json::to_value(router::document()).unwrap()
}

/// Path, method and operation.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .flat_map(|(path, item)| {
            item.as_object()
                .unwrap()
                .iter()
                .map(move |(verb, operation)| (path.as_str(), verb.as_str(), operation))
        })
        .filter(|(_, verb, _)| VERBS.contains(verb))
        .collect()
}

/// A path with something that could be a value in place of each parameter.
fn filled(path: &str) -> String {
    let path = path.replace("{token}.ics", "hf_feed_0.ics");
    let mut parts = path.split('/').map(|part| match part {
        "{handle}" => "ana",
        "{code}" => "abcdefgh",
        part if part.starts_with('{') => "01900000-0000-7000-8000-000000000000",
        part => part,
    });
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |path, part| path + "/" + part)
}

#[test]
fn the_committed_document_is_the_programs() {
    let committed = source::read("openapi/openapi.json");
    let current = router::document().to_pretty_json().unwrap() + "\n";
    assert!(
        committed == current,
        "openapi/openapi.json is not current: holdfast admin openapi > openapi/openapi.json"
    );
}

#[test]
fn every_operation_says_what_a_client_developer_needs() {
    let document = document();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    let tags: BTreeSet<&str> = document["tags"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tag| tag["name"].as_str().unwrap())
        .collect();
    let mut ids = BTreeSet::new();
    for (path, verb, operation) in operations(&document) {
        let what = format!("{verb} {path}");
        let id = operation["operationId"]
            .as_str()
            .unwrap_or_else(|| panic!("{what}: no operationId"));
        assert!(ids.insert(id), "{id} stands twice");
        assert!(
            operation["summary"]
                .as_str()
                .is_some_and(|summary| !summary.is_empty()),
            "{what}: no summary"
        );
        let own: Vec<&str> = operation["tags"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tag| tag.as_str().unwrap())
            .collect();
        assert!(own.len() == 1 && tags.contains(own[0]), "{what}: {own:?}");
        let responses = operation["responses"].as_object().unwrap();
        assert!(
            responses.keys().any(|status| status.starts_with('2')),
            "{what}: no success"
        );
        for (status, response) in responses {
            assert!(
                response["description"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{what} {status}: no description"
            );
        }
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters {
            assert!(
                parameter["description"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{what}: {parameter}"
            );
            assert!(
                !parameter["example"].is_null()
                    || !parameter["schema"]["example"].is_null()
                    || !parameter["schema"]["examples"].is_null(),
                "{what}: {parameter} without an example"
            );
        }
        let named: BTreeSet<&str> = operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|p| p["in"] == "path")
            .map(|p| p["name"].as_str().unwrap())
            .collect();
        let needed: BTreeSet<&str> = path
            .split('/')
            .filter_map(|part| Some(part.strip_prefix('{')?.split_once('}')?.0))
            .collect();
        assert_eq!(named, needed, "{what}");
    }
}

#[test]
fn every_refusal_is_documented_with_its_status_and_an_example() {
    let document = document();
    let mut seen = BTreeSet::new();
    for (path, verb, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap();
        let mut examples = BTreeMap::new();
        for (status, response) in operation["responses"].as_object().unwrap() {
            let content = &response["content"]["application/problem+json"];
            for (code, example) in content["examples"].as_object().into_iter().flatten() {
                assert_eq!(
                    content["schema"]["$ref"], "#/components/schemas/Problem",
                    "{verb} {path}"
                );
                let value = &example["value"];
                assert_eq!(
                    (value["code"].as_str().unwrap(), value["status"].to_string()),
                    (code.as_str(), status.clone()),
                    "{verb} {path}"
                );
                examples.insert(code.clone(), status.clone());
            }
        }
        let want: BTreeMap<String, String> = errors_of(id)
            .into_iter()
            .map(|code| (code.as_str().to_owned(), code.status().as_str().to_owned()))
            .collect();
        assert_eq!(examples, want, "{verb} {path}");
        seen.extend(examples.into_keys());
    }
    for (operation, codes) in OPERATION_ERRORS {
        for code in *codes {
            assert!(
                seen.contains(code.as_str()),
                "{operation}: {code:?} is in the table and not in the document"
            );
        }
    }
}

/// Codes that no operation of the JSON API gives: the router's own and the pages' own.
const OTHERS: &[Code] = &[Code::MethodNotAllowed, Code::CrossSite];

/// Red for a code that is defined and that nothing can answer, and for one of [`OTHERS`] that an
/// operation does give.
#[test]
fn every_code_of_the_table_of_errors_is_some_operations() {
    let answered: BTreeSet<Code> = OPERATION_ERRORS
        .iter()
        .flat_map(|(operation, _)| errors_of(operation))
        .collect();
    let unanswered: Vec<_> = Code::ALL
        .iter()
        .filter(|code| !answered.contains(code) && !OTHERS.contains(code))
        .collect();
    assert!(unanswered.is_empty(), "{unanswered:?}");
    assert!(OTHERS.iter().all(|code| !answered.contains(code)));
}

/// The route that answered a request, by the log: a handler's own 404 differs in nothing else from
/// the router's.
async fn route(app: &TestApp, method: &Method, path: &str) -> String {
    let answer = app.send(app.request(method.clone(), path)).await;
    let id = answer.header("x-request-id");
    let log = logs::capture().text();
    let line = log
        .lines()
        .rev()
        .find(|line| line.contains(&id))
        .unwrap_or_else(|| panic!("no line of {method} {path}"));
    let line: Value = serde_json::from_str(line).unwrap();
    line["fields"]["http.route"].as_str().unwrap().to_owned()
}

/// An app whose request ids are no other test's: all of them write to one log.
async fn numbered_apart(seed: u64) -> TestApp {
    TestApp::with(Options {
        seed,
        ..Options::default()
    })
    .await
}

#[tokio::test]
async fn the_router_answers_every_documented_operation() {
    let app = numbered_apart(0x0a11).await;
    let document = document();
    for (path, verb, _) in operations(&document) {
        let method: Method = verb.to_uppercase().parse().unwrap();
        assert_eq!(route(&app, &method, &filled(path)).await, path, "{verb}");
        if verb == "get" {
            assert_eq!(
                route(&app, &Method::HEAD, &filled(path)).await,
                path,
                "head"
            );
        }
    }
    assert_eq!(
        route(&app, &Method::GET, "/nothing/here").await,
        "unmatched"
    );
    app.end().await;
}

#[tokio::test]
async fn the_router_answers_every_page_path() {
    let app = numbered_apart(0x0a12).await;
    for (path, verbs) in pages::PATHS {
        for verb in *verbs {
            assert_eq!(
                route(&app, &verb.parse().unwrap(), &filled(path)).await,
                *path,
                "{verb}"
            );
        }
    }
    app.end().await;
}

/// Handlers are registered with their documentation or not at all; that each that is written is
/// registered is read from the source.
#[test]
fn every_handler_in_the_source_is_documented() {
    let document = document();
    let documented: BTreeSet<(String, String)> = operations(&document)
        .into_iter()
        .map(|(path, verb, _)| {
            (
                verb.to_owned(),
                path.strip_prefix("/v1").unwrap_or(path).to_owned(),
            )
        })
        .collect();
    let mut written = BTreeSet::new();
    for file in source::files("server/src/routes", ".rs") {
        for (number, line) in file.code() {
            let Some((verb, rest)) = line
                .strip_prefix("#[")
                .and_then(|line| line.split_once("(\""))
            else {
                continue;
            };
            if VERBS.contains(&verb) {
                let path = rest
                    .strip_suffix("\")]")
                    .unwrap_or_else(|| panic!("{}:{number}: {line}", file.path));
                assert!(
                    written.insert((verb.to_owned(), path.to_owned())),
                    "{verb} {path} is written twice"
                );
            }
        }
    }
    assert_eq!(written, documented);
}

#[tokio::test]
async fn every_other_method_is_405_and_says_which_there_are() {
    let app = TestApp::start().await;
    let document = document();
    let mut allowed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, _, _) in operations(&document) {
        // One may be named as itself and be an id in the place of another.
        let here = operations(&document).into_iter().filter(|(other, ..)| {
            let parts = || other.split('/').zip(path.split('/'));
            other.split('/').count() == path.split('/').count()
                && parts().all(|(other, part)| other.starts_with('{') || other == part)
        });
        let verbs = here.map(|(_, verb, _)| verb.to_uppercase());
        allowed.insert(filled(path), verbs.collect());
    }
    for (path, verbs) in pages::PATHS {
        allowed
            .entry(filled(path))
            .or_default()
            .extend(verbs.iter().map(|verb| (*verb).to_owned()));
    }
    for (path, methods) in allowed {
        let mut methods = methods;
        if methods.contains("GET") {
            methods.insert("HEAD".into());
        }
        for method in [
            "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW",
        ] {
            if methods.contains(method) {
                continue;
            }
            let answer = app.send(app.request(method.parse().unwrap(), &path)).await;
            assert_eq!(answer.status, 405, "{method} {path}");
            let allow: BTreeSet<String> = answer
                .header("allow")
                .split(", ")
                .map(str::to_owned)
                .collect();
            assert_eq!(allow, methods, "{method} {path}");
            if pages::belongs_to_pages(&path) {
                let kind = answer.header("content-type");
                assert_eq!(kind, "text/html; charset=utf-8", "{method} {path}");
            } else if method != "HEAD" {
                assert_eq!(answer.code(), "method_not_allowed", "{method} {path}");
            }
        }
    }
    app.end().await;
}

#[tokio::test]
async fn head_answers_as_get_does_without_a_body() {
    let app = TestApp::start().await;
    let host = app.host("ana").set("listed", "true".into()).make().await;
    for path in [
        host.api.as_str(),
        "/v1/pages/ana",
        "/v1/pages/nobody",
        "/healthz",
        "/nothing/here",
    ] {
        let (get, head) = (
            app.get(path).await,
            app.send(app.request(Method::HEAD, path)).await,
        );
        assert_eq!(
            (head.status, head.header("content-type")),
            (get.status, get.header("content-type")),
            "{path}"
        );
        assert_eq!(
            head.header("content-length"),
            get.body.len().to_string(),
            "{path}"
        );
        assert!(head.body.is_empty(), "{path}");
    }
    app.end().await;
}

#[tokio::test]
async fn no_get_head_or_options_changes_anything() {
    let app = TestApp::start().await;
    let host = app.host("ana").set("listed", "true".into()).make().await;
    let before = app.database.rows().await;
    let document = document();
    let paths = operations(&document).into_iter().map(|(path, _, _)| path);
    for path in paths.chain(pages::PATHS.iter().map(|(path, _)| *path)) {
        let path =
            filled(path).replace("/ana/abcdefgh", host.api.strip_prefix("/v1/pages").unwrap());
        for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
            app.send(app.request(method, &path)).await;
        }
    }
    assert_eq!(app.database.rows().await, before);
    app.end().await;
}

#[tokio::test]
async fn the_document_is_served() {
    let app = TestApp::start().await;
    let answer = app.get("/openapi.json").await;
    assert_eq!(
        (
            answer.status.as_u16(),
            answer.header("content-type").as_str()
        ),
        (200, "application/json")
    );
    assert_eq!(answer.json(), document());
    app.end().await;
}

/// The values of an attribute in HTML.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    html.split(&format!("{attribute}=\""))
        .skip(1)
        .map(|rest| rest.split_once('"').expect("the attribute's value ends").0)
        .collect()
}

#[tokio::test]
async fn the_docs_need_no_other_server() {
    let app = TestApp::start().await;
    let moved = app.get("/docs").await;
    assert_eq!(
        (moved.status.as_u16(), moved.header("location").as_str()),
        (308, "/docs/")
    );
    let page = app.get("/docs/").await;
    assert_eq!(page.status, 200);
    let html = page.text();
    let files: Vec<&str> = values(&html, "src")
        .into_iter()
        .chain(values(&html, "href"))
        .collect();
    assert!(files.len() >= 3, "{html}");
    for file in files {
        assert!(!file.contains("//"), "{file}");
        let answer = app
            .get(&format!("/docs/{}", file.trim_start_matches("./")))
            .await;
        assert_eq!(answer.status, 200, "{file}");
    }
    assert!(
        !html.contains("<style"),
        "the policy of the docs allows it, yet the page needs none"
    );
    let initializer = app.get("/docs/swagger-initializer.js").await.text();
    assert!(initializer.contains("\"/openapi.json\""), "{initializer}");
    assert!(
        !initializer.contains("http://") && !initializer.contains("https://"),
        "{initializer}"
    );
    // Without it Swagger UI shows a badge that validator.swagger.io makes from the document.
    assert!(
        initializer.contains("\"validatorUrl\": \"none\""),
        "{initializer}"
    );
    app.end().await;
}
