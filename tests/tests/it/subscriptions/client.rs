//! The client for other people's servers, against real sockets.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use holdfast_tests::feeds::{FeedServer, Reply, client, names, ok, status};
use holdfast_worker::http_out::{Answer, HttpOut, Limits, Names, OutError, Request};
use shared::outbound::{BadUrl, OutboundUrl};

const LIMITS: Limits = Limits {
    connect: Duration::from_millis(500),
    whole: Duration::from_secs(2),
    body_bytes: 1_000_000,
    redirects: 3,
};

async fn get(client: &HttpOut, url: &str) -> Result<Answer, OutError> {
    let request = Request::get(OutboundUrl::parse(url).unwrap());
    client.send(&request, &LIMITS).await
}

/// Whatever the notation, nothing on this machine is reached. Red when literals are not judged.
#[tokio::test]
async fn nothing_on_this_machine_or_beside_it_is_reached() {
    let server = FeedServer::start(|_| Reply::Bytes(ok("", b"secret"))).await;
    let port = server.address.port();
    let client = client("", Names::System);
    for host in [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f000001",
        "0177.1",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "10.0.0.1",
        "169.254.169.254",
        "[fd00:ec2::254]",
    ] {
        let begun = Instant::now();
        let answer = get(&client, &format!("http://{host}:{port}/")).await;
        assert!(
            matches!(answer, Err(OutError::Forbidden(_))),
            "{host}: {answer:?}"
        );
        assert!(
            begun.elapsed() < Duration::from_millis(400),
            "{host}: it was tried"
        );
    }
    assert_eq!(server.heard(), [""; 0]);
}

/// What the operator allows is reached, by its address or by its name, and nothing beside it.
#[tokio::test]
async fn what_the_operator_allows_is_reached() {
    let server = FeedServer::start(|_| Reply::Bytes(ok("", b"yes"))).await;
    let port = server.address.port();
    let loopback = || names(|_| vec!["127.0.0.1".parse().unwrap()]);
    for (allow, host, reached) in [
        ("127.0.0.0/8", "127.0.0.1", true),
        ("127.0.0.0/8", "feeds.test", true),
        ("feeds.test", "feeds.test", true),
        ("feeds.test", "127.0.0.1", false),
        ("feeds.test", "other.test", false),
        ("127.0.0.2", "feeds.test", false),
    ] {
        let answer = get(
            &client(allow, loopback()),
            &format!("http://{host}:{port}/"),
        )
        .await;
        assert_eq!(answer.is_ok(), reached, "{allow} {host}: {answer:?}");
    }
    assert_eq!(server.heard().len(), 3);
}

/// A name is resolved once a request, and what was judged is what is connected to: a server of
/// names that answers otherwise the second time gains nothing. Red when `connect` is given the name
/// instead of the addresses.
#[tokio::test]
async fn a_name_that_means_something_else_the_second_time_gains_nothing() {
    let inside = FeedServer::on("127.0.0.1", |_| Reply::Bytes(ok("", b"inside"))).await;
    let port = inside.address.port();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let rebinding = names(move |_| {
        let ip: IpAddr = match count.fetch_add(1, Ordering::SeqCst) {
            0 => "127.0.0.2".parse().unwrap(),
            _ => "127.0.0.1".parse().unwrap(),
        };
        vec![ip]
    });
    // 127.0.0.2 stands for the public address: allowed, with nothing behind it.
    let client = client("127.0.0.2", rebinding);
    let url = format!("http://rebind.test:{port}/");
    assert!(get(&client, &url).await.is_err());
    assert_eq!(asked.load(Ordering::SeqCst), 1, "asked once");
    let second = get(&client, &url).await;
    assert_eq!(second.unwrap_err(), OutError::Forbidden("loopback"));
    assert_eq!(inside.heard(), [""; 0]);
    // One bad address among good ones is enough.
    let both = names(|_| vec!["127.0.0.2".parse().unwrap(), "127.0.0.1".parse().unwrap()]);
    let both = holdfast_tests::feeds::client("127.0.0.2", both);
    assert_eq!(
        get(&both, &url).await.unwrap_err(),
        OutError::Forbidden("loopback")
    );
    assert_eq!(inside.heard(), [""; 0]);
}

