//! Processes that end before their time (killed, interrupted, at a limit, on a full disk): what they leave
//! behind, how fast they end, and what they say.
//!
//! What is random is short here and long in the tests that are ignored, which are for optimised builds:
//! `cargo test --release -p bestplay --test all endings -- --ignored --test-threads 1`.

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

const BESTPLAY: &str = env!("CARGO_BIN_EXE_bestplay");
/// Beyond this something hangs.
const FOR_EVER: Duration = Duration::from_mins(10);

/// Every command that writes files, and the files. `MODEL` is a model file.
const WRITERS: [(&str, &[&str]); 6] = [
    ("red-november routes --svg plan.svg", &["plan.svg"]),
    ("gamebook map fire-on-the-water --output map.svg", &["map.svg"]),
    (
        "slay-the-spire solve --enemy-hp 50 --export-model cultist.umb --export-policy cultist.csv",
        &["cultist.umb", "cultist.csv"],
    ),
    (
        "fighting-fantasy fight --skill 9 --stamina 16 --luck 8 --enemy 9/12 --export-model orc.drn --export-policy orc.csv",
        &["orc.drn", "orc.csv"],
    ),
    (
        "gamebook solve fire-on-the-water --start 33 --export-model book.drn --export-policy book.csv",
        &["book.drn", "book.csv"],
    ),
    (
        "mdp solve MODEL --goal finished --certificate proof.txt --export-model model.drn --export-policy model.csv --all-states states.csv",
        &["proof.txt", "model.drn", "model.csv", "states.csv"],
    ),
];

/// Commands of every kind, most of them long. `MODEL` is a model file.
const ANY: [&str; 11] = [
    "gamebook solve fire-on-the-water",
    "gamebook solve fire-on-the-water --exact",
    "gamebook check fire-on-the-water",
    "gamebook advise fire-on-the-water --at 200",
    "gamebook map fire-on-the-water --solve -o map.svg",
    "gamebook solve crypt-of-the-sorcerer --policy mode-1 --exact",
    "mdp solve MODEL --goal finished --exact",
    "slay-the-spire solve --export-model cultist.drn",
    "fighting-fantasy heuristics --all",
    "fighting-fantasy fight --skill 12 --stamina 1000 --luck 0 --enemy 12/1000 --constant-luck 9",
    "serve --port 0",
];

/// A model file of some size: from every state a safe way, and a short one that may lead back.
fn model() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        const STATES: usize = 5_000;
        let mut text = format!("@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n{STATES}\n@model\n");
        for state in 0..STATES - 1 {
            let label = if state == 0 { " init" } else { "" };
            let (next, far, back) = (state + 1, (state + 3).min(STATES - 1), state / 40 * 40);
            let _ = writeln!(
                text,
                "state {state}{label}\n\taction 0\n\t\t{next} : 1\n\taction 1\n\t\t{far} : 2/3\n\t\t{back} : 1/3"
            );
        }
        let last = STATES - 1;
        let _ = writeln!(text, "state {last} finished\n\taction 0\n\t\t{last} : 1");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endings.drn");
        fs::write(&path, text).unwrap();
        path
    })
}

