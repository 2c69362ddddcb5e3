"""tutti.analysis: the answers of the command, in process."""

import copy
import dataclasses
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import threading

import pytest
import tutti
from tutti import analysis, lab

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ["TUTTI_COMMAND"]
FUNCTIONS = {
    "verify": analysis.verify,
    "price": analysis.price,
    "simulate": analysis.simulate,
    "topology": analysis.topology,
    "synthesize": analysis.synthesize,
    "textbook": analysis.textbook,
    "explain": analysis.explain,
    "list": analysis.list_algorithms,
    "gallery": analysis.gallery,
    "plan": analysis.plan,
}


@pytest.fixture(autouse=True)
def same_machine(monkeypatch):
    """The command and this process see the same machine: no profile, no rules, no settings, no width of a terminal."""
    monkeypatch.setenv("TUTTI_PROFILE", "built-in")
    monkeypatch.setenv("TUTTI_RULES", "none")
    monkeypatch.setenv("TUTTI_CONFIG", "none")
    monkeypatch.delenv("COLUMNS", raising=False)


def printed(*words):
    ended = subprocess.run([COMMAND, *words], text=True, capture_output=True, timeout=300)
    assert ended.returncode in (0, 1), ended.stderr
    return ended.stdout


def test_settings_of_the_command_change_no_answer(monkeypatch, tmp_path):
    settings = tmp_path / "config.toml"
    settings.write_text('ts = "7us"\ntopology = "ring"\n')
    question = ["price", "all-reduce", "--ranks", "8", "--bytes", "1KiB", "--json"]
    plain_price = analysis.price("all-reduce", ranks=8, bytes="1KiB")
    plain_print = printed(*question)
    monkeypatch.setenv("TUTTI_CONFIG", str(settings))
    assert printed(*question) != plain_print
    assert analysis.price("all-reduce", ranks=8, bytes="1KiB") == plain_price


def plain(answer):
    return [one.to_dict() for one in answer] if isinstance(answer, list) else answer.to_dict()


def documented_questions():
    """The questions whose fields docs/reference names, but for those that this package does not ask."""
    found = set()
    for page in (ROOT / "docs" / "reference").glob("*.md"):
        found.update(re.findall(r"<!-- json: (.*?) -->", page.read_text()))
    return sorted(one for one in found if one.split()[0] in FUNCTIONS)


def asked(question, schedule):
    """The question as words of the command, and as a call."""
    words = [word.replace("$SCHEDULE", schedule) for word in question.split() if word != "--json"]
    words = [str(ROOT / word) if word.startswith("examples/") else word for word in words]
    name, *rest = words
    known = analysis.plan_options() if name == "plan" else analysis.options_of(name)
    types = dict(known.values())
    positional, options = [], {}
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            positional.append(word)
        else:
            options[word[2:].replace("-", "_")] = rest.pop(0) if types[word] else True
    return words, lambda: FUNCTIONS[name](*positional, **options)


@pytest.fixture(scope="module")
def schedule(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("schedule") / "ring.json")
    analysis.explain("all-reduce", algorithm="ring", ranks=4, output=path)
    return path


def test_there_are_questions():
    assert len(documented_questions()) >= 30