/// Each step of a redirect is judged as the first address was.
#[tokio::test]
async fn redirects_are_followed_three_times_and_judged_each_time() {
    let inside = FeedServer::on("127.0.0.3", |_| Reply::Bytes(ok("", b"inside"))).await;
    let (secret, port) = (inside.address, inside.address.port());
    let server = FeedServer::start(move |head| {
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let to = |location: &str| {
            Reply::Bytes(status("302 Found", &format!("Location: {location}\r\n")))
        };
        match path.as_str() {
            "/3" => to("/2"),
            "/2" => to("1"),
            "/1" => to("/end"),
            "/4" => to("/3"),
            "/loop" => to("/loop"),
            "/inside" => to(&format!("http://{secret}/")),
            "/name" => to(&format!("http://inside.test:{port}/")),
            "/metadata" => to("http://169.254.169.254/latest/meta-data/"),
            "/file" => to("file:///etc/passwd"),
            "/none" => Reply::Bytes(status("302 Found", "")),
            _ => Reply::Bytes(ok("", b"end")),
        }
    })
    .await;
    let known = names(move |_| vec![secret.ip()]);
    let client = client("127.0.0.1", known);
    assert_eq!(get(&client, &server.url("/3")).await.unwrap().body, b"end");
    assert_eq!(
        get(&client, &server.url("/none")).await.unwrap().status,
        302
    );
    for (path, why) in [
        ("/4", OutError::Redirects),
        ("/loop", OutError::Redirects),
        ("/inside", OutError::Forbidden("loopback")),
        ("/name", OutError::Forbidden("loopback")),
        ("/metadata", OutError::Forbidden("cloud metadata")),
        ("/file", OutError::Url(BadUrl::Scheme)),
    ] {
        assert_eq!(
            get(&client, &server.url(path)).await.unwrap_err(),
            why,
            "{path}"
        );
    }
    assert_eq!(inside.heard(), [""; 0]);
    let no_redirects = Limits {
        redirects: 0,
        ..LIMITS
    };
    let request = Request::get(OutboundUrl::parse(&server.url("/1")).unwrap());
    assert_eq!(
        client.send(&request, &no_redirects).await.unwrap().status,
        302
    );
}

/// User and password travel as Basic authentication to their own server, not to where it leads.
#[tokio::test]
async fn credentials_stay_with_their_server() {
    let other = FeedServer::start(|_| Reply::Bytes(ok("", b"end"))).await;
    let away = other.url("/");
    let server = FeedServer::start(move |_| {
        Reply::Bytes(status(
            "307 Temporary Redirect",
            &format!("Location: {away}\r\n"),
        ))
    })
    .await;
    let client = client("127.0.0.1", Names::System);
    let url = format!("http://ana:p%40ss@{}/", server.address);
    assert_eq!(get(&client, &url).await.unwrap().body, b"end");
    let (first, second) = (server.heard().concat(), other.heard().concat());
    assert!(
        first.contains("authorization: Basic YW5hOnBAc3M="),
        "{first}"
    );
    assert!(!first.contains("ana:"), "{first}");
    assert!(!second.to_lowercase().contains("authorization"), "{second}");
    assert!(first.contains("user-agent: Holdfast/"), "{first}");
}

/// However a server spends the time, the request ends when it must; and whatever it sends, no more
/// is kept than may be.
#[tokio::test]
async fn a_request_takes_no_more_time_and_bytes_than_it_may() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/calendar\r\n";
    let chunked = [&head[..], b"Transfer-Encoding: chunked\r\n\r\n"].concat();
    let line = [b"X-Filler: ".as_slice(), &[b'a'; 200], b"\r\n"].concat();
    let chunk = [b"4000\r\n".as_slice(), &[b'a'; 0x4000], b"\r\n"].concat();
    let often = Duration::from_millis(1);
    for (path, reply, why) in [
        ("silence", Reply::Silence, OutError::TimedOut),
        (
            "slow head",
            Reply::Drip(head.to_vec(), b"X".to_vec(), Duration::from_millis(50)),
            OutError::TimedOut,
        ),
        (
            "slow body",
            Reply::Drip(
                chunked.clone(),
                b"1\r\na\r\n".to_vec(),
                Duration::from_millis(50),
            ),
            OutError::TimedOut,
        ),
        (
            "endless headers",
            Reply::Drip(head.to_vec(), line, often),
            OutError::Protocol,
        ),
        (
            "endless body",
            Reply::Drip(chunked, chunk, often),
            OutError::TooLarge,
        ),
        (
            "announced",
            Reply::Bytes([&head[..], b"Content-Length: 99999999999\r\n\r\n"].concat()),
            OutError::TooLarge,
        ),
        (
            "cut",
            Reply::Bytes([&head[..], b"Content-Length: 10\r\n\r\nabc"].concat()),
            OutError::Protocol,
        ),
        (
            "no http",
            Reply::Bytes(b"220 mail\r\n".to_vec()),
            OutError::Protocol,
        ),
        ("hang-up", Reply::Bytes(Vec::new()), OutError::Protocol),
    ] {
        let reply = std::sync::Mutex::new(Some(reply));
        let server =
            FeedServer::start(move |_| reply.lock().unwrap().take().unwrap_or(Reply::Silence))
                .await;
        let begun = Instant::now();
        let answer = get(&client("127.0.0.1", Names::System), &server.url("/")).await;
        assert_eq!(answer.unwrap_err(), why, "{path}");
        assert!(begun.elapsed() < Duration::from_millis(2_900), "{path}");
    }
}

/// TLS is judged by Mozilla's roots: a server that signs for itself is not read.
#[tokio::test]
async fn a_server_without_a_good_certificate_is_not_read() {
    let server = FeedServer::start(|_| Reply::Bytes(ok("", b"plain"))).await;
    let client = client("127.0.0.1", Names::System);
    let url = format!("https://{}/", server.address);
    let refused = get(&client, &url).await.unwrap_err();
    assert!(
        matches!(refused, OutError::Tls | OutError::TimedOut),
        "{refused:?}"
    );
}
