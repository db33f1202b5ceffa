import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
import typer

from supple.cli import app
from supple.doctor import EXTRAS

ROOT = Path(__file__).parents[1]

SCENE = """
title = "A small sheet"
duration = 0.2

[cloth.sheet]
rectangle = { width = 1.0, height = 1.0, columns = 6, rows = 6 }
pin = ["top-left", "top-right"]
"""

TWO_MISTAKES = """
[cloth.sheet]
rectangle = { width = -1.0, height = 1.0, columns = 6, rows = 6 }
pin = ["top-lefft"]
"""


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "sheet.toml"
    path.write_text(SCENE, encoding="utf-8")
    return path


def supple(*arguments, **options):
    """Run the command line as users do, in a process of its own."""
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=300, **options)


def command(*arguments):
    return [sys.executable, "-m", "supple", *map(str, arguments)]


def is_plain_refusal(answer):
    """Tell whether a command ended with a reason on the error stream, and no traceback."""
    return answer.returncode == 2 and answer.stderr.startswith("error: ") and "Traceback" not in answer.stderr


# ---------------------------------------------------------------- help


def test_help_names_every_command():
    answer = supple("--help")
    assert answer.returncode == 0
    for name in ("run", "scenes", "check", "bench", "doctor"):
        assert f" {name} " in answer.stdout


@pytest.mark.parametrize("module", ["supple", "supple.cli", "supple.record"])
def test_nothing_heavy_is_imported_at_the_start(module):
    program = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"numba", "llvmlite", "numpy", "scipy", "pydantic", "trimesh", "PIL"}
    assert heavy.isdisjoint(loaded.stdout.split())


def test_no_command_imports_the_compiler_for_its_help():
    program = "import sys, supple.cli as c\ntry: c.main()\nexcept SystemExit: print(*sys.modules)"
    for name in ("run", "scenes", "check", "bench", "doctor"):
        answer = subprocess.run(
            [sys.executable, "-c", program, name, "--help"], capture_output=True, text=True, check=True
        )
        assert "numba" not in answer.stdout.splitlines()[-1].split()


def test_version_is_told():
    assert supple("--version").stdout.startswith("supple ")


def test_unknown_option_is_refused_without_a_traceback():
    answer = supple("run", "corners", "--secnds", "1")
    assert answer.returncode == 2
    assert "Traceback" not in answer.stderr


# ---------------------------------------------------------------- run


def test_run_writes_what_was_asked_for_and_says_where(scene, tmp_path):
    answer = supple(
        "run", scene, "--out", tmp_path / "o" / "s.obj", "--out", tmp_path / "s.png", "--size", "60x40"
    )
    assert answer.returncode == 0, answer.stderr
    assert len(list((tmp_path / "o").glob("s-*.obj"))) == 11
    assert (tmp_path / "s.png").read_bytes().startswith(b"\x89PNG")
    assert "s-0000.obj to s-0010.obj, 11 files" in answer.stdout
    assert f"wrote {tmp_path / 's.png'}" in answer.stdout
    assert "frame 10 of 10" in answer.stderr


def test_run_answers_in_json_alone_on_the_output_stream(scene):
    answer = supple("run", scene, "--seconds", "0.1", "--integrator", "xpbd", "--substeps", "4", "--json")
    summary = json.loads(answer.stdout)
    assert summary["frames"] == 5
    assert summary["seconds"] == pytest.approx(0.1)
    assert summary["integrator"] == "xpbd"
    assert summary["diverged_frames"] == 0
    assert summary["files"] == []


def test_run_twice_gives_the_same_files(scene, tmp_path):
    for name in ("a", "b"):
        supple("run", scene, "--seconds", "0.1", "--seed", "3", "--out", tmp_path / name / "s.obj")
    first, second = ((tmp_path / name / "s-0005.obj").read_bytes() for name in ("a", "b"))
    assert first == second


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--out", "drape.objj"], "Known endings"),
        (["--out", "drape"], "no ending"),
        (["--seconds", "0"], "--seconds"),
        (["--seconds", "nan"], "--seconds"),
        (["--seconds", "-1"], "--seconds"),
        (["--substeps", "many"], "whole number"),
        (["--substeps", "0"], "substeps"),
        (["--integrator", "euler"], "integrator"),
        (["--seed", "-1"], "seed"),
        (["--size", "big"], "--size"),
        (["--out", "x.png", "--size", "99999x10"], "pixels"),
    ],
)
def test_run_refuses_what_it_cannot_do(scene, tmp_path, arguments, reason):
    answer = supple("run", scene, "--seconds", "0.02", *arguments, cwd=tmp_path)
    assert is_plain_refusal(answer), answer.stderr
    assert reason in answer.stderr


def test_run_refuses_an_output_that_cannot_be_written(scene, tmp_path):
    answer = supple("run", scene, "--out", scene / "below-a-file.obj")
    assert is_plain_refusal(answer), answer.stderr
    assert "cannot write" in answer.stderr


