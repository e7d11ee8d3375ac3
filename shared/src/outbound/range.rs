//! Addresses that no request goes to, unless the operator allows them: whoever may type an address
//! must not reach what only this machine or its neighbours can.
//!
//! After the special-purpose registries of IANA (RFC 6890, as of 2026) and the metadata services
//! of cloud providers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

type V4Range = (Ipv4Net, &'static str);
type V6Range = (Ipv6Net, &'static str);

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8, why: &'static str) -> V4Range {
    (Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length), why)
}

const fn v6(groups: [u16; 8], length: u8, why: &'static str) -> V6Range {
    let [a, b, c, d, e, f, g, h] = groups;
    let ip = Ipv6Addr::new(a, b, c, d, e, f, g, h);
    (Ipv6Net::new_assert(ip, length), why)
}

/// The first that holds an address names the reason.
const V4: &[V4Range] = &[
    v4(169, 254, 169, 254, 32, "cloud metadata"),
    v4(169, 254, 170, 2, 32, "cloud metadata"),
    v4(168, 63, 129, 16, 32, "cloud metadata"),
    v4(100, 100, 100, 200, 32, "cloud metadata"),
    v4(192, 0, 0, 192, 32, "cloud metadata"),
    v4(0, 0, 0, 0, 8, "this network"),
    v4(10, 0, 0, 0, 8, "private"),
    v4(100, 64, 0, 0, 10, "shared by a provider's customers"),
    v4(127, 0, 0, 0, 8, "loopback"),
    v4(169, 254, 0, 0, 16, "link-local"),
    v4(172, 16, 0, 0, 12, "private"),
    v4(192, 0, 0, 0, 24, "protocol assignments"),
    v4(192, 0, 2, 0, 24, "documentation"),
    v4(192, 88, 99, 0, 24, "6to4 relays"),
    v4(192, 168, 0, 0, 16, "private"),
    v4(198, 18, 0, 0, 15, "benchmarking"),
    v4(198, 51, 100, 0, 24, "documentation"),
    v4(203, 0, 113, 0, 24, "documentation"),
    v4(224, 0, 0, 0, 4, "multicast"),
    v4(255, 255, 255, 255, 32, "broadcast"),
    v4(240, 0, 0, 0, 4, "reserved"),
];

/// The first that holds an address names the reason.
const V6: &[V6Range] = &[
    v6(
        [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254],
        128,
        "cloud metadata",
    ),
    v6(
        [0xfd20, 0x00ce, 0, 0, 0, 0, 0, 0x0254],
        128,
        "cloud metadata",
    ),
    v6([0; 8], 128, "unspecified"),
    v6([0, 0, 0, 0, 0, 0, 0, 1], 128, "loopback"),
    v6([0; 8], 96, "IPv4-compatible"),
    v6([0, 0, 0, 0, 0xffff, 0, 0, 0], 96, "IPv4-translated"),
    v6([0x0064, 0xff9b, 1, 0, 0, 0, 0, 0], 48, "local translation"),
    v6([0x0100, 0, 0, 0, 0, 0, 0, 0], 64, "discard"),
    v6([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, "benchmarking"),
    v6([0x2001, 0x0db8, 0, 0, 0, 0, 0, 0], 32, "documentation"),
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "documentation"),
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, "protocol assignments"),
    v6([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16, "segment routing"),
    v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, "unique local"),
    v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, "link-local"),
    v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, "site-local"),
    v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, "multicast"),
];

/// Everything that is handed out to somebody is in here.
const GLOBAL_UNICAST: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
const MAPPED: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96);
const NAT64: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
const SIX_TO_FOUR: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);
const TEREDO: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 32);

/// Why no request may go to the address; `None` if one may.
#[must_use]
pub fn refusal(ip: IpAddr) -> Option<&'static str> {
    match ip {
        IpAddr::V4(ip) => refusal_v4(ip),
        IpAddr::V6(ip) => refusal_v6(ip),
    }
}

fn refusal_v4(ip: Ipv4Addr) -> Option<&'static str> {
    let found = V4.iter().find(|(range, _)| range.contains(&ip));
    found.map(|(_, why)| *why)
}

