"""Works in a folder that it may write, and attacks the protected files in it.

Prints one JSON object: the work that failed, and the attacks that raised no error. The
test looks at the folder itself afterwards.
"""
import ctypes, errno, json, os, shutil, socket, sqlite3, subprocess, sys, threading

proj, own = sys.argv[1], os.environ["STATE_DIRECTORY"]
failed, done = [], []
os.chdir(proj)
libc = ctypes.CDLL(None, use_errno=True)


def put(path, text="evil\n", mode="w"):
    with open(path, mode) as f:
        f.write(text)


def exchange(a, b):
    if libc.renameat2(-100, a.encode(), -100, b.encode(), 2) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")


def link_descriptor(fd, to):
    if libc.linkat(-100, f"/proc/self/fd/{fd}".encode(), -100, to.encode(), 0x400) != 0:
        raise OSError(ctypes.get_errno(), "linkat")


def work(name, do):
    try:
        if do() is False:
            failed.append(name + ": wrong result")
    except Exception as e:
        failed.append(f"{name}: {e!r}")


def attack(name, do):
    try:
        do()
        done.append(name)
    except OSError:
        pass


# What a server does in a folder every day.
def everyday():
    put("new.txt", "one\n")
    put("new.txt", "two\n", "a")
    with open("new.txt", "r+") as f:
        f.seek(4)
        f.write("TWO")
        f.truncate(7)
    return open("new.txt").read() == "one\nTWO"


def umask():
    old = os.umask(0o077)
    try:
        os.close(os.open("secret", os.O_CREAT | os.O_WRONLY, 0o666))
        os.mkdir("secrets")
    finally:
        os.umask(old)
    return os.stat("secret").st_mode & 0o777 == 0o600 and os.stat("secrets").st_mode & 0o777 == 0o700