fn start(line: &str, folder: &Path) -> Child {
    let word = |word| if word == "MODEL" { model().as_os_str() } else { OsStr::new(word) };
    Command::new(BESTPLAY)
        .args(line.split(' ').map(word))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Whether a file is being written, or was left behind.
fn has_temporary(folder: &Path) -> bool {
    names(folder).iter().any(|name| name.starts_with(".bestplay-"))
}

/// Waits until the command ends by itself, or until `until` says so: whether it ended.
fn wait(child: &mut Child, mut until: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    loop {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        if until() {
            return false;
        }
        assert!(began.elapsed() < FOR_EVER, "it never ends");
        sleep(Duration::from_micros(300));
    }
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it is our child");
}

/// A folder with old files, what will be in the new ones, and how long that takes.
struct Scene {
    folder: TempDir,
    new: Vec<(PathBuf, Vec<u8>)>,
    takes: Duration,
}

const OLD: &[u8] = b"as it was\n";

impl Scene {
    fn new(line: &str, files: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let began = Instant::now();
        let ended = start(line, folder.path()).wait_with_output().unwrap();
        assert!(ended.status.success(), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
        let takes = began.elapsed();
        let new =
            files.iter().map(|file| folder.path().join(file)).map(|file| (file.clone(), fs::read(&file).unwrap()));
        Self { new: new.collect(), folder, takes }
    }

    /// Puts the old files back.
    fn reset(&self) {
        for name in names(self.folder.path()) {
            fs::remove_file(self.folder.path().join(name)).unwrap();
        }
        for (file, _) in &self.new {
            fs::write(file, OLD).unwrap();
        }
    }

    /// Every file must be the old one or the new one.
    fn check(&self, what: &str) {
        for (file, new) in &self.new {
            let now = fs::read(file).unwrap_or_else(|error| panic!("{what}: {}: {error}", file.display()));
            assert!(
                now == OLD || now == *new,
                "{what}: {} is neither old nor new: {} bytes",
                file.display(),
                now.len()
            );
        }
    }

    fn is_writing(&self) -> bool {
        has_temporary(self.folder.path())
    }

    /// Runs the command and stops it at a random moment, every other time while it writes. Whether it was stopped.
    fn stop(&self, line: &str, signal: Signal, random: &mut StdRng) -> bool {
        self.reset();
        let mut child = start(line, self.folder.path());
        let began = Instant::now();
        let moment = self.takes.mul_f64(random.random_range(0.0..1.1));
        let during = random.random_bool(0.5);
        let more = Duration::from_micros(random.random_range(0..3_000));
        let ended = wait(&mut child, || if during { self.is_writing() } else { began.elapsed() > moment });
        if ended {
            return false;
        }
        if during {
            sleep(more);
        }
        send(&child, signal);
        wait(&mut child, || false);
        child.wait().unwrap();
        true
    }
}

/// Kills every command so many times. Where the system starts it faster than before it may end first: then once more.
fn killed(times: u32, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    for (line, files) in WRITERS {
        let scene = Scene::new(line, files);
        let (mut killed, mut runs) = (0, 0);
        while killed < times {
            assert!(runs < 50 * times, "{line} ended before it was killed, all but {killed} of {runs} times");
            killed += u32::from(scene.stop(line, Signal::KILL, &mut random));
            runs += 1;
            scene.check(line);
        }
        println!("{line}: {killed} of {runs} killed");
    }
}

fn interrupted_writers(times: u32, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    for (line, files) in WRITERS {
        let scene = Scene::new(line, files);
        for _ in 0..times {
            scene.stop(line, ENDING[random.random_range(0..2)].0, &mut random);
            scene.check(line);
            assert!(!scene.is_writing(), "{line}: a temporary file is left: {:?}", names(scene.folder.path()));
        }
    }
}

#[test]
fn killed_at_any_moment_files_are_old_or_new() {
    killed(1, 1);
}

#[test]
#[ignore = "takes minutes"]
fn killed_at_a_hundred_moments_files_are_old_or_new() {
    killed(100, 2);
}

#[test]
fn interrupted_at_any_moment_nothing_is_left() {
    interrupted_writers(1, 3);
}

#[test]
#[ignore = "takes minutes"]
fn interrupted_at_a_hundred_moments_nothing_is_left() {
    interrupted_writers(100, 4);
}

/// The signals after which a command ends in good order, its exit code, and what it says.
const ENDING: [(Signal, i32, &str); 2] = [(Signal::INT, 130, "interrupted"), (Signal::TERM, 143, "terminated")];

/// Sends one of these signals at random moments of the first `within` and returns the longest time to the end.
fn interrupted(times: u32, within: Duration, seed: u64) -> Duration {
    let mut random = StdRng::seed_from_u64(seed);
    let mut longest = Duration::ZERO;
    for line in ANY {
        for _ in 0..times {
            let folder = tempfile::tempdir().unwrap();
            let mut child = start(line, folder.path());
            let began = Instant::now();
            let moment = Duration::from_millis(20) + within.mul_f64(random.random_range(0.0..1.0));
            if wait(&mut child, || began.elapsed() > moment) {
                continue;
            }
            let (signal, code, word) = ENDING[random.random_range(0..2)];
            send(&child, signal);
            let sent = Instant::now();
            wait(&mut child, || false);
            let took = sent.elapsed();
            let output = child.wait_with_output().unwrap();
            // It may just have ended by itself.
            if !output.status.success() {
                let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!((output.status.code(), output.status.signal()), (Some(code), None), "{line}: {stderr}");
                assert!(stderr.contains(word), "{line}: {stderr}");
            }
            assert!(!has_temporary(folder.path()), "{line}");
            longest = longest.max(took);
        }
    }
    println!("after the signal: at most {longest:?}");
    longest
}

#[test]
fn ctrl_c_ends_every_command() {
    // Other tests want the machine too.
    assert!(interrupted(1, Duration::from_secs(1), 5) < Duration::from_secs(10));
}

#[test]
#[ignore = "takes minutes"]
fn ctrl_c_ends_every_command_within_three_tenths_of_a_second() {
    assert!(interrupted(8, Duration::from_secs(2), 6) < Duration::from_millis(300));
}

/// The peak memory of a command, as far as frequent samples show it, and its answer.
fn watched(line: &str) -> (u64, Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(line, folder.path());
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    wait(&mut child, || {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) * 1024);
        false
    });
    let output = child.wait_with_output().unwrap();
    (peak, output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn stays_below(line: &str, megabytes: u64) {
    let line = format!("{line} --max-memory {megabytes}MB");
    let (peak, code, stderr) = watched(&line);
    println!("{line}: exit code {code:?}, peak {} MB", peak / 1_000_000);
    assert!(matches!(code, Some(0 | 1)), "{line}: {code:?} {stderr}");
    assert!(code == Some(0) || stderr.contains("memory"), "{line}: {stderr}");
    let most = megabytes * 1_050_000 + 16_000_000;
    assert!(!Path::new("/proc/self/status").exists() || peak <= most, "{line}: {peak} bytes");
}

#[test]
fn the_limit_on_memory_is_that_of_the_process() {
    stays_below("fighting-fantasy policy --skill-difference 0 --luck 4000", 200);
    stays_below("gamebook solve fire-on-the-water", 60);
}

#[test]
#[ignore = "takes minutes"]
fn fire_on_the_water_stays_within_any_limit_on_memory() {
    for megabytes in (100..=300).step_by(10) {
        stays_below("gamebook solve fire-on-the-water", megabytes);
    }
}

#[test]
fn the_limit_on_time_holds() {
    for line in [
        "gamebook solve fire-on-the-water --exact",
        "gamebook rolled fire-on-the-water",
        "fighting-fantasy heuristics --all",
        "gamebook report fire-on-the-water",
        "gamebook compare fire-on-the-water flight-from-the-dark",
        "gamebook sensitivity fire-on-the-water",
        "gamebook heroes fire-on-the-water",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let output = start(&format!("{line} --max-time 100ms"), folder.path()).wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {stderr}");
        assert!(stderr.contains("the limit of 0.1 s is reached") && stderr.contains("--max-time"), "{line}: {stderr}");
    }
}

/// Readers and changed books have limits of their own within those of the run: whichever of these is reached is reported, at
/// whatever step, and never as an interrupt.
#[test]
fn a_limit_is_reported_as_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let coin = "book \"Coin\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 3\nhero { combat-skill 15; endurance 25; }\n\
        section 1 { pick as=r { when 0 { death; }; else { gain gold r; }; }; choice \"on\" { require \"gold < 50\"; goto 1; }; \
        choice \"stop\" { goto 2; }; }\nsection 2 { fight \"Wolf\" skill=14 endurance=30 { }; goto 3; }\nsection 3 { victory; }\n";
    fs::write(folder.path().join("coin.kdl"), coin).unwrap();
    for line in [
        "gamebook report coin.kdl",
        "gamebook compare coin.kdl fire-on-the-water",
        "gamebook sensitivity coin.kdl",
        "gamebook solve coin.kdl --explain-size",
        "gamebook heroes coin.kdl",
        "gamebook report fire-on-the-water --no-worth",
    ] {
        for limit in [
            "--max-time 1ms",
            "--max-time 5ms",
            "--max-time 20ms",
            "--max-time 60ms",
            "--max-time 300ms",
            "--max-time 1s",
            "--max-memory 12MB",
            "--max-memory 16MB",
            "--max-memory 30MB",
            "--max-states 10",
            "--max-states 1000",
        ] {
            let line = format!("{line} {limit}");
            let output = start(&line, folder.path()).wait_with_output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 1)), "{line}: {:?} {stderr}", output.status);
            assert!(output.status.success() || stderr.contains("the limit of"), "{line}: {stderr}");
        }
    }
}

