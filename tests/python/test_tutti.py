"""The package tutti of Python: its laws under every launcher, its endings, its face."""

import importlib.util
import inspect
import os
import subprocess
import sys

import pytest
import store

HERE = os.path.dirname(os.path.abspath(__file__))
COMMAND = os.environ["TUTTI_COMMAND"]
LAUNCHERS = dict(entry.split("=", 1) for entry in os.environ.get("TUTTI_LAUNCHERS", "").split(";") if entry)


def run(arguments, **more):
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **more.pop("env", {})}
    return subprocess.run(
        arguments, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, env=environment, **more
    )


def ranks(n, program, *arguments, launcher=(COMMAND, "run", "-n"), **more):
    return run([*launcher, str(n), sys.executable, os.path.join(HERE, program), *arguments], **more)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
def test_laws_of_ranks_that_the_command_starts(n):
    ended = ranks(n, "laws.py")
    assert ended.returncode == 0 and f"all laws hold on {n} ranks" in ended.stdout, ended.stdout


def test_laws_without_a_shared_heap():
    ended = ranks(3, "laws.py", env={"TUTTI_HEAP": "0"})
    assert ended.returncode == 0, ended.stdout


def test_laws_of_a_program_alone():
    ended = run([sys.executable, os.path.join(HERE, "laws.py")])
    assert ended.returncode == 0 and "all laws hold on 1 ranks" in ended.stdout, ended.stdout


def test_a_million_calls_leave_the_memory_as_it_was():
    ended = ranks(2, "memory.py")
    assert ended.returncode == 0 and "calls leave" in ended.stdout, ended.stdout


@pytest.mark.parametrize("mpi", sorted(LAUNCHERS))
def test_laws_of_ranks_that_an_mpirun_starts(mpi):
    ended = ranks(2, "laws.py", "--calls", "200", launcher=LAUNCHERS[mpi].split())
    assert ended.returncode == 0 and "all laws hold on 2 ranks" in ended.stdout, ended.stdout


@pytest.mark.parametrize("n", [1, 2, 4])
def test_laws_of_ranks_that_join_through_a_store(n):
    server = store.Server()
    started = [
        subprocess.Popen(
            [sys.executable, os.path.join(HERE, "laws.py"), "--join", str(n), "--calls", "500"],
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TEST_RANK": str(rank), "TEST_STORE": server.address},
        )
        for rank in range(n)
    ]
    for rank in started:
        text, _ = rank.communicate(timeout=300)
        assert rank.returncode == 0, text


@pytest.mark.parametrize(
    "how, status, lines",
    [
        ("by_exception", 1, ["rank 0: PeerFailed: rank 1 failed: ValueError: no such row: 17"]),
        ("by_exit", 3, ["rank 0: PeerFailed: rank 1 failed: exited with status 3"]),
        ("by_kill", 137, ["rank 0: PeerFailed: rank 1 failed: "]),
        ("by_interrupt", 0, ["rank 1: KeyboardInterrupt", "rank 0: PeerFailed: rank 1 failed: KeyboardInterrupt"]),
        ("with_calls_begun", 1, ["rank 0: PeerFailed: rank 1 failed: rank 1 returned without waiting for its ", ": its buffers may be gone"]),
        ("by_mismatch", 0, [f"rank {r}: rank 1 called all_reduce with count 4; ranks 0, 2 with count 3" for r in range(3)]),
        ("by_operator", 0, ["KeyError: 'in the operator'\n"]),
        ("by_timeout", None, ["rank 1: TimeoutError: ", "rank 0"]),
        ("by_timeout_with_line", 0, ["called from oversleep (endings.py:", "rank 0: slept its time: True"]),
        ("after_fork", 0, [f"rank {r}: goes on" for r in range(3)]),
        ("on_another_thread", 0, [f"rank {r}: barrier was called on another thread" for r in range(3)]),
        ("beside_a_thread", 0, [f"rank {r}: 20 looks" for r in range(3)]),
        ("without_leaks", 0, [f"rank {r}: constant memory" for r in range(3)]),
    ],
)
def test_ending(how, status, lines):
    ended = ranks(3, "endings.py", how)
    for line in lines:
        assert line in ended.stdout, ended.stdout
    assert status is None or ended.returncode == status, ended.stdout


@pytest.mark.parametrize(
    "kind", ["all_reduce", "number", "objects", "receive", "handle", "handles", "awaited", "plan", "split"]
)
def test_ctrl_c_ends_any_call_that_waits(kind):
    ended = ranks(3, "endings.py", "by_interrupt", kind)
    # asyncio raises outside of the call, which goes on: the program ends before it.
    after = "rank 1 failed: KeyboardInterrupt" if kind != "awaited" else "returned without waiting for its all_reduce"
    for line in ("rank 1: KeyboardInterrupt", after):
        assert line in ended.stdout, ended.stdout