@pytest.mark.parametrize("question", documented_questions())
@pytest.mark.filterwarnings("ignore")
def test_answers_are_those_of_the_command(question, schedule):
    words, call = asked(question, schedule)
    assert plain(call()) == json.loads(printed(*words, "--json"))


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: analysis.price("all_reduce", ranks=8, bytes=(8, 1 << 20)), "price all-reduce --ranks 8 --bytes 8..1MiB"),
        (lambda: analysis.price("all-reduce", ranks=8, bytes=64, ts=2e-6), "price all-reduce --ranks 8 --bytes 64 --ts 2us"),
        (
            lambda: analysis.price("broadcast", ranks=8, bytes="1KiB", algorithm=["binomial", "chain"], full=False),
            "price broadcast --ranks 8 --bytes 1KiB --algorithm binomial,chain",
        ),
        (lambda: analysis.price("all-gather", ranks=2, counts=[3, 0]), "price all-gather --ranks 2 --counts 3,0"),
        (
            lambda: analysis.price("shift", topology="ring:8", bytes=64, distance=range(1, 4)),
            "price shift --topology ring:8 --bytes 64 --distance 1..3",
        ),
        (lambda: analysis.verify("all-reduce", ranks=range(1, 6)), "verify all-reduce --ranks 1..5"),
        (lambda: analysis.verify("all-gather", algorithm="mesh", grid=(2, 3)), "verify all-gather --algorithm mesh --grid 2x3"),
        (lambda: analysis.verify("reduce", nodes=[2, 1]), "verify reduce --nodes 2+1"),
        (
            lambda: analysis.simulate("broadcast", ranks=8, skew={3: "5us", 1: 1e-6}, root=None),
            "simulate broadcast --ranks 8 --skew 3:5us,1:1us",
        ),
        (lambda: analysis.topology("ring:4", "torus:2x4", bytes=64), "topology ring:4 torus:2x4 --bytes 64"),
        (lambda: analysis.plan("all-reduce", ranks=2, bytes=64), "plan all-reduce --ranks 2 --bytes 64"),
    ],
)
def test_values_of_python_are_words(call, words):
    assert plain(call()) == json.loads(printed(*words.split(), "--json"))


def test_reports_are_what_the_command_prints():
    for words in (["explain", "scan", "--ranks=5"], ["price", "scan", "--ranks=6", "--bytes=8"], ["textbook"]):
        options = dict(word[2:].split("=") for word in words[1:] if word.startswith("--"))
        named = [word for word in words[1:] if not word.startswith("--")]
        assert analysis.report(words[0], *named, **options) == printed(*words)


def declared(value):
    """Whether the record and those within are of the classes that stubs know, without further fields."""
    if isinstance(value, list):
        return all(declared(one) for one in value)
    if not isinstance(value, analysis.Record) or isinstance(value, analysis.AnyRecord):
        return True
    return type(value) is getattr(analysis, type(value).__name__) and declared(list(vars(value).values()))


@pytest.mark.parametrize(
    "call, kind",
    [
        (lambda: analysis.verify("barrier", ranks=3), analysis.Proofs),
        (lambda: analysis.verify("program", str(ROOT / "examples/programs/exchange.txt")), analysis.ProgramProof),
        (lambda: analysis.price("all-reduce", ranks=8, bytes=1024), analysis.Prices),
        (lambda: analysis.simulate("broadcast", topology="ring:4"), analysis.Simulation),
        (lambda: analysis.simulate("messages", "0-1", topology="ring:4"), analysis.SimulatedMessages),
        (lambda: analysis.topology("ring:4"), analysis.Network),
        (lambda: analysis.textbook(row="broadcast.*")[0], analysis.TextbookRow),
        (lambda: analysis.list_algorithms("scan")[0], analysis.ListedAlgorithm),
        (lambda: analysis.gallery()[0], analysis.Mistake),
        (lambda: analysis.plan("all-reduce", ranks=2, bytes=64), analysis.Planned),
    ],
)
def test_main_records_are_declared_ones(call, kind):
    answer = call()
    assert type(answer) is kind and declared(answer)


def test_records_within_records():
    prices = analysis.price("all-reduce", ranks=8, bytes=1024)
    assert isinstance(prices.sizes[0].algorithms[0], analysis.PricedAlgorithm)
    assert prices.sizes[0].algorithms[0].seconds >= prices.sizes[0].lower_bound.seconds > 0
    assert analysis.simulate("messages", "0-1", ranks=2).messages[0].from_ == 0
    for name in ("all-reduce", "all-to-all"):
        assert isinstance(analysis.synthesize(name, topology="ring:4"), analysis.SynthesizedSchedule)