/// Runs a line of the shell in a folder; `BESTPLAY` in it is the command.
fn shell(line: &str, folder: &Path) -> (Option<i32>, String) {
    let line = line.replace("BESTPLAY", BESTPLAY);
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_full_disk_is_an_error_and_the_old_file_stays() {
    for (line, files) in WRITERS {
        let scene = Scene::new(line, files);
        scene.reset();
        // No file may be larger than one block: writing more fails as on a full disk.
        let line = format!(
            "ulimit -f 1; BESTPLAY {} 2>&1 >/dev/null | cat >&2; ls >&2",
            line.replace("MODEL", model().to_str().unwrap())
        );
        let (_, stderr) = shell(&line, scene.folder.path());
        assert!(stderr.contains("cannot write") && stderr.contains("File too large"), "{line}: {stderr}");
        let (file, _) = &scene.new[0];
        assert_eq!(fs::read(file).unwrap(), OLD, "{line}");
        assert!(!scene.is_writing(), "{line}: {stderr}");
    }
}

#[test]
fn what_cannot_be_printed_is_an_error() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "--help",
        "--version",
        "gamebook solve --help",
        "gamebook check fire-on-the-water",
        "gamebook map fire-on-the-water",
        "red-november routes",
        "red-november routes --format json",
        "lone-wolf fight --combat-skill 15 --endurance 25 --enemy 22/30",
        "fighting-fantasy policy --skill-difference 0 --luck 6 --format csv",
        "slay-the-spire solve --enemy-hp 50",
        "serve --port 0",
    ] {
        let (code, stderr) = shell(&format!("BESTPLAY {line} >/dev/full"), folder.path());
        assert_eq!(code, Some(1), "{line}: {stderr}");
        assert!(stderr.contains("cannot write to standard output"), "{line}: {stderr}");
        // Who has seen enough is no error; nor is there anything to say where standard error is full too.
        let (code, _) = shell(&format!("BESTPLAY {line} >/dev/full 2>/dev/full"), folder.path());
        assert_eq!(code, Some(1), "{line}");
    }
    for line in ["--help", "gamebook solve fire-on-the-water", "mdp solve nothing.drn --goal goal", "serve --port 0"] {
        let (code, stderr) = shell(&format!("BESTPLAY {line} >&-"), folder.path());
        assert_eq!(code, Some(1), "{line}: {stderr}");
        assert!(stderr.contains("cannot write to standard output: it is closed"), "{line}: {stderr}");
    }
    let (code, stderr) = shell("BESTPLAY --help | true", folder.path());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

#[test]
fn devices_stay_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let (code, stderr) = shell("BESTPLAY slay-the-spire solve --enemy-hp 50 --export-policy /dev/null", folder.path());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    if Path::new("/dev/full").exists() {
        let (code, stderr) = shell("BESTPLAY red-november routes --svg /dev/full", folder.path());
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains("cannot write /dev/full"), "{stderr}");
    }
}