LONG = "a" * 300


@pytest.mark.parametrize(
    "words",
    [
        ("run", "corners", "--out", "."),
        ("run", "corners", "--out", ""),
        ("run", "corners", "--seconds", "0.02", "--out", f"{LONG}.obj"),
        ("convert", f"{LONG}.npz", "b.npz"),
        ("plot", ""),
        pytest.param(
            ("check", "/dev/zero"), marks=pytest.mark.skipif(os.name != "posix", reason="no such device")
        ),
    ],
)
def test_names_that_name_no_file_are_refused(words, tmp_path):
    answer = supple(*words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert is_plain_refusal(answer), answer.stderr[-2000:]
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="no such device")
def test_files_without_an_end_are_not_read_to_their_end():
    from supple import SuppleError, read_scene, read_script

    for read in (read_scene, read_script):
        with pytest.raises(SuppleError, match="larger than"):
            read("/dev/zero")


def test_unknown_scene_is_refused():
    answer = supple("run", "no-such-scene")
    assert is_plain_refusal(answer), answer.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_interrupted_run_ends_cleanly_and_says_what_was_written(scene, tmp_path):
    outputs = ["--out", str(tmp_path / "s.obj"), "--out", str(tmp_path / "s.png"), "--size", "60x40"]
    # A parent may have told its children to ignore Ctrl-C, as shells do for background jobs.
    program = "import signal as s; s.signal(s.SIGINT, s.default_int_handler); import supple.__main__"
    arguments = ["run", str(scene), "--seconds", "190", *outputs]
    process = subprocess.Popen([sys.executable, "-c", program, *arguments], stderr=subprocess.PIPE, text=True)
    try:
        while process.poll() is None and not (tmp_path / "s-0003.obj").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert "interrupted after frame" in errors
    assert "s-0000.obj to s-" in errors
    assert f"wrote {tmp_path / 's.png'}" in errors
    assert (tmp_path / "s.png").is_file()


# ---------------------------------------------------------------- check and scenes


def test_check_says_ok_and_shows_the_bodies(scene):
    answer = supple("check", scene)
    assert answer.returncode == 0, answer.stderr
    assert "ok (A small sheet)" in answer.stdout
    assert "sheet" in answer.stdout and "36" in answer.stdout
    assert "largest stable explicit step" in answer.stdout


def test_check_counts_intersections_when_asked(scene, tmp_path):
    assert "intersections: 0\n" in supple("check", scene, "--intersections").stdout
    path = tmp_path / "crossed.toml"
    path.write_text(
        '[cloth.flat]\nrectangle = { width = 1.0, height = 1.0, columns = 5, rows = 5, plane = "xz" }\n'
        "[cloth.upright]\nrectangle = { width = 1.0, height = 1.0, columns = 5, rows = 5 }\nat = [0.1, 0.1, 0.1]\n"
    )
    assert ", of flat and upright\n" in supple("check", path, "--intersections").stdout
    facts = json.loads(supple("check", path, "--intersections", "--json").stdout)
    assert facts["intersections"] > 4 and facts["intersected"] == ["flat", "upright"]


def test_check_refuses_what_a_simulation_would_refuse(tmp_path):
    path, contact = tmp_path / "crossed.toml", 'self_contact = "exact"\n'
    path.write_text(
        '[cloth.flat]\nrectangle = { width = 1.0, height = 1.0, columns = 5, rows = 5, plane = "xz" }\n'
        f"{contact}[cloth.upright]\nrectangle = {{ width = 1.0, height = 1.0, columns = 5, rows = 5 }}\n"
        f"at = [0.1, 0.1, 0.1]\n{contact}"
    )
    answer = supple("check", path)
    assert is_plain_refusal(answer), answer.stderr
    assert "cannot begin" in answer.stdout and "untangle" in answer.stderr
    answer = supple("check", path, "--json")
    assert answer.returncode == 2 and json.loads(answer.stdout)["refused"]


def test_check_answers_in_json(scene):
    facts = json.loads(supple("check", scene, "--json").stdout)
    assert facts["bodies"][0]["points"] == 36
    assert facts["bodies"][0]["mass"] > 0.0
    assert facts["stable_step"] > 0.0