def test_records_make_tables():
    rows = analysis.price("broadcast", ranks=4, bytes=(8, 64)).rows()
    assert {row["bytes"] for row in rows} == {8, 16, 32, 64} and all("seconds" in row for row in rows)
    listed = [dataclasses.asdict(one) for one in analysis.list_algorithms("broadcast")]
    assert len({tuple(row) for row in listed}) == 1
    assert [row["name"] for row in listed] == [one.name for one in analysis.list_algorithms("broadcast")]


def test_records_are_frozen_compared_and_kept():
    one = analysis.simulate("all-reduce", ranks=4, topology="ring:4", bottleneck=True)
    assert one == analysis.simulate("all-reduce", ranks=4, topology="ring:4", bottleneck=True)
    assert one.bottleneck.seconds == one.seconds
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.seconds = 1.0
    assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one)


def test_failed_proofs_are_answers():
    proof = analysis.verify("program", str(ROOT / "examples" / "programs" / "deadlock.txt"))
    assert isinstance(proof, analysis.ProgramProof) and not proof and proof.failure.cycle
    assert analysis.verify("broadcast", ranks=5)


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (lambda: analysis.price("all-reduce", rank=4), TypeError, "price() got an unexpected keyword argument 'rank'; the nearest is 'ranks'"),
        (lambda: analysis.plan("all-reduce", rank=4), TypeError, "the nearest is 'ranks'"),
        (lambda: analysis.price("all-reduce", json=True), TypeError, "'json'"),
        (lambda: analysis.draw("all-reduce", output="a.svg"), TypeError, "'output'"),
        (lambda: analysis.price("all-reduce", ranks=True), TypeError, "takes a value for 'ranks' (N)"),
        (lambda: analysis.price("all-reduce", search=4), TypeError, "True or False for 'search'"),
        (lambda: analysis.price("all-reduce", ranks=object()), TypeError, "takes texts, numbers and lists"),
        (lambda: analysis.simulate("broadcast", ranks=4, algorithm="binomal"), tutti.InvalidArgument, "binomial"),
        (lambda: analysis.topology("ring:0"), tutti.InvalidArgument, "ring"),
        (lambda: analysis.plan("all-reduce", ranks=0), ValueError, "ranks"),
        (lambda: analysis.draw("broadcast", ranks=0), tutti.InvalidArgument, "ranks"),
        (lambda: analysis.report("broadcast"), tutti.InvalidArgument, "broadcast"),
        (lambda: analysis.report("bench"), tutti.Unsupported, "python -m tutti bench"),
    ],
)
def test_errors(call, error, sentence):
    with pytest.raises(error, match=re.escape(sentence)):
        call()


def test_sentences_are_those_of_the_command():
    with pytest.raises(tutti.InvalidArgument) as raised:
        analysis.simulate("broadcast", ranks=4, algorithm="binomal")
    ended = subprocess.run(
        [COMMAND, "simulate", "broadcast", "--ranks", "4", "--algorithm", "binomal"], text=True, capture_output=True
    )
    assert ended.stderr == f"tutti: {raised.value}\n" and raised.value.code == "invalid_argument"


def test_an_algorithm_of_ones_own_is_pointed_to_its_methods():
    @lab.algorithm("broadcast", "of-a-test")
    def mine(me):
        me.wait()

    for call in (analysis.price, analysis.simulate, analysis.draw, analysis.verify):
        with pytest.raises(tutti.InvalidArgument, match="methods prove, price, simulate"):
            call("broadcast", ranks=4, algorithm=mine)


def test_notes_are_warnings():
    with pytest.warns(UserWarning, match="ranks") as warned:
        analysis.draw("scatter", algorithm="binomial", ranks=80)
    assert all(one.filename == __file__ for one in warned)


