//! A folder of its own for every test, and the binary run inside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use regex::Regex;
use tempfile::TempDir;

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_loadfactor");
/// How long to wait for something that happens within a second.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder that is gone after the test.
pub struct Sandbox(TempDir);

/// What a finished command left behind.
#[derive(Debug)]
pub struct Done {
    status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Sandbox {
    /// A folder with these definitions below `experiments`.
    pub fn new(definitions: &[(&str, &str)]) -> Self {
        let sandbox = Self(tempfile::tempdir().unwrap());
        fs::create_dir(sandbox.path("experiments")).unwrap();
        for (name, text) in definitions {
            sandbox.write(&format!("experiments/{name}.toml"), text);
        }
        sandbox
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A program that is to run inside the sandbox.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    /// Runs the binary to its end; the arguments are separated by blanks.
    pub fn run(&self, arguments: &str) -> Done {
        Done::run(self.command(BINARY).args(arguments.split_whitespace()))
    }

    /// Starts the binary.
    pub fn start(&self, arguments: &str) -> Running {
        let mut command = self.command(BINARY);
        command.args(arguments.split_whitespace());
        Running(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Waits until the journal in the folder holds finished batches.
    pub fn await_batches(&self, folder: &str) {
        let journal = self.path(folder).join("journal");
        let started = Instant::now();
        while fs::metadata(&journal).map_or(0, |file| file.len()) < 2048 {
            assert!(started.elapsed() < PATIENCE, "no batch was finished in {folder}");
            sleep(Duration::from_millis(1));
        }
    }

    /// Waits until there is a file.
    pub fn await_file(&self, name: &str) {
        let started = Instant::now();
        while !self.path(name).exists() {
            assert!(started.elapsed() < PATIENCE, "{name} was not written");
            sleep(Duration::from_millis(1));
        }
    }

    /// The files of a folder of results that the same experiment gives byte for byte.
    pub fn results(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let own = ["journal", "lock", "manifest.json"];
        let files = fs::read_dir(self.path(folder)).unwrap().map(|entry| entry.unwrap().path());
        let named = files.map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        });
        named.filter(|(name, _)| !own.contains(&name.as_str())).collect()
    }

    /// Asserts that two folders hold the same results.
    #[track_caller]
    pub fn assert_same(&self, one: &str, other: &str) {
        let (one, other) = (self.results(one), self.results(other));
        assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
        assert!(one.contains_key("table.csv"));
        for (name, bytes) in &one {
            assert!(bytes == &other[name], "{name} differs");
        }
    }
}

impl Done {
    /// Runs a command to its end.
    pub fn run(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self {
            status: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Asserts the exit status.
    #[track_caller]
    pub fn exits(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{}{}", self.stdout, self.stderr);
        self
    }
}

/// A command under way; killed when dropped.
pub struct Running(Child);

impl Running {
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Ends it without a chance to tidy up.
    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Waits for its end.
    pub fn wait(mut self) -> Done {
        let mut stderr = String::new();
        let mut pipe = self.0.stderr.take().unwrap();
        std::io::Read::read_to_string(&mut pipe, &mut stderr).unwrap();
        Done { status: self.0.wait().unwrap().code(), stdout: String::new(), stderr }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The text with what differs from run to run blotted out.
pub fn redacted(text: &str) -> String {
    let differing = [
        (r"in \d+\.\d s", "in [time]"),
        (r"[\d,]+/s", "[rate]"),
        (r", about [\d.]+ \w+ left\)", ", about [time] left)"),
        (r"process \d+( on [\w.-]+)?", "process [id]"),
    ];
    differing.into_iter().fold(text.to_owned(), |text, (pattern, blot)| {
        Regex::new(pattern).unwrap().replace_all(&text, blot).into_owned()
    })
}
