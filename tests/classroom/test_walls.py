"""A hostile class in the sandbox: what is mine is unharmed, and so is the neighbour."""

import os
import signal
import socket
import subprocess

import nbformat
import psutil
import pytest
from classroom import results, sandbox
from classroom.submissions import Submission

BEGIN = "from bayeslab.checks import check\ncheck('0.1', 200 / 350)"
FILL = """
names = [folder + '/big' for folder in ('.', '/tmp', '/dev/shm', os.environ['HOME'])]
for name in names * 9:
    try:
        with open(name + str(len(os.listdir('.'))), 'wb') as file:
            for _ in range(50): file.write(bytes(10**6))
    except OSError:
        pass
time.sleep(0.5)
raise ValueError(sum(os.path.getsize(name) for name in os.listdir('.')) // 10**6)
"""
# Expressions and statements; what raises nothing has succeeded.
ATTACKS = {
    "read a file": "open(mine).read()",
    "list its folder": "os.listdir(os.path.dirname(mine))",
    "delete a file": "os.remove(mine)",
    "write beside it": "open(mine + '.new', 'w')",
    "change the course": "open(bayeslab.__file__, 'a')",
    "change the repository": f"open({str(sandbox.ROOT / 'bayeslab' / '__init__.py')!r}, 'a')",
    "change Python": "open(os.path.join(os.path.dirname(numpy.__file__), 'evil.py'), 'w')",
    "read a variable": "os.environ['SECRET']",
    "read variables of others": "assert any(b'SECRET' in open(f'/proc/{p}/environ', 'rb').read() for p in others())",
    "write into another process": "[open(f'/proc/{p}/mem', 'rb+') for p in others()][0]",
    "see other processes": "assert any(b'864.2' in open(f'/proc/{p}/cmdline', 'rb').read() for p in others())",
    "kill a neighbour": "os.kill(neighbour, 9)",
    "TCP": "socket.create_connection(('127.0.0.1', tcp), 1)",
    "an abstract Unix socket": "socket.socket(socket.AF_UNIX).connect(chr(0) + abstract)",
    "mount": "assert not C.mount(b'x', b'/tmp', b'tmpfs', 0, None)",
    "make the root writable": "assert not C.mount(None, b'/', None, 32 | 4096, None)",
    "unmount a wall": "assert not C.umount2(b'/usr', 2)",
    "a new namespace": "assert not C.unshare(0x10000000)",
    "another root": "os.chroot('/usr')",
    "a device": "os.mknod('disk', 0o60600, os.makedev(8, 0)); open('disk')",
    "the kernel's settings": "open('/proc/sys/kernel/core_pattern', 'r+')",
    "the kernel's keys": "open('/proc/sysrq-trigger', 'w')",
    "the terminal": "os.open('/dev/tty', os.O_RDWR)",
    "become somebody": "os.setuid(os.getuid() + 1)",
    "the right answers": "import bayeslab.checks._ch00",
}
THIEF = f"""
import ctypes, os, socket, sys, bayeslab, numpy
C, done = ctypes.CDLL(None), []
def others():
    return [p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()]
for name, attack in {ATTACKS!r}.items():
    try:
        exec(attack)
    except BaseException:
        continue
    done.append(name)
for kind, place in ((socket.SOCK_DGRAM, ('127.0.0.1', udp)), (socket.SOCK_STREAM, path)):
    try:
        with socket.socket(socket.AF_UNIX if place == path else socket.AF_INET, kind) as s:
            s.connect(place)
            s.send(b'x')
    except OSError:
        pass
if os.fork() == 0:
    if os.fork() == 0:
        os.setsid()
        os.execvp('sleep', ['sleep', '76.54321'])
    os._exit(0)
if done: raise ValueError(', '.join(done))
"""
CROWD = "import os, time\nfor _ in range(250):\n    if os.fork() == 0: time.sleep(60); os._exit(0)\ntime.sleep(60)"
NEIGHBOUR = "import time\nfor _ in range(20): time.sleep(0.05); check('0.2', lambda n, p, d: n[0])"
CLASS = {"thief": [THIEF], "crowd": ["import os, time" + FILL, CROWD], "neighbour": [NEIGHBOUR]}


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """Return the students by name, and what happened to what is mine."""
    if not sandbox.works():
        pytest.skip("bubblewrap is not installed, or this system does not let it work")
    mine = tmp_path_factory.mktemp("mine") / "file"
    mine.write_text("precious")
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as unix,
        socket.socket(socket.AF_UNIX) as abstract,
        subprocess.Popen(["sleep", "864.2"], env=os.environ | {"SECRET": "x"}) as neighbour,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("SECRET", "x")
        udp.bind(("127.0.0.1", 0))
        unix.bind(str(mine.parent / "socket"))
        abstract.bind(f"\0bayeslab-{os.getpid()}")
        for each in (unix, abstract):
            each.listen()
        for each in (tcp, udp, unix, abstract):
            each.setblocking(False)
        places = {"mine": str(mine), "neighbour": neighbour.pid, "path": str(mine.parent / "socket")}
        places |= {"tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1], "abstract": f"bayeslab-{os.getpid()}"}
        told = "".join(f"{name} = {place!r}\n" for name, place in places.items())
        class_of = []
        for name, sources in CLASS.items():
            cells = [nbformat.v4.new_code_cell(each) for each in (BEGIN, told, *sources, "check('0.1', 1)")]
            class_of.append(Submission(name, notebooks={"n.ipynb": nbformat.v4.new_notebook(cells=cells)}))
        limits = sandbox.Limits(disk=30_000_000)
        students = {each.name: each for each in results.results_of(class_of, True, limits, jobs=2).students}
        came = {
            "TCP": tcp.accept,
            "UDP": lambda: udp.recv(9),
            "a Unix socket": unix.accept,
            "abstract": abstract.accept,
        }
        through = set()
        for name, look in came.items():
            try:
                got = look()
            except BlockingIOError:
                continue
            through.add(name)
            if isinstance(got, tuple):
                got[0].close()
        alive = neighbour.poll() is None
        neighbour.send_signal(signal.SIGKILL)
    return students, {"through": through, "alive": alive, "mine": mine}


def test_every_attack_fails(attacked):
    students, _ = attacked
    assert students["thief"].trouble == []


def test_nothing_gets_out_but_what_the_page_says(attacked):
    _, after = attacked
    assert not after["through"]
    assert after["alive"]
    assert after["mine"].read_text() == "precious"
    assert [path.name for path in sorted(after["mine"].parent.iterdir())] == ["file", "socket"]


def test_no_process_is_left(attacked):
    assert not [p for p in psutil.process_iter(["cmdline"]) if "76.54321" in (p.info["cmdline"] or [])]


def test_disks_are_not_filled_and_crowds_are_ended_and_keep_what_they_had(attacked):
    students, _ = attacked
    filled, crowd = students["crowd"].trouble
    assert 20 < int(filled.removeprefix("n.ipynb, cell 3: ValueError: ")) <= 30
    assert crowd == "n.ipynb, cell 4 took more processes than it may, and was ended"
    assert students["crowd"].outcome("0.1")[0] == "done"


def test_the_neighbour_keeps_every_record(attacked):
    students, _ = attacked
    assert [row["solved"] for row in students["neighbour"].records] == [True] + [False] * 21