def test_drawings():
    drawing = analysis.draw("all-gather", algorithm="ring", ranks=4)
    assert isinstance(drawing, lab.Drawing) and "<svg" in drawing._repr_svg_()
    page = analysis.draw_page("all-gather", algorithm="ring", ranks=4)
    assert isinstance(page, lab.Page) and "srcdoc" in page._repr_html_()
    book = analysis.draw("all-to-all", topology="hypercube:4", style="book")
    assert book.rstrip().endswith("</svg>")
    assert "<svg" in analysis.draw("all-reduce", ranks=4, timeline=True, bytes="1KiB")


def test_threads_call_at_once():
    calls = [
        lambda: analysis.price("all-reduce", ranks=16, bytes=(8, 4096)),
        lambda: analysis.verify("all-gather", ranks=range(1, 9)),
        lambda: analysis.simulate("all-to-all", topology="torus:4x4", bytes=64),
        lambda: analysis.synthesize("all-to-all", topology="ring:4"),
        lambda: analysis.explain("broadcast", algorithm="binomial", steps=True),
        lambda: analysis.draw("scan", ranks=8),
        lambda: analysis.list_algorithms(optimality=False),
    ]
    alone = [call() for call in calls]
    found = {}

    def ask(k):
        found[k] = [calls[(j + k) % len(calls)]() for j in range(len(calls))]

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(6):
        assert found[k] == [alone[(j + k) % len(calls)] for j in range(len(calls))]


def test_other_threads_run_meanwhile(tmp_path):
    """The command opens a pipe, and waits until another thread of the program opens its other end."""
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys, threading, time\nfrom tutti import analysis, InvalidArgument\n"
        "os.mkfifo(sys.argv[1])\n"
        "def ask():\n    try:\n        analysis.simulate('program', sys.argv[1])\n"
        "    except InvalidArgument as error:\n        print('refused:', error)\n"
        "thread = threading.Thread(target=ask)\nthread.start()\n"
        "while True:  # until the other end is being opened\n    try:\n"
        "        os.close(os.open(sys.argv[1], os.O_WRONLY | os.O_NONBLOCK))\n        break\n"
        "    except OSError:\n        time.sleep(0.01)\nthread.join()\n"
    )
    ended = subprocess.run([sys.executable, program, tmp_path / "pipe"], text=True, capture_output=True, timeout=60)
    assert ended.returncode == 0 and ended.stdout.startswith("refused:"), ended.stdout + ended.stderr


def test_the_command_looks_at_no_terminal(tmp_path):
    """On a terminal the command colors its words, and draws a bar; in process both are plain."""
    import pty

    program = tmp_path / "program.py"
    program.write_text(
        "from tutti import analysis\nprint(analysis.report('verify', 'barrier', ranks='1..4'), end='')\n"
        "print(analysis.report('topology', 'ring:4', 'ring:8', compare=True), end='')\n"
    )
    reader, writer = pty.openpty()
    started = subprocess.Popen([sys.executable, program], stdout=writer, stderr=writer, stdin=subprocess.DEVNULL)
    os.close(writer)
    text = b""
    try:
        while part := os.read(reader, 65536):
            text += part
    except OSError:  # the other end is closed
        pass
    assert started.wait(timeout=300) == 0, text
    assert b"ring:8" in text and b"\033" not in text, text


def test_run(tmp_path, capfd):
    program = tmp_path / "program.py"
    program.write_text("import sys, tutti\nsys.stdout.write(f'rank {tutti.world().rank} {sys.argv[1:]}\\n')\n")
    text = tutti.run(program, 2, ["--fast"])
    assert sorted(text.splitlines()) == ["rank 0 ['--fast']", "rank 1 ['--fast']"]
    assert tutti.run([sys.executable, program], ranks=1, echo=False) == "rank 0 []\n"
    assert capfd.readouterr().out == text
    program.write_text("import tutti\ncomm = tutti.world()\nif comm.rank == 1:\n    raise ValueError('no such row: 17')\ncomm.barrier()\n")
    with pytest.raises(tutti.Error, match="on 2 ranks ended with status 1: .*no such row: 17; tutti run: rank 1 .*"):
        tutti.run(program, 2, echo=False)
    assert "no such row: 17" in tutti.run(program, 2, echo=False, check=False)