def test_check_lists_every_mistake(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(TWO_MISTAKES, encoding="utf-8")
    answer = supple("check", path)
    assert is_plain_refusal(answer), answer.stderr
    assert "2 mistakes" in answer.stderr
    assert "cloth.sheet" in answer.stderr


@pytest.mark.parametrize("text", ["", "this is not toml", "\x00\x01", "[cloth.a]\n"])
def test_check_refuses_files_that_are_no_scenes(tmp_path, text):
    path = tmp_path / "odd.toml"
    path.write_text(text, encoding="utf-8")
    assert is_plain_refusal(supple("check", path))


def test_check_refuses_files_that_are_not_text(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_bytes(b"\xff\xfe\x00\x80")
    assert is_plain_refusal(supple("check", path))
    assert is_plain_refusal(supple("check", tmp_path))


def test_scenes_lists_the_gallery_one_line_each():
    answer = supple("scenes")
    gallery = Path(__file__).parent.parent / "supple" / "gallery"
    names = sorted(path.stem for path in gallery.glob("*.toml"))
    assert [line.split()[0] for line in answer.stdout.splitlines()] == names
    assert all(len(line.split(maxsplit=1)) == 2 for line in answer.stdout.splitlines())


def test_scenes_lists_those_of_one_paper_and_knows_no_other():
    names = [line.split()[0] for line in supple("scenes", "--paper", "kang-2000").stdout.splitlines()]
    assert names == ["kang-flag", "kang-ribbon", "kang-self-collision"]
    every = [line.split()[0] for line in supple("scenes", "--paper", "all").stdout.splitlines()]
    assert set(names) < set(every)
    answer = supple("scenes", "--paper", "kang")
    assert is_plain_refusal(answer)
    assert 'Did you mean "kang-2000"?' in answer.stderr


# ---------------------------------------------------------------- doctor and bench


def test_doctor_knows_every_extra():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    for extra in ("dev", "docs"):  # for those who change supple, not for those who use it
        extras.pop(extra)
    assert EXTRAS.keys() == extras.keys()
    for extra, needed in extras.items():
        names = {re.match(r"[\w-]+", line)[0] for line in needed}
        assert names <= set(EXTRAS[extra]), extra


def test_help_keeps_its_units():
    """Square brackets are markup to the library that prints help."""
    found = []
    for name, command in typer.main.get_command(app).commands.items():
        for option in command.params:
            text = getattr(option, "help", None) or ""
            found += [f"{name} {option.name}" for _ in re.findall(r"(?<!\\)\[[a-z]", text)]
    assert not found, "write a backslash before the bracket"
    assert "look from [degrees]" in " ".join(supple("shot", "--help").stdout.split())


def test_doctor_answers_in_json():
    facts = json.loads(supple("doctor", "--json").stdout)
    assert facts["packages"]["numba"]
    assert facts["threads"]["large_scenes"] >= 1
    assert facts["kernel_cache"]["folder"]


def test_doctor_tells_of_a_cache_that_cannot_be_written(tmp_path):
    (tmp_path / "a-file").write_text("in the way")
    environment = {**os.environ, "SUPPLE_CACHE_DIR": str(tmp_path / "a-file" / "cache")}
    answer = supple("doctor", env=environment)
    assert answer.returncode == 1
    assert "Traceback" not in answer.stderr
    assert "SUPPLE_CACHE_DIR" in answer.stderr


def test_warnings_are_told_in_a_line_of_their_own(scene, tmp_path):
    (tmp_path / "a-file").write_text("in the way")
    environment = {
        **os.environ,
        "SUPPLE_CACHE_DIR": str(tmp_path / "a-file" / "cache"),
        "NUMBA_DISABLE_JIT": "1",
    }
    answer = supple("check", scene, env=environment)
    assert "warning: the kernel cache" in answer.stderr
    assert "RuntimeWarning" not in answer.stderr


def test_bench_refuses_an_unknown_name():
    answer = supple("bench", "no-such-benchmark")
    assert answer.returncode == 2
    assert "Traceback" not in answer.stderr


# ---------------------------------------------------------------- scripts


def test_a_script_is_replayed_and_a_wrong_one_refused(scene, tmp_path):
    script = tmp_path / "edits.toml"
    script.write_text(
        '[[edit]]\nkind = "cut"\ntime = 0.04\nbody = "sheet"\n'
        "plane_point = [0.05, 0.0, 0.0]\nplane_normal = [1.0, 0.1, 0.0]\n",
        encoding="utf-8",
    )
    answer = supple("run", scene, "--script", script, "--out", tmp_path / "cut.obj")
    assert answer.returncode == 0, answer.stderr
    names = {path.stem.split("_")[0] for path in tmp_path.rglob("*.obj")}
    text = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.obj"))
    assert names and "sheet-piece-1" in text
    script.write_text('[[edit]]\nkind = "cutt"\n', encoding="utf-8")
    answer = supple("run", scene, "--script", script)
    assert is_plain_refusal(answer) and 'Did you mean "cut"' in answer.stderr


def test_doctor_tells_of_threads():
    told = json.loads(supple("doctor", "--json", env={**os.environ, "SUPPLE_THREADS": "3"}).stdout)
    assert told["threads"] == {"large_scenes": 3, "SUPPLE_THREADS": "3"}
    wrong = supple("doctor", env={**os.environ, "SUPPLE_THREADS": "all"})
    assert wrong.returncode == 1
    assert "SUPPLE_THREADS" in wrong.stderr


def test_run_takes_threads():
    assert supple("run", "chain", "--seconds", "0.02", "--threads", "2").returncode == 0
    refused = supple("run", "chain", "--threads", "0")
    assert refused.returncode == 2
    assert "--threads" in refused.stderr