def test_nothing_happens_at_import():
    ended = ranks(2, os.path.join(HERE, "imports.py"))
    assert ended.returncode == 0 and ended.stdout.count("imported") == 2, ended.stdout


def test_every_public_name_has_a_text():
    import tutti

    for name in tutti.__all__:
        value = getattr(tutti, name)
        if inspect.isclass(value) or callable(value):
            assert value.__doc__, name
    for name, value in vars(tutti.Communicator).items():
        if not name.startswith("_"):
            assert value.__doc__, name


def test_the_command_is_a_module():
    path = os.path.dirname(COMMAND) + os.pathsep + os.environ["PATH"]
    ended = run([sys.executable, "-m", "tutti", "--version"], env={"PATH": path})
    assert ended.returncode == 0 and "tutti" in ended.stdout, ended.stdout


@pytest.mark.parametrize("n", [1, 2])
def test_tensors_of_torch(n):
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not there (package python3-torch)")
    ended = ranks(n, "tensors.py")
    assert ended.returncode == 0 and ended.stdout.count("the laws hold of tensors") == n, ended.stdout


@pytest.mark.parametrize("n", [1, 3, 4])
def test_own_algorithms(n):
    ended = ranks(n, "own_algorithm.py")
    assert ended.returncode == 0 and ended.stdout.count("proved and run") == n, ended.stdout


def test_the_wheel_works_in_an_environment_of_its_own(tmp_path):
    pytest.importorskip("pip")
    pytest.importorskip("ensurepip")
    source = os.path.dirname(os.path.dirname(HERE))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = {"TUTTI_WHEEL_BUILD": os.path.dirname(COMMAND)}
    options = ["--no-build-isolation", "--no-index", "--no-deps", "-w", str(tmp_path)]
    made = run([*pip, "wheel", source, *options], env=build)
    assert made.returncode == 0, made.stdout
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("cp311-cp311-linux_x86_64.whl")
    environment = tmp_path / "environment"
    made = run([sys.executable, "-m", "venv", "--system-site-packages", str(environment)])
    assert made.returncode == 0, made.stdout
    python = str(environment / "bin" / "python")
    clean = {"PYTHONPATH": ""}
    made = run([python, "-m", "pip", "install", "--no-index", "--no-deps", str(wheel)], env=clean)
    assert made.returncode == 0, made.stdout
    program = tmp_path / "program.py"
    program.write_text(
        "import tutti\nassert tutti.analysis.topology('ring:4').diameter == 2\n"
        "print(f'sum {tutti.world().all_reduce(1)} {tutti.__file__}', flush=True)\n"
    )
    ended = run([python, "-m", "tutti", "run", "-n", "2", python, str(program)], env=clean)
    assert ended.returncode == 0 and ended.stdout.count(f"sum 2 {environment}") == 2, ended.stdout


def test_stubs_name_what_is_there():
    import ast

    import tutti

    with open(os.path.join(os.path.dirname(tutti.__file__), "__init__.pyi")) as file:
        tree = ast.parse(file.read())
    named = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    named |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    helpers = {"Exchanges"}
    assert named - helpers == set(tutti.__all__) - {"analysis", "lab"}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef) or node.name in helpers:
            continue
        members = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        members |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
        there = {name for name in vars(getattr(tutti, node.name)) if not name.startswith("_")}
        assert {name for name in members if not name.startswith("_")} - {"code"} == there - {"code"}, node.name


def test_stubs_are_right_types(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "typed.py"
    program.write_text(
        "import numpy\nimport tutti\n\ncomm: tutti.Communicator = tutti.world()\n"
        "handle: tutti.Handle = comm.all_reduce_async(numpy.ones(3), tutti.maximum)\n"
        "part: tutti.Communicator | None = comm.split(0)\nlength: int = comm.probe().count\n"
    )
    import tutti

    package = os.path.dirname(os.path.dirname(tutti.__file__))
    checked = run([sys.executable, "-m", "mypy", "--strict", str(program)], env={"MYPYPATH": package}, cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    program.write_text("import tutti\n\ntutti.world().all_reduce(1, root=2)\n")
    checked = run([sys.executable, "-m", "mypy", str(program)], env={"MYPYPATH": package}, cwd=tmp_path)
    assert checked.returncode == 1 and "root" in checked.stdout, checked.stdout
