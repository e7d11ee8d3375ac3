//! Who asks: the client's IP, for counting only. It is fingerprinted at once and never logged.

use std::net::{IpAddr, Ipv6Addr};

use actix_web::HttpRequest;

/// The bytes that a client is counted by: IPv4 whole, IPv6 by its /64, and one shared bucket for
/// what cannot be read.
///
/// `X-Forwarded-For` is read only when `trusted_hops` proxies are trusted to have appended to it:
/// the n-th entry from the right is then the client.
#[must_use]
pub fn client_ip(request: &HttpRequest, trusted_hops: u32) -> Vec<u8> {
    let ip = if trusted_hops == 0 {
        request.peer_addr().map(|peer| peer.ip())
    } else {
        forwarded(request, trusted_hops)
    };
    ip.map_or_else(|| b"unreadable".to_vec(), counted_by)
}

fn forwarded(request: &HttpRequest, trusted_hops: u32) -> Option<IpAddr> {
    let mut entries = Vec::new();
    for header in request.headers().get_all("X-Forwarded-For") {
        entries.extend(header.to_str().ok()?.split(',').map(str::trim));
    }
    let from_right = usize::try_from(trusted_hops).ok()?;
    let entry = entries.get(entries.len().checked_sub(from_right)?)?;
    entry.parse().ok()
}

fn counted_by(ip: IpAddr) -> Vec<u8> {
    match ip.to_canonical() {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => prefix(v6).to_vec(),
    }
}

fn prefix(ip: Ipv6Addr) -> [u8; 8] {
    let [a, b, c, d, e, f, g, h, ..] = ip.octets();
    [a, b, c, d, e, f, g, h]
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use actix_web::test::TestRequest;

    use super::client_ip;

    fn ip(headers: &[(&'static str, &str)], hops: u32) -> Vec<u8> {
        let mut request = TestRequest::default().peer_addr("198.51.100.7:4000".parse().unwrap());
        for header in headers {
            request = request.append_header(*header);
        }
        client_ip(&request.to_http_request(), hops)
    }

    /// Case lim-01.
    #[test]
    fn forged_headers_earn_nothing_by_default() {
        for forged in ["203.0.113.1", "203.0.113.2, 10.0.0.1"] {
            assert_eq!(
                ip(&[("X-Forwarded-For", forged), ("X-Real-IP", forged)], 0),
                [198, 51, 100, 7]
            );
        }
    }

    #[test]
    fn the_nth_entry_from_the_right_is_the_client() {
        let headers = [
            ("X-Forwarded-For", "203.0.113.9, 203.0.113.1"),
            ("X-Forwarded-For", "10.0.0.2"),
        ];
        assert_eq!(ip(&headers, 1), [10, 0, 0, 2]);
        assert_eq!(ip(&headers, 2), [203, 0, 113, 1]);
        assert_eq!(ip(&headers, 4), b"unreadable");
        assert_eq!(ip(&[("X-Forwarded-For", "nonsense")], 1), b"unreadable");
        assert_eq!(ip(&[], 1), b"unreadable");
    }

    #[test]
    fn ipv6_counts_by_its_64_and_mapped_ipv4_as_ipv4() {
        let one = ip(&[("X-Forwarded-For", "2001:db8:1:2:3:4:5:6")], 1);
        assert_eq!(one, ip(&[("X-Forwarded-For", "2001:db8:1:2:ffff::1")], 1));
        assert_ne!(one, ip(&[("X-Forwarded-For", "2001:db8:1:3::1")], 1));
        assert_eq!(
            ip(&[("X-Forwarded-For", "::ffff:203.0.113.1")], 1),
            [203, 0, 113, 1]
        );
    }
}