def exclusive():
    os.close(os.open("once", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        os.open("once", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return True
    return False


def links():
    put("target", "t")
    os.symlink("target", "sym")
    put("sym", "by link")
    os.symlink("fresh", "dangling")
    put("dangling", "made by link")
    os.link("target", "hard")
    return open("hard").read() == "by link" and open("fresh").read() == "made by link"


def unnamed():
    fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
    os.write(fd, b"unnamed")
    link_descriptor(fd, "named")
    os.close(fd)
    return open("named").read() == "unnamed"


def database():
    for mode in "delete", "wal":
        c = sqlite3.connect("notes.db")
        c.execute("pragma journal_mode=" + mode)
        c.execute("create table if not exists t(a)")
        c.execute("insert into t values(1)")
        c.commit()
        c.close()


def program():
    for i in range(20):
        fd = os.open(f"run{i}", os.O_CREAT | os.O_WRONLY, 0o755)
        os.write(fd, b"#!/bin/sh\necho ran\n")
        os.close(fd)
        if subprocess.run([f"./run{i}"], capture_output=True).stdout != b"ran\n":
            return False


def folders():
    os.makedirs("a/b/c", exist_ok=True)
    os.makedirs("a/b/c", exist_ok=True)
    put("a/b/c/x")
    os.rename("a/b", "a/d")
    shutil.copytree("a", "copy")
    shutil.rmtree("copy")
    d = os.open("a/d", os.O_RDONLY)
    os.mkdir("e", dir_fd=d)
    os.rename("e", "f", src_dir_fd=d, dst_dir_fd=d)
    os.close(d)
    return os.path.isdir("a/d/f") and not os.path.exists("copy")


def moves():
    put(own + "/mine", "mine")
    os.rename(own + "/mine", "moved")
    os.rename("moved", own + "/back")
    return open(own + "/back").read() == "mine"


def times():
    put("old")
    os.utime("old", (1, 1))
    os.chmod("old", 0o640)
    os.truncate("old", 2)
    fd = os.open("old", os.O_RDONLY)
    os.chmod(f"/proc/self/fd/{fd}", 0o600)
    os.close(fd)
    s = os.stat("old")
    return s.st_mode & 0o777 == 0o600 and s.st_size == 2


def sockets():
    with socket.socket(socket.AF_UNIX) as s:
        s.bind("door")
    os.unlink("door")


def commit():
    put(".git/HEAD", "ref: refs/heads/main\n")
    put(".git/index.lock", "index")
    os.rename(".git/index.lock", ".git/index")
    os.makedirs(".git/objects/ab")
    put(".git/objects/ab/cd", "blob")
    os.makedirs("sub/.git")
    os.makedirs("node_modules/package", exist_ok=True)
    put("node_modules/package/index.js")


for name, do in dict(everyday=everyday, umask=umask, exclusive=exclusive, links=links, unnamed=unnamed, database=database, program=program,
                     folders=folders, moves=moves, times=times, commit=commit).items():
    work(name, do)
if "sockets" in sys.argv[2:]:
    work("sockets", sockets)

# Attacks. The files of the test are those that exist; the others are missing.
exist = [".git/hooks/pre-commit", ".git/config", ".envrc", ".vscode/tasks.json", ".idea/workspace.xml", "node_modules/.bin/tool", ".venv/bin/python",
         "deep/er/.git/hooks/post-checkout", "worktree/.git"]
worktree = exist[-1]  # a file that runs nothing by itself, in a folder of the project: only what it says matters
missing = [".git/hooks/post-merge", ".git/config.worktree", ".git/commondir", ".git/modules/m/config", ".git/worktrees/w/commondir", ".husky/pre-commit",
           ".cursor/mcp.json", ".devcontainer/devcontainer.json", "venv/bin/python", "sub/.envrc", "sub/.git/hooks/pre-commit", "sub/.git/config", ".ENVRC"]
put("bait")
for f in exist:
    dir, name = os.path.split(f)
    attack("overwrite " + f, lambda: put(f))
    attack("append " + f, lambda: put(f, mode="a"))
    attack("update " + f, lambda: put(f, mode="r+"))
    attack("empty " + f, lambda: os.truncate(f, 0))
    attack("empty by opening " + f, lambda: os.close(os.open(f, os.O_RDONLY | os.O_TRUNC)))
    attack("remove " + f, lambda: os.unlink(f))
    attack("move away " + f, lambda: os.rename(f, "taken"))
    attack("replace " + f, lambda: os.rename("bait", f))
    attack("exchange " + f, lambda: exchange("bait", f))
    if f != worktree:
        attack("mode of " + f, lambda: os.chmod(f, 0o777))
        attack("time of " + f, lambda: os.utime(f, (1, 1)))
    attack("other name of " + f, lambda: (os.link(f, "alias"), put("alias")))
    attack("link to " + f, lambda: (os.symlink(f, "sl-" + name), put("sl-" + name)))
    attack("dots to " + f, lambda: put("a/../" + f))
    attack("slashes to " + f, lambda: put(proj + "//./" + f))
    attack("by /proc " + f, lambda: put("/proc/self/cwd/" + f))
    attack("by thread " + f, lambda: put("/proc/thread-self/root" + proj + "/" + f))

    def reopened():
        fd = os.open(f, os.O_RDONLY)
        try:
            put(f"/proc/self/fd/{fd}")
        finally:
            os.close(fd)

    def linked():
        fd = os.open(f, os.O_RDONLY)
        try:
            link_descriptor(fd, "by-fd")
            put("by-fd")
        finally:
            os.close(fd)

    def by_folder():
        fd = os.open(dir or ".", os.O_RDONLY)
        try:
            os.close(os.open(name, os.O_WRONLY, dir_fd=fd))
        finally:
            os.close(fd)

    def by_linked_folder():
        if not os.path.islink("through"):
            os.symlink(".", "through")
        put("through/" + f)

    attack("by descriptor " + f, reopened)
    attack("other name by descriptor " + f, linked)
    attack("in an open folder " + f, by_folder)
    attack("by a linked folder " + f, by_linked_folder)
    if f != worktree:
        attack("folder away " + f, lambda: dir and (os.rename(dir, "gone"), os.makedirs(dir), put(f)) or put(f))


def tree(root, f):
    """Makes the end of f below another name, and moves it into place."""
    first, rest = f.split("/", 1)
    at = os.path.join(root, rest)
    os.makedirs(os.path.dirname(at) or ".", exist_ok=True)
    put(at)


for i, f in enumerate(missing):
    dir, name = os.path.split(f)
    attack("make " + f, lambda: (os.makedirs(dir or ".", exist_ok=True), put(f)))
    attack("make a folder " + f, lambda: os.makedirs(f))
    attack("link " + f, lambda: os.symlink("/tmp/evil", f))
    attack("hard link " + f, lambda: os.link("bait", f))
    attack("move to " + f, lambda: os.rename("bait", f))
    attack("pipe " + f, lambda: os.mkfifo(f))
    attack("node " + f, lambda: os.mknod(f))
    attack("exchange with " + f, lambda: exchange("bait", f))
    attack("from its own folder " + f, lambda: (put(own + "/e"), os.rename(own + "/e", f)))

    def dangling():
        os.symlink(os.path.join(proj, f), f"dangle{i}")
        put(f"dangle{i}")

    attack("by a dangling link " + f, dangling)

# A folder that was made elsewhere takes the place of one that holds protected files.
for place in ["sub/.git", "venv", "other/.git", "other/node_modules", "other/.venv"]:
    def whole(how):
        staged = f"staged{how}-" + place.replace("/", "-")
        for f in ["hooks/pre-commit", "config", ".bin/tool", "bin/python"]:
            tree(staged, "x/" + f)
        os.makedirs("other", exist_ok=True)
        if how == "rename":
            shutil.rmtree(place, ignore_errors=True)
            os.rename(staged, place)
        elif how == "link":
            shutil.rmtree(place, ignore_errors=True)
            os.symlink(os.path.abspath(staged), place)
        elif how == "exchange":
            os.makedirs(place, exist_ok=True)
            exchange(staged, place)
        else:  # a file that names the real folder
            shutil.rmtree(place, ignore_errors=True)
            put(place, "gitdir: " + os.path.abspath(staged))

    for how in ["rename", "link", "exchange", "file"]:
        attack(f"{how} a whole {place}", lambda: whole(how))

# Another thread changes what the path means while the call is judged.
stop = threading.Event()
os.makedirs("race/fine", exist_ok=True)
put("race/fine/pre-commit")
if not os.path.islink("race/hooks"):
    os.symlink("fine", "race/hooks")


def swap():
    while not stop.is_set():
        for target in ["fine", "../.git/hooks"]:
            try:
                os.symlink(target, "race/next")
                os.rename("race/next", "race/hooks")
            except OSError:
                pass


t = threading.Thread(target=swap)
t.start()
sys.setswitchinterval(1e-4)
for _ in range(150):
    try:
        put("race/hooks/pre-commit")
    except OSError:
        pass
    try:
        put("race/hooks/made-by-race")
    except OSError:
        pass
stop.set()
t.join()
print(json.dumps({"failed": failed, "done": done}))
