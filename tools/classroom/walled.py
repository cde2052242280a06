"""Shut this process in, and become a command: python walled.py WALL SIZE ROOM PLACE... -- COMMAND, Linux only.

WALL is `unshare`, after the program of that name has made namespaces, or `landlock`. Numbers of system calls are those
above 424, which are the same on all processors.
"""

import ctypes
import fcntl
import os
import socket
import struct
import sys

C = ctypes.CDLL(None, use_errno=True)
READ_ONLY, NO_SETUID, NO_DEVICES, REMOUNT, BIND, DEEP, PRIVATE, DETACH = 1, 2, 4, 32, 4096, 16384, 1 << 18, 2


def must(result, what):
    """Return the result of a system call, or raise its error."""
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def mount(source, target, kind=None, flags=0, data=None):
    """Mount, as mount(2) does."""
    texts = [None if text is None else text.encode() for text in (source, target, kind)]
    must(C.mount(*texts, ctypes.c_ulong(flags), data and data.encode()), f"mount {target}")


def mount_memory(target, size, mode="700"):
    """Mount a folder that lies in memory."""
    os.makedirs(target, exist_ok=True)
    mount("tmpfs", target, "tmpfs", NO_SETUID | NO_DEVICES, f"size={size},nr_inodes=20000,mode={mode}")


def mount_place(source, target):
    """Show a place of the system, as a link if it is one, and otherwise with nothing in it to be changed."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(source):
        return os.symlink(os.readlink(source), target)
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        open(target, "a").close()
    mount(source, target, None, BIND | DEEP)
    attributes = struct.pack("QQQQ", READ_ONLY | NO_SETUID, 0, 0, 0)
    return must(C.syscall(442, -100, target.encode(), 0x8000, attributes, 32), "mount_setattr")


def build(size, room, places):
    """Make a root of memory with these places in it and nothing else, and give up every right to change it."""
    mount(None, "/", None, DEEP | PRIVATE)
    root = os.getcwd()
    mount_memory(root, "1m", "755")
    for name in ("/tmp", "/dev/shm", room):
        mount_memory(root + name, size)
    for place in (*places, *(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom"))):
        mount_place(place, root + place)
    os.symlink("/proc/self/fd", root + "/dev/fd")
    os.mkdir(root + "/proc")
    mount("proc", root + "/proc", "proc", NO_SETUID | NO_DEVICES | 8)
    with open(root + "/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")  # none inside, where somebody would be root
    mount(None, root + "/proc", None, BIND | REMOUNT | READ_ONLY | NO_SETUID | NO_DEVICES | 8)
    os.chdir(root)
    must(C.pivot_root(b".", b"."), "pivot_root")
    must(C.umount2(b".", DETACH), "umount2")
    mount(None, "/", None, BIND | REMOUNT | READ_ONLY | NO_SETUID | NO_DEVICES)
    os.chdir(room)
    with socket.socket() as probe:
        fcntl.ioctl(probe, 0x8914, struct.pack("16sh14x", b"lo", 0x41))  # SIOCSIFFLAGS: dask's workers talk over it


def give_up_rights():
    """Give up what root may do, for good."""
    must(C.prctl(38, 1, 0, 0, 0), "no_new_privs")
    for number in range(64):
        C.prctl(24, number, 0, 0, 0)  # PR_CAPBSET_DROP
    must(C.capset(struct.pack("Ii", 0x20080522, 0), struct.pack("6I", *[0] * 6)), "capset")


def landlock(room, places):
    """Forbid writing outside of the room, reading outside of the places, TCP, and signals to others: Linux 6.12."""
    if must(C.syscall(444, None, 0, 1), "landlock") < 6:
        sys.exit("Landlock is too old to forbid signals.")
    everything, reading, of_file = (1 << 16) - 1, 1 | 4 | 8, 1 | 2 | 4 | 1 << 14
    rules = must(C.syscall(444, struct.pack("QQQ", everything, 3, 3), 24, 0), "landlock")
    allowed = dict.fromkeys([*places, "/proc/self", "/dev/zero", "/dev/urandom"], reading)
    for place, rights in (allowed | {room: everything, "/dev/null": of_file}).items():
        opened = os.open(place, os.O_PATH)
        rights &= everything if os.path.isdir(place) else of_file
        must(C.syscall(445, rules, 1, struct.pack("=Qi", rights, opened), 0), place)
        os.close(opened)
    must(C.prctl(38, 1, 0, 0, 0), "no_new_privs")
    must(C.syscall(446, rules, 0), "landlock")
    os.close(rules)


if __name__ == "__main__":
    cut = sys.argv.index("--")
    wall, size, room, *places = sys.argv[1:cut]
    landlock(room, places) if wall == "landlock" else build(size, room, places)
    give_up_rights()
    os.execv(sys.argv[cut + 1], sys.argv[cut + 1 :])
