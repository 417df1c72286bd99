"""A server that tells on stderr what it finds around itself, a JSON object per line."""
import json
import os
import pathlib
import runpy
import sys


def locks():
    import multiprocessing
    queue = multiprocessing.Queue()
    with multiprocessing.Lock():
        queue.put("through the queue")
    return queue.get(timeout=20)


def files():
    path = pathlib.Path(os.environ["STATE_DIRECTORY"], "file")
    path.write_text("x")
    os.chmod(path, 0o640)
    os.utime(path, (981173106, 981173106))
    return f"{path.stat().st_mode & 0o777:o} {int(path.stat().st_mtime)}"


def told(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


found = {
    "open": told(lambda: sorted(int(fd) for fd in os.listdir("/proc/self/fd"))[:-1]),  # the last is the list's own; the queue below leaves some open
    "locks": told(locks),
    "files": told(files),
    "outside": told(lambda: os.chmod(__file__, 0o600)),
    "lines": told(lambda: [open(f"/proc/{pid}/cmdline").read() for pid in os.listdir("/proc") if pid.isdigit()]),
    "interfaces": told(lambda: [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]]),
    "network": told(lambda: os.readlink("/proc/self/ns/net")),
    "keeper": told(lambda: open("/proc/1/environ").read()),
    "folder": os.getcwd(),
    "leads": [os.getpid() == os.getpgid(0), os.getpid() == os.getsid(0)],
}
for name, value in found.items():
    print(json.dumps({name: value}), file=sys.stderr)
runpy.run_path(os.path.join(os.path.dirname(__file__), "raw.py"), run_name="__main__")
