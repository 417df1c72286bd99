"""A hostile server: tries whatever gets it out of its sandbox, and tells of each
attempt on stdout, a JSON object per line. See escape/main.go."""

import array
import ctypes
import fcntl
import json
import mmap
import os
import platform
import pwd
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

w = json.load(open(sys.argv[1]))
until = time.time() + 10
while not os.path.exists(w["Tasks"]) and time.time() < until:
    time.sleep(0.01)

libc = ctypes.CDLL(None, use_errno=True)
arm = platform.machine() == "aarch64"
NR = {  # amd64, arm64
    "keyctl": (250, 219), "add_key": (248, 217), "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "semctl": (66, 191),
    "io_uring_setup": (425, 425), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "personality": (135, 92), "clone3": (435, 435),
    "open_tree": (428, 428), "kcmp": (312, 272), "pidfd_getfd": (438, 438), "process_vm_readv": (310, 270), "ptrace": (101, 117),
    "ioprio_set": (251, 30), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138), "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27), "openat2": (437, 437),
    "fchmodat2": (452, 452), "unshare": (272, 97), "mq_open": (240, 180), "mq_unlink": (241, 181), "renameat2": (316, 276), "chroot": (161, 51),
    "mount": (165, 40), "sendmmsg": (307, 269), "utimensat": (280, 88), "io_setup": (206, 0), "io_destroy": (207, 1),
    "timer_create": (222, 107), "timer_delete": (226, 111),
}


