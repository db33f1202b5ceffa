"""Facts about the project itself: layers, types, versions, and what no file may say."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SOURCES = sorted((ROOT / "supple").rglob("*.py"))
COMPILER_DECORATORS = {"kernel", "intrinsic", "overload", "overload_method", "lower_builtin", "unbox", "box"}


def project_files():
    """Return every text file of the project that is kept or would be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path.is_file() and b"\0" not in path.read_bytes()[:4096]:
            yield path


def unannotated(tree):
    """Yield every function that lacks an annotation and does not stand under the compiler."""

    def visit(node, is_compiled):
        for child in ast.iter_child_nodes(node):
            inside = is_compiled
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                decorators = {ast.unparse(d).split("(")[0].split(".")[-1] for d in child.decorator_list}
                inside = is_compiled or bool(decorators & COMPILER_DECORATORS)
                arguments = child.args
                named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
                named += [star for star in (arguments.vararg, arguments.kwarg) if star]
                needed = [a for a in named if a.arg not in ("self", "cls")]
                if not inside and (child.returns is None or any(a.annotation is None for a in needed)):
                    yield child
            yield from visit(child, inside)

    yield from visit(tree, False)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_function_without_annotations_is_a_kernel(path):
    found = [f"{f.name}, line {f.lineno}" for f in unannotated(ast.parse(path.read_text(encoding="utf-8")))]
    assert found == []


def test_only_the_kernel_decorator_uses_the_compiler_directly():
    direct = re.compile(r"^\s*@(numba\.)?n?jit\b", re.MULTILINE)
    found = [path.name for path in SOURCES if direct.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_layers_are_kept():
    answer = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_versions_agree():
    import supple

    told = PROJECT["project"]["version"]
    assert version("supple") == told
    assert supple.__version__ == told
    assert f"## [{told}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_citation_names_this_version_and_the_five_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(citation["version"]) == PROJECT["project"]["version"]
    assert citation["license"] == PROJECT["project"]["license"]
    assert len(citation["references"]) == 5
    assert all(paper["authors"] and paper["title"] and paper["year"] for paper in citation["references"])


def test_workflows_and_forms_are_well_formed():
    for path in sorted((ROOT / ".github").rglob("*.yml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        if path.parent.name == "workflows":
            steps = [step for job in content["jobs"].values() for step in job["steps"]]
            assert all("uses" in step or "run" in step for step in steps), path.name
        elif path.name != "config.yml":
            assert content["name"] and content["description"] and content["body"], path.name


def test_the_readme_lists_every_extra():
    table = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [
        name for name in PROJECT["project"]["optional-dependencies"] if f"\n| `{name}` |" not in table
    ] == []


def test_constraints_hold_names_and_versions_only_and_cover_what_is_needed():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9._-]+==[0-9][\w.]*", pin) for pin in pins)
    pinned = {pin.split("==")[0] for pin in pins}
    wanted = list(PROJECT["project"]["dependencies"])
    for extra in PROJECT["project"]["optional-dependencies"].values():
        wanted += extra
    assert {re.match(r"[\w.-]+", name)[0].lower() for name in wanted} <= pinned


def outside_imports(tree):
    """Yield the first name of everything that a file imports as soon as it is itself imported."""
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").split(".")[0]
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting.extend(ast.iter_child_nodes(node))


def test_what_is_imported_is_what_is_installed_without_extras():
    names = {re.match(r"[\w-]+", need)[0].replace("-", "_") for need in PROJECT["project"]["dependencies"]}
    brought = {"llvmlite", "pydantic_core", "click"}  # by numba, pydantic and typer
    known = names - {"pillow"} | {"PIL", "supple"} | brought | set(sys.stdlib_module_names)
    unknown = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in SOURCES
        for name in outside_imports(ast.parse(path.read_text(encoding="utf-8")))
        # Environments are classes of Gymnasium; `supple.learn` says what is missing before it loads them.
        if name not in known and not (name == "gymnasium" and path.parent.name == "learn")
    }
    assert unknown == set()


def test_readme_shows_the_two_commands_first():
    head = (ROOT / "README.md").read_text(encoding="utf-8")[:800]
    assert head.index("make play") < head.index("make test")


def test_links_between_documents_lead_somewhere():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for document in documents:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_no_file_tells_where_packages_came_from():
    hosts = re.compile(
        "|".join(["pypi" + r"\.org", "python" + r"hosted\.", "index-" + "url", "find-" + "links"])
    )
    found = [str(path.relative_to(ROOT)) for path in project_files() if hosts.search(path.read_text("utf-8"))]
    assert found == []


def test_no_file_names_a_folder_of_somebodys_machine():
    places = re.compile("|".join(["/" + "home/", "/" + r"root/\.", "/" + "Users/", "/" + "work/"]))
    found = [
        str(path.relative_to(ROOT)) for path in project_files() if places.search(path.read_text("utf-8"))
    ]
    assert found == []


def test_pytest_treats_warnings_as_errors():
    assert "error" in PROJECT["tool"]["pytest"]["ini_options"]["filterwarnings"]


def test_make_without_a_goal_lists_the_goals():
    answer = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
    for goal in ("play", "test", "lint", "bench"):
        assert f"make {goal} " in answer.stdout