def test_stubs_have_the_options_of_the_command():
    import ast

    folder = os.path.dirname(tutti.__file__)
    with open(os.path.join(folder, "analysis.pyi")) as file:
        tree = ast.parse(file.read())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    left_out = {"json", "help", "markdown"}
    for name, function in FUNCTIONS.items():
        known = analysis.plan_options() if name == "plan" else analysis.options_of(name)
        stub = functions.pop(function.__name__)
        assert {one.arg for one in stub.args.kwonlyargs} == set(known) - left_out, name
        for one in stub.args.kwonlyargs:
            assert ("bool" == ast.unparse(one.annotation)) == (known[one.arg][1] == ""), (name, one.arg)
    for name in ("draw", "draw_page"):
        stub = functions.pop(name)
        assert {one.arg for one in stub.args.kwonlyargs} == set(analysis.options_of("draw")) - left_out - {"output"}
    assert set(functions) == {"report", "options_of", "plan_options"}
    imported = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    records = {name for name, value in vars(analysis).items() if isinstance(value, type) and issubclass(value, analysis.Record)}
    assert records <= imported


def test_public_functions_have_texts():
    for name, value in vars(analysis).items():
        if not name.startswith("_") and callable(value) and value.__module__.startswith("tutti"):
            assert value.__doc__, name


def test_stubs_are_right_types(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "typed.py"
    program.write_text(
        "from tutti import analysis, lab\n"
        "best: str = analysis.price('all-reduce', ranks=8, bytes=(8, 64)).sizes[0].algorithms[0].algorithm\n"
        "seconds: float = analysis.simulate('broadcast', ranks=8, ts=1e-6).seconds\n"
        "facts: analysis.Network | list[analysis.Network] = analysis.topology('ring:4')\n"
        "picture: lab.Drawing = analysis.draw('scan', ranks=8)\n"
        "full: object = analysis.simulate('broadcast', ranks=8, bottleneck=True).bottleneck\n"
        "proved: bool = bool(analysis.verify('scan', ranks=range(1, 5)))\n"
    )
    package = os.path.dirname(os.path.dirname(tutti.__file__))
    environment = {**os.environ, "MYPYPATH": package}
    check = [sys.executable, "-m", "mypy", "--strict", str(program)]
    ended = subprocess.run(check, text=True, capture_output=True, env=environment, cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout
    program.write_text("from tutti import analysis\n\nanalysis.price('all-reduce', rank=8)\n")
    ended = subprocess.run(check, text=True, capture_output=True, env=environment, cwd=tmp_path)
    assert ended.returncode == 1 and "rank" in ended.stdout, ended.stdout


def test_the_notebook_of_the_guide(tmp_path):
    notebook = ROOT / "docs" / "guide" / "tutti-from-python.ipynb"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    runner = pathlib.Path(__file__).with_name("notebook.py")
    ended = subprocess.run([sys.executable, runner, notebook], text=True, capture_output=True, env=environment, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    for part in ("_repr_svg_: ", "Proof(proved=True", "4 ranks have [2, 2, 2]"):
        assert part in ended.stdout, ended.stdout
    cells = json.loads(notebook.read_text())["cells"]
    assert not any(cell.get("outputs") for cell in cells)


def test_a_run_that_is_interrupted_ends_its_ranks(tmp_path, monkeypatch):
    program = tmp_path / "program.py"
    program.write_text("import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)\n")
    found = []

    def interrupted(line, **_):
        found.append(int(line))
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.print", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tutti.run(program, 1)
    with pytest.raises(ProcessLookupError):
        os.kill(found[0], 0)
