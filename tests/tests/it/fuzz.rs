//! A short run of the fuzzer, always with the same inputs: `make fuzz` is the long one.

use std::process::Command;

use holdfast_tests::process::binary;

/// Runs the program, which counts memory and so is one of its own.
fn run(inputs: u32) {
    let output = Command::new(binary("fuzz"))
        .args(["--inputs", &inputs.to_string(), "--seed", "5545"])
        // It is not optimised here, and the machine does other things.
        .args(["--patience", "30"])
        .output()
        .expect("the fuzzer starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    for target in ["ics", "rrule", "availability", "address"] {
        let line = said.lines().find(|line| line.starts_with(target));
        let line = line.expect("a line for each target");
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[1], inputs.to_string(), "{line}");
        // A search that finds only what is refused at the door tries nothing.
        let understood: u32 = words[3].parse().expect("per cent");
        assert!(understood >= 10, "{line}");
    }
}

#[test]
fn random_inputs_bring_no_reader_down() {
    run(3_000);
}

#[test]
#[ignore = "long; make soak runs it"]
fn many_more_random_inputs_bring_no_reader_down() {
    run(100_000);
}