def sys_(name, *args):
    r = libc.syscall(ctypes.c_long(NR[name][arm]), *[ctypes.c_char_p(a) if isinstance(a, bytes) else ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if r < 0:
        e = ctypes.get_errno()
        raise OSError(e, os.strerror(e))
    return r


def own(name):
    return os.environ["STATE_DIRECTORY"] + "/" + name


def at(name):
    return w["Outside"] + "/" + name


def proc(pid, name):
    return f"/proc/{pid}/{name}"


def thread(tid, name):
    return f"/proc/{w['Host']}/task/{tid}/{name}"


def tell(path):
    with open(path) as f:
        assert "secret" in f.read(), "it is not there"


def said(*argv):
    out = subprocess.run(argv, capture_output=True, text=True, timeout=20)
    assert "secret" in out.stdout, out.stderr


def put(path, flags):
    fd = os.open(path, flags, 0o600)
    try:
        os.write(fd, b"was here\n")
    finally:
        os.close(fd)


def touch(path):
    put(path, os.O_CREAT | os.O_WRONLY)
    return path


def child(f):
    """Does f in a child, for what cannot be undone."""
    pid = os.fork()
    if pid == 0:
        try:
            f()
            os._exit(0)
        except OSError as e:
            os._exit(e.errno or 1)
        except BaseException:
            os._exit(255)
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        raise OSError(code, os.strerror(code) if code > 0 else f"signal {-code}")


def each(f):
    last = RuntimeError("the host has no threads")
    for tid in open(w["Tasks"]).read().split():
        try:
            f(int(tid))
            return
        except OSError as e:
            last = e
    raise last


def dial(family, kind, address):
    with socket.socket(family, kind) as s:
        s.settimeout(1)
        s.connect(address)
        s.send(b"secret")


def link_and_read():
    os.symlink(w["Secret"], own("link"))
    tell(own("link"))


def hard_link_and_read():
    os.link(w["Secret"], own("hard"))
    tell(own("hard"))


def below_descriptor():
    d = os.open(w["Home"], os.O_PATH)
    os.close(os.open(".ssh/id_ed25519", os.O_RDONLY, dir_fd=d))


def from_directory():
    os.chdir(os.path.dirname(w["Secret"]))
    try:
        tell("id_ed25519")
    finally:
        os.chdir("/")


def inherited():
    assert b"secret" in os.pread(w["FD"], 64, 0), "something else"


def in_memory():
    fd = os.memfd_create("cat", 0)
    os.write(fd, open("/bin/cat", "rb").read())
    out = subprocess.run([f"/proc/self/fd/{fd}", w["Secret"]], pass_fds=[fd], capture_output=True)
    assert b"secret" in out.stdout, out.stderr


def set_id():
    out = subprocess.run(["chage", "-l", pwd.getpwuid(os.getuid()).pw_name], capture_output=True, text=True)
    assert out.returncode == 0 and "assword" in out.stdout, out.stderr


def fanotify():
    fd = sys_("fanotify_init", 0x200, 0)
    sys_("fanotify_mark", fd, 1, 2, -100, w["Home"].encode())


def handle():
    h = ctypes.create_string_buffer(struct.pack("II", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    sys_("name_to_handle_at", -100, w["Secret"].encode(), h, ctypes.byref(mount), 0)


def no_access_chmod():
    fd = os.open(at("mode3"), 3)
    os.fchmod(fd, 0o777)


def swapped_path():
    """Changes where the path leads while it is looked at."""
    import stat
    import threading
    touch(own("inside"))
    flip, over = own("flip"), threading.Event()
    os.symlink(own("inside"), flip)

    def swap():
        while not over.is_set():
            for target in at("race"), own("inside"):
                os.symlink(target, flip + "2")
                os.replace(flip + "2", flip)

    t = threading.Thread(target=swap)
    t.start()
    try:
        for _ in range(1000):
            try:
                os.chmod(flip, 0o777)
            except PermissionError:
                pass
    finally:
        over.set()
        t.join()
    if stat.S_IMODE(os.stat(at("race")).st_mode) != 0o777:
        raise PermissionError("the mode is what it was")


def openat2():
    how = ctypes.create_string_buffer(struct.pack("QQQ", 3, 0, 0))
    os.fchmod(sys_("openat2", -100, at("mode5").encode(), how, 24), 0o777)


def temporary(folder):
    fd, name = tempfile.mkstemp(dir=folder)
    os.close(fd)
    os.remove(name)


def fast_open():
    with socket.socket() as s:
        s.sendto(b"secret", 0x20000000, ("127.0.0.1", w["TCP"]))


def fast_open_message():
    with socket.socket() as s:
        s.sendmsg([b"secret"], [], 0x20000000, ("127.0.0.1", w["TCP"]))


def fast_open_messages():
    to = ctypes.create_string_buffer(sockaddr(w["TCP"]))
    text = ctypes.create_string_buffer(b"secret")
    vec = ctypes.create_string_buffer(struct.pack("QQ", ctypes.addressof(text), 6))
    head = ctypes.create_string_buffer(struct.pack("QI4xQQQQI4xI4x", ctypes.addressof(to), 16, ctypes.addressof(vec), 1, 0, 0, 0, 0))
    with socket.socket() as s:
        if sys_("sendmmsg", s.fileno(), head, 1, 0x20000000) != 1:
            raise OSError("nothing was sent")


def sockaddr(port, a=127, b=0, c=0, d=1):
    return struct.pack("=H", socket.AF_INET) + struct.pack(">H4B8x", port, a, b, c, d)


def without_waiting():
    import select
    with socket.socket() as s:
        s.setblocking(False)
        s.connect_ex(("127.0.0.1", w["TCP"]))
        select.select([], [s], [], 5)
        s.getpeername()


def swapped_address():
    """Changes where the address leads while it is looked at."""
    import threading
    good, bad = sockaddr(w["Allowed"]), sockaddr(w["TCP"])
    where, over = ctypes.create_string_buffer(good, 16), threading.Event()

    def swap():
        while not over.is_set():
            for address in bad, good:
                ctypes.memmove(where, address, 16)

    swappers = [threading.Thread(target=swap) for _ in range(2)]
    for t in swappers:
        t.start()
    got = {}
    try:
        for _ in range(500):
            with socket.socket() as s:
                if libc.connect(s.fileno(), where, 16) == 0:
                    port = s.getpeername()[1]
                    got[port] = got.get(port, 0) + 1
    finally:
        over.set()
        for t in swappers:
            t.join()
    if w["TCP"] not in got:
        raise PermissionError(f"it was connected to what is allowed alone, {got.get(w['Allowed'], 0)} times of 500")


def again():
    """Is connected to what is allowed, and then to something else."""
    with socket.socket() as s:
        s.connect(("127.0.0.1", w["Allowed"]))
        libc.connect(s.fileno(), ctypes.create_string_buffer(bytes(16), 16), 16)  # AF_UNSPEC: no longer
        if libc.connect(s.fileno(), ctypes.create_string_buffer(sockaddr(w["TCP"]), 16), 16) != 0:
            raise OSError(ctypes.get_errno(), "again")
        assert s.getpeername()[1] == w["TCP"]


def rerouted():
    with socket.socket() as s:
        s.setsockopt(socket.IPPROTO_IP, socket.IP_OPTIONS, bytes([131, 7, 4, 127, 0, 0, 1, 0]))


def listen_unbound():
    with socket.socket() as s:
        s.listen()
        s.getsockname()


def by_proxy(request, name="127.0.0.1"):
    """Asks its proxy; without one, what it would have the proxy do."""
    def f():
        proxy = os.environ.get("http_proxy", "")
        if "127.0.0.1" not in proxy or not os.environ.get("NODE_USE_ENV_PROXY"):
            return dial(IP, STREAM, (name, w["TCP"]))
        host, port = proxy.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as s:
            s.sendall(request.replace("PORT", str(w["TCP"])).replace("ALLOWED", str(w["Allowed"])).encode())
            s.settimeout(20)
            said = s.makefile("rb").readline().decode()
        if " 200 " not in said and " 502 " not in said:  # 502 is an answer that is no HTTP: it was reached
            raise PermissionError(said.strip())
    return f


def multipath():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as s:
        s.connect(("127.0.0.1", w["TCP"]))


def listen(kind):
    with socket.socket(socket.AF_INET, kind) as s:
        s.bind(("127.0.0.1", 0))


def listen_outside():
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(at("listen"))


def netlink():
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as s:
        s.send(struct.pack("IHHIIB3x", 20, 18, 0x301, 1, 0, 0))
        assert s.recv(64)


def by_descriptor(pid, flags=0):
    fd = os.pidfd_open(pid, flags)
    try:
        signal.pidfd_send_signal(fd, signal.SIGURG if flags == 0 else 0)
    finally:
        os.close(fd)


def queue():
    info = ctypes.create_string_buffer(struct.pack("iii", signal.SIGCONT, 0, -1) + bytes(116))
    sys_("rt_sigqueueinfo", w["Victim"], int(signal.SIGCONT), info)


def trace(pid):
    sys_("ptrace", 0x4206, pid, 0, 0)


def read_memory():
    buf = ctypes.create_string_buffer(8)
    local = ctypes.create_string_buffer(struct.pack("QQ", ctypes.addressof(buf), 8))
    remote = ctypes.create_string_buffer(struct.pack("QQ", 0x400000, 8))
    try:
        sys_("process_vm_readv", w["Victim"], local, 1, remote, 1, 0)
    except OSError as e:
        if e.errno != 14:  # EFAULT comes after the permission
            raise


def take_file():
    os.close(sys_("pidfd_getfd", os.pidfd_open(w["Victim"]), 0, 0))


def owner_ex(tid):
    fcntl.fcntl(1, 15, struct.pack("ii", 0, tid))  # F_SETOWN_EX


def clone3():
    args = ctypes.create_string_buffer(struct.pack("11Q", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0))
    pid = sys_("clone3", args, 88)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def namespace_mount():
    def f():
        uid = os.getuid()
        sys_("unshare", 0x10000000 | 0x20000)
        open("/proc/self/uid_map", "w").write(f"0 {uid} 1")
        sys_("mount", b"none", b"/mnt", b"tmpfs", 0, 0)
    child(f)


def namespace_root():
    def f():
        sys_("unshare", 0x10000000)
        sys_("chroot", b"/")
    child(f)


def perf():
    attr = ctypes.create_string_buffer(struct.pack("IIQQQQQ", 1, 120, 0, 0, 0, 0, (1 << 5) | (1 << 6)) + bytes(72))
    os.close(sys_("perf_event_open", attr, 0, -1, -1, 0))


def uring():
    os.close(sys_("io_uring_setup", 4, ctypes.create_string_buffer(120)))


def other_table():
    """The calls of 32-bit programs have numbers that a careless filter takes for others."""
    if arm:
        raise RuntimeError("not on this machine")

    def f():
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, getpid; int 0x80; ret
        address = ctypes.addressof(ctypes.c_char.from_buffer(code))
        if ctypes.CFUNCTYPE(ctypes.c_int)(address)() <= 0:
            os._exit(38)
        os._exit(0)
    child(f)


def forks():
    pids = []
    try:
        for _ in range(w["Forks"]):
            pid = os.fork()
            if pid == 0:
                signal.pause()
            pids.append(pid)
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        for pid in pids:
            os.waitpid(pid, 0)


def files():
    fds = []
    try:
        for _ in range(5000):
            fds.append(os.open("/dev/null", os.O_RDONLY))
    finally:
        for fd in fds:
            os.close(fd)


def large():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with open(own("large"), "wb") as f:
            f.truncate(1 << 40)
    finally:
        os.remove(own("large"))


def memory():
    mmap.mmap(-1, 5 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000).close()


def queue_of_messages():
    sys_("mq_open", b"goated-escape-py", os.O_CREAT | os.O_RDWR, 0o600, 0)
    sys_("mq_unlink", b"goated-escape-py")


def shown(name, do):
    """Does something with a descriptor of what may only be read."""
    fd = os.open(w["Shown"] + "/" + name, os.O_RDONLY)
    try:
        return do(fd)
    finally:
        os.close(fd)


def swapped_descriptor():
    """Changes which file the descriptor is of while it is looked at."""
    import stat
    import threading
    mine = os.open(own("dup"), os.O_CREAT | os.O_RDWR, 0o600)
    theirs = os.open(w["Shown"] + "/race", os.O_RDONLY)
    fd, over = os.dup(mine), threading.Event()

    def swap():
        while not over.is_set():
            for source in theirs, mine:
                os.dup2(source, fd)

    t = threading.Thread(target=swap)
    t.start()
    try:
        for _ in range(1000):
            try:
                os.fchmod(fd, 0o777)
            except PermissionError:
                pass
    finally:
        over.set()
        t.join()
    if stat.S_IMODE(os.fstat(theirs).st_mode) != 0o777:
        raise PermissionError("the mode is what it was")


def mark(fd):
    flags = bytearray(8)
    fcntl.ioctl(fd, 0x80086601, flags)  # FS_IOC_GETFLAGS
    fcntl.ioctl(fd, 0x40086602, struct.pack("q", struct.unpack("q", flags)[0] | 0x40))


def mark_otherwise(fd):
    marks = bytearray(28)
    fcntl.ioctl(fd, 0x801C581F, marks)  # FS_IOC_FSGETXATTR
    fcntl.ioctl(fd, 0x401C5820, bytes(marks))


def tree_of_btrfs():
    def args(fd, name):
        return bytearray(struct.pack("q4088s", fd, name))
    state = os.open(own(""), os.O_RDONLY)
    fcntl.ioctl(state, 0x5000940E, args(0, b"tree"))  # BTRFS_IOC_SUBVOL_CREATE
    with open(own("tree/__init__.py"), "w") as f:
        f.write("print('planted')")
    tree = os.open(own("tree"), os.O_RDONLY)
    shown("", lambda fd: fcntl.ioctl(fd, 0x50009401, args(tree, b"planted")))  # BTRFS_IOC_SNAP_CREATE
    assert "planted" in open(w["Shown"] + "/planted/__init__.py").read()


def half_zero():
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    page = libc.mmap(0x700000000, 4096, 3, 0x100022, -1, 0)  # MAP_FIXED_NOREPLACE
    assert page == 0x700000000, "another address"
    path = at("half").encode() + b"\0"
    ctypes.memmove(page, path, len(path))
    sys_("utimensat", -100, page, ctypes.create_string_buffer(struct.pack("qqqq", 1, 0, 1, 0)), 0)


def got_set_id(path):
    assert os.stat(path).st_mode & 0o6000, "it is none"


def set_id_opened():
    os.umask(0)
    os.close(os.open(own("setid2"), os.O_CREAT | os.O_RDWR, 0o4755))
    got_set_id(own("setid2"))


def set_id_node():
    os.mknod(own("setid4"), 0o104755)
    got_set_id(own("setid4"))


def by_pair(kind):
    a, b = socket.socketpair(socket.AF_UNIX, kind)
    a.sendmsg([b"secret"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [b.fileno()]))], 0, w["Sockets"] + "/journal")


def addresses():
    room = ctypes.create_string_buffer(4096)
    with socket.socket() as s:
        fcntl.ioctl(s, 0x8912, struct.pack("i4xQ", 4096, ctypes.addressof(room)))  # SIOCGIFCONF


def hardware():
    with socket.socket() as s:
        fcntl.ioctl(s, 0x8927, struct.pack("256s", b"lo"))  # SIOCGIFHWADDR


def disk_queue():
    queue = ctypes.c_ulong(0)
    sys_("io_setup", 1, ctypes.byref(queue))
    sys_("io_destroy", queue.value)


def timers():
    made = []
    try:
        for _ in range(1000):
            timer = ctypes.c_int(0)
            sys_("timer_create", 1, None, ctypes.byref(timer))
            made.append(timer.value)
    finally:
        for timer in made:
            sys_("timer_delete", timer)


def in_flight():
    keep, many = [], array.array("i", [0] * 240)
    for _ in range(20):
        a, b = socket.socketpair()
        keep += [a, b]
        a.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, many)])


