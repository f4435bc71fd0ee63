//! What the binary says about itself and about the definitions.

use insta::assert_snapshot;

use crate::definitions::DUEL;
use crate::sandbox::Sandbox;

#[test]
fn list_and_check() {
    let sandbox = Sandbox::new(&[("duel", DUEL), ("rematch", DUEL)]);
    assert_snapshot!(sandbox.run("list").exits(0).stdout, @"
    duel        4 points  Two choices against one
    rematch     4 points  Two choices against one
    ");
    assert_snapshot!(sandbox.run("check").exits(0).stderr, @"2 definitions with 8 points: no mistake found");
}

#[test]
fn plan_says_what_is_left_and_why() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    let plan = || {
        let plan = sandbox.run("plan duel --threads 2").exits(0).stdout;
        let without_time = |line: &&str| !line.starts_with("  time");
        plan.lines().filter(without_time).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(plan(), @"
    duel: Two choices against one
      points  4 in 2 series
      trials  16 per point, 64 in all
      done    0 trials; 4 batches left
      memory  about 0.2 MB
    ");
    sandbox.run("run duel -q").exits(0);
    assert_snapshot!(plan(), @"
    duel: Two choices against one
      points  4 in 2 series
      trials  16 per point, 64 in all
      done    64 trials; 0 batches left
      memory  about 0.2 MB
    ");
    sandbox.write("experiments/duel.toml", DUEL.replace("rounds = 500", "rounds = 501"));
    assert_snapshot!(plan(), @"
    duel: Two choices against one
      points  4 in 2 series
      trials  16 per point, 64 in all
      done    0 trials; 4 batches left
              4 finished batches do not belong to these points: definition (also a ratio or difference in it), scale, seed, trace or simulation differ
      memory  about 0.2 MB
    ");
}

#[test]
fn a_scheme() {
    let done = Sandbox::new(&[]).run("schemes multiple").exits(0);
    assert!(done.stdout.contains("### `multiple`"));
    assert!(done.stdout.contains("| `choices` | a whole number from 1 to 1024 | – |"));
    assert!(!done.stdout.contains("### `single`"));
}

#[test]
fn completions_and_man_pages_know_every_command() {
    let sandbox = Sandbox::new(&[]);
    let commands = [
        "run", "list", "check", "plan", "predict", "report", "compare", "merge", "schemes", "trace",
    ];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sandbox.run(&format!("completions {shell}")).exits(0).stdout;
        assert!(commands.iter().all(|command| script.contains(command)), "{shell}");
    }
    let page = sandbox.run("man").exits(0).stdout;
    for command in commands {
        assert!(page.contains(&format!("loadfactor\\-{command}")), "{command}");
        let own = sandbox.run(&format!("man {command}")).exits(0).stdout;
        assert!(own.contains(".SH SYNOPSIS"), "{command}");
    }
}

#[test]
fn completions_know_experiments_and_schemes() {
    let sandbox = Sandbox::new(&[("duel", DUEL)]);
    for shell in ["bash", "zsh"] {
        let script = sandbox.run(&format!("completions {shell}")).exits(0).stdout;
        for word in ["duel", "second-chance", "xxh3"] {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
    // Outside of a repository there are none, which is no mistake.
    let mut outside = sandbox.command(crate::sandbox::BINARY);
    outside.current_dir("/").args(["completions", "bash"]);
    assert!(!crate::sandbox::Done::run(&mut outside).exits(0).stdout.contains("duel"));
}

#[test]
fn every_command_has_a_man_page_in_a_folder() {
    let sandbox = Sandbox::new(&[]);
    sandbox.run("man --all man/man1").exits(0);
    let page = |name: &str| sandbox.read(&format!("man/man1/{name}.1"));
    for name in ["loadfactor", "loadfactor-run", "loadfactor-schema", "loadfactor-trace-info"] {
        assert!(page(name).contains(".SH SYNOPSIS"), "{name}");
    }
    assert!(page("loadfactor-run").contains("KEY=VALUE"));
    sandbox.run("man run --all man").exits(2);
}

#[test]
fn long_help_has_examples() {
    let sandbox = Sandbox::new(&[]);
    let (short, long) = (sandbox.run("run -h").exits(0), sandbox.run("run --help").exits(0));
    assert!(!short.stdout.contains("Examples:") && long.stdout.contains("Examples:"));
}
