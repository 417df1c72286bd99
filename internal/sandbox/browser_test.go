//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/proctest"
)

// With the permission for a browser, a server's processes communicate over Unix sockets with each
// other, and with no other program, by any path.
func TestLocalSockets(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	outside := t.TempDir()
	bus := filepath.Join(outside, "bus")
	l, err := net.Listen("unix", bus)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	abstract, err := net.Listen("unix", fmt.Sprintf("@goated-browser-%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	const script = `
import os, socket, sys, threading
bus, abstract = sys.argv[1], "\0" + sys.argv[2][1:]
state = os.environ["STATE_DIRECTORY"]
os.chdir(state)
def own(address, kind):
    with socket.socket(socket.AF_UNIX, kind) as l:
        l.bind(address); l.listen()
        with socket.socket(socket.AF_UNIX, kind) as c:
            c.connect(address)
            s, _ = l.accept()
            c.send(b"hi")
            print(s.recv(2).decode())
for name, kind in ("a", socket.SOCK_STREAM), (state + "/b", socket.SOCK_SEQPACKET), ("\0own", socket.SOCK_STREAM):
    try: own(name, kind)
    except OSError as e: print("failed", name.encode(), e)
os.symlink(bus, "link")
os.symlink(os.path.dirname(bus), "folder")
def no(what, call):
    try:
        call(); print("ESCAPED:", what)
    except OSError:
        pass
def connect(to, kind=socket.SOCK_STREAM): return lambda: socket.socket(socket.AF_UNIX, kind).connect(to)
no("path", connect(bus))
no("link", connect("link"))
no("folder link", connect("folder/bus"))
no("up", connect("../../../../../../../.." + bus))
no("abstract", connect(abstract))
no("datagram", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
no("datagram pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
no("move in", lambda: os.rename(bus, "moved"))
no("link in", lambda: os.link(bus, "linked"))
no("bind outside", lambda: socket.socket(socket.AF_UNIX).bind(os.path.dirname(bus) + "/mine"))
done = threading.Event()
def swap():
    while not done.is_set():
        for target in "a", bus:
            try: os.symlink(target, "next"); os.rename("next", "swap")
            except OSError: pass
threading.Thread(target=swap, daemon=True).start()
peers = set()
for _ in range(300):
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.connect("swap"); peers.add(s.getpeername())
    except OSError: pass
done.set()
print("ESCAPED: race" if bus in peers else "no race")
`
	start := func(p Policy) (string, *Sandbox) {
		cmd := exec.Command("/usr/bin/python3", "-c", script, bus, fmt.Sprintf("@goated-browser-%d", os.Getpid()))
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		s, err := Start(cmd, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the output shows the result
		s.Close()
		return out.String(), s
	}
	p := For("/usr/bin/python3", "", t.TempDir(), nil)
	out, s := start(p.With(Grant{Browser: true}))
	if !s.Net {
		t.Skip("this system has no network namespaces for this user")
	}
	if want := "hi\nhi\nhi\nno race\n"; out != want {
		t.Errorf("it printed %q, want %q", out, want)
	}
	if !slices.Contains(s.Env, "PUPPETEER_DANGEROUS_NO_SANDBOX=true") {
		t.Error("browsers start with a sandbox of their own")
	}
	// Without the permission, the processes have no sockets at all.
	p.Network = NamedHosts
	if out, _ := start(p); strings.Contains(out, "hi") || strings.Contains(out, "ESCAPED") {
		t.Errorf("without the permission it printed %q", out)
	}
}

// A browser that starts without the permission makes goated ask for it.
func TestBrowserIsObserved(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	dir := t.TempDir()
	browser := filepath.Join(dir, "chrome")
	python, err := filepath.EvalSymlinks("/usr/bin/python3")
	if err != nil {
		t.Skip(err)
	}
	source, err := os.ReadFile(python)
	if err != nil {
		t.Fatal(err)
	}
	if err := proctest.WriteProgram(browser, source); err != nil {
		t.Fatal(err)
	}
	p := For(python, "", t.TempDir(), nil).With(Grant{Read: []string{dir}})
	p.Network = NamedHosts
	for program, want := range map[string]Permissions{browser: {{Kind: ToBrowser}}, python: nil} {
		var refused Permissions
		cmd := exec.Command(program, "-c", "import socket\ntry: socket.socket(socket.AF_UNIX)\nexcept PermissionError: pass")
		cmd.Env = append(os.Environ(), "PYTHONHOME=/usr")
		s, err := Start(cmd, p, func(q Permission) { refused = append(refused, q) })
		if err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		s.Close()
		if !s.Net {
			t.Skip("this system has no network namespaces for this user")
		}
		if got := Needs(p, Evidence{Refused: refused}); !slices.Equal(got, want) {
			t.Errorf("%s: it lacks %v, want %v", filepath.Base(program), got, want)
		}
	}
}