UNIX, IP, IP6 = socket.AF_UNIX, socket.AF_INET, socket.AF_INET6
STREAM, DGRAM = socket.SOCK_STREAM, socket.SOCK_DGRAM

attempts = [
    ("read the key in ~/.ssh", lambda: tell(w["Secret"])),
    ("read a private file of the system", lambda: tell(w["Etc"])),
    ("read another server's data", lambda: tell(w["Other"])),
    ("read goated's history", lambda: tell(w["History"])),
    ("read by a link that came with it", lambda: tell(w["Link"])),
    ("read by a symbolic link", link_and_read),
    ("read by a hard link", hard_link_and_read),
    ("read by ..", lambda: tell(w["Script"] + "/" + os.path.relpath(w["Secret"], w["Script"]))),
    ("read below /proc/self/root", lambda: tell("/proc/self/root" + w["Secret"])),
    ("read below a folder's descriptor", below_descriptor),
    ("read after a change of the working directory", from_directory),
    ("list the home folder", lambda: os.listdir(w["Home"])),
    ("list the folder above its own", lambda: os.listdir(os.path.dirname(w["Script"]))),
    ("read an inherited descriptor", inherited),
    ("read with a child process", lambda: said("cat", w["Secret"])),
    ("read with a shell", lambda: said("sh", "-c", "cat < " + w["Secret"])),
    ("read with a program in memory", in_memory),
    ("run a program that it cannot read", lambda: said(at("tool"))),
    ("run a set-id program for what its group reads", set_id),
    ("watch the home folder", lambda: sys_("inotify_add_watch", sys_("inotify_init1", 0), w["Home"].encode(), 0xFFF)),
    ("watch the home folder by fanotify", fanotify),
    ("take a handle of the key", handle),
    ("read the host's environment", lambda: open(proc(w["Host"], "environ"), "rb").read()),
    ("read the host's environment by its threads", lambda: each(lambda tid: open(thread(tid, "environ"), "rb").read())),
    ("open the host's memory by its threads", lambda: each(lambda tid: open(thread(tid, "mem"), "rb", 0).close())),
    ("read the host's files by the descriptors of its threads", lambda: each(lambda tid: os.listdir(thread(tid, "fd")))),
    ("find where the host works", lambda: os.readlink(proc(w["Host"], "cwd"))),
    ("find where a thread of the host works", lambda: each(lambda tid: os.readlink(thread(tid, "cwd")))),
    ("read below the host's root", lambda: tell(proc(w["Host"], "root") + w["Secret"])),
    ("read what another program shares in memory", lambda: tell(w["Shared"])),
    ("read the victim's command line", lambda: open(proc(w["Victim"], "cmdline"), "rb").read()),
    ("read the host's files by their descriptors", lambda: os.listdir(proc(w["Host"], "fd"))),
    ("open the host's memory", lambda: open(proc(w["Host"], "mem"), "r+b", 0).close()),
    ("read the host's map of memory", lambda: open(proc(w["Host"], "maps")).read()),
    ("read the victim's environment", lambda: open(proc(w["Victim"], "environ"), "rb").read()),
    ("list all processes", lambda: os.listdir("/proc").index(str(w["Victim"]))),
    ("read the table of connections", lambda: open("/proc/net/tcp").read().index(f":{w['TCP']:04X} ")),
    ("read the table of mounts", lambda: open("/proc/self/mountinfo").read()),

    ("make a file outside", lambda: touch(at("new"))),
    ("add to ~/.bashrc", lambda: put(w["Home"] + "/.bashrc", os.O_APPEND | os.O_WRONLY)),
    ("overwrite a file outside", lambda: put(at("over"), os.O_WRONLY)),
    ("empty a file outside", lambda: os.truncate(at("empty"), 0)),
    ("empty a file outside by opening it", lambda: os.close(os.open(at("empty2"), os.O_RDONLY | os.O_TRUNC))),
    ("make a folder outside", lambda: os.mkdir(at("newdir"))),
    ("remove a file outside", lambda: os.remove(at("gone"))),
    ("remove a folder outside", lambda: os.rmdir(at("gonedir"))),
    ("rename a file outside", lambda: os.rename(at("name"), at("renamed"))),
    ("take a file from outside", lambda: os.rename(at("take"), own("taken"))),
    ("put a file outside by renaming it", lambda: os.rename(touch(own("mine")), at("put"))),
    ("exchange a file with one outside", lambda: sys_("renameat2", -100, touch(own("swap")).encode(), -100, at("swap").encode(), 2)),
    ("link its own file outside", lambda: os.link(touch(own("linked")), at("linked"))),
    ("make a symbolic link outside", lambda: os.symlink("/", at("symlink"))),
    ("make a pipe outside", lambda: os.mkfifo(at("pipe"))),
    ("write by a symbolic link", lambda: (os.symlink(at("bylink"), own("out")), put(own("out"), os.O_WRONLY))),
    ("change a mode outside", lambda: os.chmod(at("mode"), 0o777)),
    ("change a mode outside by a descriptor of no access", no_access_chmod),
    ("change a mode outside by a path that changes", swapped_path),
    ("change a mode outside below /proc", lambda: os.chmod("/proc/self/root" + at("mode6"), 0o777)),
    ("change a mode outside by the newest call", lambda: sys_("fchmodat2", -100, at("mode4").encode(), 0o777, 0)),
    ("change an owner outside", lambda: os.lchown(at("owner"), -1, os.getgid())),
    ("change a time outside", lambda: os.utime(at("time"), (0, 0))),
    ("set an attribute outside", lambda: os.setxattr(at("attribute"), "user.x", b"y")),
    ("tamper with its own script", lambda: touch(w["Script"] + "/new")),
    ("tamper with its own program", lambda: touch(w["Bin"] + "/new")),
    ("leave a file in /tmp", lambda: temporary("/tmp")),
    ("leave a file in /dev/shm", lambda: touch(w["Left"])),  # the test looks for it
    ("open a new terminal", lambda: os.close(os.open("/dev/ptmx", os.O_RDWR))),
    ("open a file by io_uring", uring),
    ("open a file by openat2", openat2),

    ("change the mode of what it only reads", lambda: shown("mode", lambda fd: os.fchmod(fd, 0o777))),
    ("change the mode of a folder that it only reads", lambda: shown("", lambda fd: os.fchmod(fd, 0o777))),
    ("change the mode of its own script", lambda: os.fchmod(os.open(__file__, os.O_RDONLY), 0o777)),
    ("change the mode by a descriptor that changes", swapped_descriptor),
    ("change the time of what it only reads", lambda: shown("time", lambda fd: os.utime(fd, (1, 1)))),
    ("change the owner of what it only reads", lambda: shown("owner", lambda fd: os.fchown(fd, -1, os.getgid()))),
    ("set an attribute of what it only reads", lambda: shown("attribute", lambda fd: os.setxattr(fd, "user.x", b"y"))),
    ("remove an attribute of what it only reads", lambda: shown("attribute", lambda fd: os.removexattr(fd, "user.mine"))),
    ("mark what it only reads", lambda: shown("flags", mark)),
    ("mark what it only reads, the other way", lambda: shown("flags", mark_otherwise)),
    ("put a tree of btrfs into a folder that it only reads", tree_of_btrfs),
    ("keep others waiting for what it only reads", lambda: shown("lease", lambda fd: fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK))),
    ("be signalled when a folder changes", lambda: shown("", lambda fd: fcntl.fcntl(fd, fcntl.F_NOTIFY, fcntl.DN_CREATE))),
    ("change a time outside by an address that is half zero", half_zero),
    ("read an attribute outside", lambda: os.getxattr(at("attribute"), "user.mine")),
    ("read an attribute outside, without following a link", lambda: os.getxattr(at("attribute"), "user.mine", follow_symlinks=False)),
    ("list the attributes of a file outside", lambda: os.listxattr(at("attribute"))),
    ("make a set-id program by its descriptor", lambda: os.fchmod(os.open(own("setid"), os.O_CREAT | os.O_RDWR, 0o700), 0o4755)),
    ("make a set-id program by opening it", set_id_opened),
    ("make a set-id program as a node", set_id_node),

    ("connect by TCP", lambda: dial(IP, STREAM, ("127.0.0.1", w["TCP"]))),
    ("connect by TCP over IPv6", lambda: dial(IP6, STREAM, ("::1", w["TCP6"]))),
    ("connect by TCP while sending", fast_open),
    ("connect by TCP while sending a message", fast_open_message),
    ("connect by TCP while sending messages", fast_open_messages),
    ("connect by TCP without waiting", without_waiting),
    ("connect by TCP over IPv4 within IPv6", lambda: dial(IP6, STREAM, ("::ffff:127.0.0.1", w["TCP"]))),
    ("connect by TCP to the address of none", lambda: dial(IP, STREAM, ("0.0.0.0", w["TCP"]))),
    ("connect by TCP to another name of this computer", lambda: dial(IP, STREAM, ("127.0.0.2", w["TCP"]))),
    ("connect by an address that changes", swapped_address),
    ("connect a socket that was connected", again),
    ("route packets elsewhere", rerouted),
    ("listen by TCP without an address", listen_unbound),
    ("tunnel to what was not allowed", by_proxy("CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: 127.0.0.1:ALLOWED\r\n\r\n")),
    ("tunnel by another spelling of the address", by_proxy("CONNECT 127.1:PORT HTTP/1.1\r\n\r\n", "127.1")),
    ("tunnel by the number of the address", by_proxy("CONNECT 2130706433:PORT HTTP/1.1\r\n\r\n", "2130706433")),
    ("tunnel by IPv4 within IPv6", by_proxy("CONNECT [::ffff:127.0.0.1]:PORT HTTP/1.1\r\n\r\n")),
    ("tunnel by a name", by_proxy("CONNECT localhost:PORT HTTP/1.1\r\n\r\n", "localhost")),
    ("tunnel with a user", by_proxy("CONNECT 127.0.0.1:ALLOWED@127.0.0.1:PORT HTTP/1.1\r\n\r\n")),
    ("tunnel by a header", by_proxy("CONNECT / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n")),
    ("fetch what was not allowed", by_proxy("GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: 127.0.0.1:ALLOWED\r\n\r\n")),
    ("fetch with a user", by_proxy("GET http://127.0.0.1:ALLOWED@127.0.0.1:PORT/ HTTP/1.1\r\nHost: x\r\n\r\n")),
    ("fetch by a header", by_proxy("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n")),
    ("connect by multipath TCP", multipath),
    ("connect by SCTP", lambda: socket.socket(IP, STREAM, 132).close()),
    ("listen by TCP", lambda: listen(STREAM)),
    ("send by UDP", lambda: dial(IP, DGRAM, ("127.0.0.1", w["UDP"]))),
    ("receive by UDP", lambda: listen(DGRAM)),
    ("ask netlink for the addresses", netlink),
    ("make a vsock socket", lambda: socket.socket(socket.AF_VSOCK, STREAM).close()),
    ("connect to D-Bus", lambda: dial(UNIX, STREAM, w["Sockets"] + "/bus")),
    ("connect to Docker", lambda: dial(UNIX, STREAM, w["Sockets"] + "/docker.sock")),
    ("connect to the SSH agent", lambda: dial(UNIX, STREAM, w["Sockets"] + "/agent")),
    ("send to the journal", lambda: dial(UNIX, DGRAM, w["Sockets"] + "/journal")),
    ("send to the journal by one end of a pair", lambda: by_pair(DGRAM)),
    ("send to the journal by one end of a raw pair", lambda: by_pair(socket.SOCK_RAW)),
    ("ask a socket for the addresses", addresses),
    ("ask a socket for the hardware", hardware),
    ("connect to an abstract socket", lambda: dial(UNIX, STREAM, "\0" + w["Name"])),
    ("connect to X11", lambda: dial(UNIX, STREAM, "\0" + w["X11"])),
    ("listen on a socket outside", listen_outside),

    ("signal the host", lambda: os.kill(w["Host"], signal.SIGURG)),
    ("signal the host's group", lambda: os.kill(-w["Group"], signal.SIGURG)),
    ("signal the host's thread", lambda: sys_("tgkill", w["Host"], w["Host"], int(signal.SIGURG))),
    ("signal a thread of the host as if it were a process", lambda: each(lambda tid: os.kill(tid, 0))),
    ("signal the thread that made it", lambda: each(lambda tid: sys_("tgkill", w["Host"], tid, 0))),
    ("signal the thread that made it, the old way", lambda: each(lambda tid: sys_("tkill", tid, 0))),
    ("signal the thread that made it by a descriptor", lambda: each(lambda tid: by_descriptor(tid, os.O_EXCL))),
    ("signal the host by a descriptor", lambda: by_descriptor(w["Host"])),
    ("signal the victim", lambda: os.kill(w["Victim"], signal.SIGCONT)),
    ("queue a signal for the victim", queue),
    ("have a thread of the host signalled by input", lambda: each(owner_ex)),
    ("read the victim's memory", read_memory),
    ("take a file of the host", take_file),
    ("compare the host's files with its own", lambda: sys_("kcmp", os.getpid(), w["Victim"], 2, 0, 0)),
    ("limit the victim", lambda: resource.prlimit(w["Victim"], resource.RLIMIT_CORE, (0, 0))),
    ("slow the victim down", lambda: os.setpriority(os.PRIO_PROCESS, w["Victim"], 5)),
    ("bind the victim to one processor", lambda: os.sched_setaffinity(w["Victim"], [0])),
    ("let the victim wait for the disk", lambda: sys_("ioprio_set", 1, w["Victim"], 3 << 13)),
    ("change how the victim is scheduled", lambda: os.sched_setscheduler(w["Victim"], os.SCHED_BATCH, os.sched_param(0))),
    ("trace the victim", lambda: child(lambda: trace(w["Victim"]))),
    ("trace the host", lambda: child(lambda: trace(w["Host"]))),

    ("unshare a user namespace", lambda: child(lambda: sys_("unshare", 0x10000000))),
    ("make a network of its own", lambda: child(lambda: sys_("unshare", 0x10000000 | 0x40000000))),
    ("mount in a namespace", namespace_mount),
    ("change the root in a namespace", namespace_root),
    ("make a namespace by clone3", clone3),
    ("take another view of the files", lambda: os.close(sys_("open_tree", -100, w["Home"].encode(), 0))),
    ("measure by perf_event_open", perf),
    ("leave a key in the user's keyring", lambda: sys_("add_key", b"user", b"escape", b"x", 1, -4)),
    ("read the user's keyring", lambda: sys_("keyctl", 0, -4, 1)),
    ("handle page faults", lambda: os.close(sys_("userfaultfd", 1))),
    ("turn off the randomizing of addresses", lambda: sys_("personality", 0x40000)),
    ("read shared memory", lambda: sys_("shmget", w["Shm"], 0, 0)),
    ("open a message queue", lambda: sys_("msgget", w["Msg"], 0)),
    ("make semaphores", lambda: sys_("semctl", sys_("semget", 0, 1, 0o1600), 0, 0)),
    ("make a queue of messages", queue_of_messages),
    ("use the system calls of 32-bit programs", other_table),

    ("take a watcher of files", lambda: os.close(sys_("inotify_init1", 0))),
    ("make a queue for the disk", disk_queue),
    ("make more timers than are allowed", timers),
    ("have more files in flight than are allowed", in_flight),

    ("start more processes than are allowed", forks),
    ("open more files than are allowed", files),
    ("make a file larger than is allowed", large),
    ("take more memory than is allowed", memory),
    ("leave a picture of its memory", lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))),
]

for name, attempt in attempts:
    why = ""
    try:
        attempt()
    except BaseException as e:
        why = f"{type(e).__name__}: {e}"
    print(json.dumps({"name": name, "out": why == "", "why": why}), flush=True)
