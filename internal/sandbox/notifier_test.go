//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A server can change modes and times of files by path only in its own folder. Landlock does not
// restrict these calls.
func TestModesAndTimes(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	outside := filepath.Join(makeHome(t, "x"), "x")
	program, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	p := For(program, "", t.TempDir(), nil)
	cmd := exec.Command(program, "-c", modesAndTimes, outside)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	s, err := Start(cmd, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	checkModesAndTimes(t, out.String())
}

// modesAndTimes changes modes and times in the server's own folder, and tries the same with $0.
const modesAndTimes = `
cd "$STATE_DIRECTORY" || exit 9
echo hello > a && chmod 640 a && touch -d 2001-02-03T04:05:06Z a && cp -p a b && mkdir d && cp -p a d/c && chmod -R o-r d && stat -c '%n %a %Y' a b d/c
chmod 777 "$0" && echo changed the mode
touch -d 2001-02-03 "$0" && echo changed the time
ln -s "$0" out && chmod 777 out && echo changed the mode by a link
chmod 4755 a && echo made a set-id program
chmod 600 nothing
true`

func checkModesAndTimes(t *testing.T, output string) {
	t.Helper()
	for _, want := range []string{"a 640 981173106", "b 640 981173106", "d/c 640 981173106", "nothing': No such file"} {
		if !strings.Contains(output, want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	if strings.Contains(output, "changed") || strings.Contains(output, "made") {
		t.Error("the server changed a file outside")
	}
	if t.Failed() {
		t.Log(output)
	}
}

// A server can change modes and times of open files only where it may write.
func TestOpenFiles(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	program := python(t)
	script := filepath.Join(t.TempDir(), "x.py")
	if err := os.WriteFile(script, []byte(openFiles), 0o600); err != nil {
		t.Fatal(err)
	}
	p := For(program, script, t.TempDir(), nil)
	cmd := exec.Command(program, script)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	s, err := Start(cmd, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const want = "0o640 981173106\n0o600 0 unlinked\n0o750 folder\n0o600 by its number\ncopied 0o640 981173106\nb'over a pair'\n0\nEBADF\nno terminal\n"
	if err := cmd.Wait(); err != nil || out.String() != want {
		t.Errorf("%v\n%s", err, out.String())
	}
}

const openFiles = `
import array, errno, fcntl, os, shutil, socket, tempfile
os.chdir(os.environ["STATE_DIRECTORY"])
def say(st, *more): print(oct(st.st_mode & 0o7777), *more)
fd = os.open("a", os.O_CREAT | os.O_RDWR, 0o600)
os.fchmod(fd, 0o640)
os.utime(fd, (981173106, 981173106))
say(os.fstat(fd), int(os.fstat(fd).st_mtime))
with tempfile.TemporaryFile(dir=".") as f:
    os.fchmod(f.fileno(), 0o600)
    os.utime(f.fileno(), (0, 0))
    say(os.fstat(f.fileno()), int(os.fstat(f.fileno()).st_mtime), "unlinked")
os.mkdir("d")
d = os.open("d", os.O_RDONLY)
os.fchmod(d, 0o750)
say(os.fstat(d), "folder")
os.chmod("/proc/self/fd/%d" % fd, 0o600)
say(os.stat("a"), "by its number")
os.fchmod(fd, 0o640)
shutil.copy2("a", "d/b")
print("copied", end=" ")
say(os.stat("d/b"), int(os.stat("d/b").st_mtime))
one, two = socket.socketpair()
one.settimeout(5)
two.sendmsg([b"over a pair"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))])
print(one.recv(100))
print(int.from_bytes(fcntl.ioctl(one, 0x541B, bytes(4)), "little")) # FIONREAD
try:
    os.fchmod(999, 0o600)
except OSError as e:
    print(errno.errorcode[e.errno])
print("a terminal" if os.isatty(one.fileno()) else "no terminal")
`