fn refusal_v6(ip: Ipv6Addr) -> Option<&'static str> {
    let [
        _,
        _,
        b2,
        b3,
        b4,
        b5,
        b6,
        b7,
        b8,
        b9,
        b10,
        b11,
        b12,
        b13,
        b14,
        b15,
    ] = ip.octets();
    let last = Ipv4Addr::new(b12, b13, b14, b15);
    // Where an IPv4 address travels inside, it is what is reached.
    if MAPPED.contains(&ip) || NAT64.contains(&ip) {
        return refusal_v4(last);
    }
    if SIX_TO_FOUR.contains(&ip) {
        return refusal_v4(Ipv4Addr::new(b2, b3, b4, b5));
    }
    if TEREDO.contains(&ip) {
        let server = Ipv4Addr::new(b4, b5, b6, b7);
        let client = Ipv4Addr::new(!b12, !b13, !b14, !b15);
        return refusal_v4(server).or_else(|| refusal_v4(client));
    }
    let found = V6.iter().find(|(range, _)| range.contains(&ip));
    if let Some((_, why)) = found {
        return Some(why);
    }
    if !GLOBAL_UNICAST.contains(&ip) {
        return Some("not handed out");
    }
    // ISATAP (RFC 5214, section 6.1): a tunnel to the IPv4 address at the end.
    let isatap = matches!([b8, b9, b10, b11], [0 | 2, 0, 0x5e, 0xfe]);
    if isatap { refusal_v4(last) } else { None }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn of(ip: &str) -> Option<&'static str> {
        refusal(ip.parse().unwrap())
    }

    /// Every row of both tables: its first and its last address are refused, for its reason or for
    /// that of a row before it.
    #[test]
    fn every_range_is_refused_from_its_first_address_to_its_last() {
        for (range, why) in V4 {
            for ip in [range.network(), range.broadcast()] {
                assert!(refusal_v4(ip).is_some(), "{ip}: {why}");
            }
            let middle = range.hosts().next().unwrap();
            assert!(refusal_v4(middle).is_some(), "{middle}: {why}");
        }
        for (range, why) in V6 {
            for ip in [range.network(), range.broadcast()] {
                assert!(refusal_v6(ip).is_some(), "{ip}: {why}");
            }
        }
    }

    /// One address of each kind, by the reason that it is refused for. Red for each row that is
    /// taken out.
    #[test]
    fn each_kind_of_address_is_refused_for_its_own_reason() {
        for (ip, why) in [
            ("169.254.169.254", "cloud metadata"),
            ("169.254.170.2", "cloud metadata"),
            ("168.63.129.16", "cloud metadata"),
            ("100.100.100.200", "cloud metadata"),
            ("192.0.0.192", "cloud metadata"),
            ("0.0.0.0", "this network"),
            ("0.1.2.3", "this network"),
            ("10.1.2.3", "private"),
            ("100.64.0.1", "shared by a provider's customers"),
            ("127.0.0.1", "loopback"),
            ("127.255.255.254", "loopback"),
            ("169.254.1.1", "link-local"),
            ("172.16.0.1", "private"),
            ("172.31.255.255", "private"),
            ("192.0.0.8", "protocol assignments"),
            ("192.0.2.1", "documentation"),
            ("192.88.99.1", "6to4 relays"),
            ("192.168.1.1", "private"),
            ("198.18.0.1", "benchmarking"),
            ("198.19.255.255", "benchmarking"),
            ("198.51.100.1", "documentation"),
            ("203.0.113.1", "documentation"),
            ("224.0.0.1", "multicast"),
            ("239.255.255.255", "multicast"),
            ("240.0.0.1", "reserved"),
            ("255.255.255.255", "broadcast"),
            ("fd00:ec2::254", "cloud metadata"),
            ("fd20:ce::254", "cloud metadata"),
            ("::", "unspecified"),
            ("::1", "loopback"),
            ("::7f00:1", "IPv4-compatible"),
            ("::8.8.8.8", "IPv4-compatible"),
            ("::ffff:0:7f00:1", "IPv4-translated"),
            ("64:ff9b:1::a00:1", "local translation"),
            ("100::1", "discard"),
            ("2001:2::1", "benchmarking"),
            ("2001:db8::1", "documentation"),
            ("3fff::1", "documentation"),
            ("2001:10::1", "protocol assignments"),
            ("2001:20::1", "protocol assignments"),
            ("5f00::1", "segment routing"),
            ("fc00::1", "unique local"),
            ("fd12:3456::1", "unique local"),
            ("fe80::1", "link-local"),
            ("fec0::1", "site-local"),
            ("ff02::1", "multicast"),
            ("4000::1", "not handed out"),
            ("200::1", "not handed out"),
        ] {
            assert_eq!(of(ip), Some(why), "{ip}");
        }
    }

    /// Red when what travels inside is not looked at.
    #[test]
    fn an_ipv4_address_inside_an_ipv6_one_is_judged_as_itself() {
        for (ip, why) in [
            ("::ffff:127.0.0.1", "loopback"),
            ("::ffff:10.0.0.1", "private"),
            ("::ffff:169.254.169.254", "cloud metadata"),
            ("64:ff9b::127.0.0.1", "loopback"),
            ("64:ff9b::169.254.169.254", "cloud metadata"),
            ("2002:7f00:1::1", "loopback"),
            ("2002:a9fe:a9fe::1", "cloud metadata"),
            ("2002:c0a8:101::", "private"),
            // Teredo: the server 10.0.0.1; then a public server, and the client 10.0.0.1, inverted.
            ("2001:0:a00:1::", "private"),
            ("2001:0:808:808:0:0:f5ff:fffe", "private"),
            ("2600:1::5efe:a00:1", "private"),
            ("2600:1::200:5efe:7f00:1", "loopback"),
        ] {
            assert_eq!(of(ip), Some(why), "{ip}");
        }
        for public in [
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
            "2001:0:808:808:0:0:f7f7:f7f7",
            "2600:1::5efe:808:808",
        ] {
            assert_eq!(of(public), None, "{public}");
        }
    }

    #[test]
    fn what_lies_just_outside_is_public() {
        for ip in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700:4700::1111",
            "2a00::1",
            "3ffe::1",
        ] {
            assert_eq!(of(ip), None, "{ip}");
        }
    }
}
