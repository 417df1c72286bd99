//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A process with a list of sockets can connect to these by any path, but not to the user's other
// programs, such as Docker, the SSH agent or the journal.
func TestListedSockets(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	w := newWorld(t)
	const script = `
import os, socket, sys, threading
run, display = sys.argv[1], "\0" + sys.argv[2]
os.chdir(os.environ["STATE_DIRECTORY"])
def connect(to, kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_UNIX, kind) as s: s.connect(to)
def may(what, call):
    try: call()
    except OSError as e: print("REFUSED:", what, e)
def no(what, call):
    try: call(); print("ESCAPED:", what)
    except OSError: pass
bus, docker, agent, journal = (run + "/" + n for n in ("bus", "docker.sock", "agent", "journal"))
os.symlink(bus, "good"); os.symlink(docker, "bad"); os.symlink(run, "folder")
may("the bus", lambda: connect(bus))
may("the bus by a link", lambda: connect("good"))
may("the bus by another path", lambda: connect("folder/../run/bus"))
may("the display", lambda: connect(display))
no("docker", lambda: connect(docker))
no("docker by a link", lambda: connect("bad"))
no("docker by a folder", lambda: connect("folder/docker.sock"))
no("the agent", lambda: connect(agent))
no("the agent beside the bus", lambda: connect(bus + "/../agent"))
no("a path as an abstract name", lambda: connect("\0" + agent))
no("the abstract name", lambda: connect("\0" + sys.argv[3]))
no("the journal", lambda: connect(journal, socket.SOCK_DGRAM))
def send():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s: s.sendto(b"x", journal)
no("a datagram", send)
no("a pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
def listen():
    with socket.socket(socket.AF_UNIX) as s: s.bind("mine"); s.listen()
no("listening", listen)
no("the network", lambda: socket.create_connection(("127.0.0.1", int(sys.argv[4])), 2))
no("moving in", lambda: os.rename(docker, bus))
done = threading.Event()
def swap():
    while not done.is_set():
        for target in bus, docker:
            try: os.symlink(target, "next"); os.rename("next", "swap")
            except OSError: pass
threading.Thread(target=swap, daemon=True).start()
peers = set()
for _ in range(300):
    try:
        with socket.socket(socket.AF_UNIX) as s: s.connect("swap"); peers.add(s.getpeername())
    except OSError: pass
done.set()
print("ESCAPED: race" if docker in peers else "done")
`
	bus := filepath.Join(w.Sockets, "b*")
	for name, p := range map[string]Policy{
		"offline":    For("/usr/bin/python3", "", t.TempDir(), nil).With(Grant{Sockets: []string{bus, "@" + w.X11}}),
		"with hosts": For("/usr/bin/python3", "", t.TempDir(), nil).With(Grant{Sockets: []string{bus, "@" + w.X11}, Hosts: []string{"example.com"}}),
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("/usr/bin/python3", "-c", script, w.Sockets, w.X11, w.Name, strconv.Itoa(w.TCP))
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			s, err := Start(cmd, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // the output shows the result
			s.Close()
			got := out.String()
			if s.Net { // the computer's abstract names are in another network
				got = strings.Replace(got, "REFUSED: the display [Errno 111] Connection refused\n", "", 1)
			}
			if got != "done\n" {
				t.Errorf("it printed %q", got)
			}
		})
	}
}

// The list of sockets appears among the permissions that the user reads.
func TestSocketsAreDescribed(t *testing.T) {
	g := Grant{Sockets: []string{"/run/user/1000/pulse/native", "/run/own"}}
	if g.Empty() {
		t.Error("the grant is empty")
	}
	p := Policy{Network: NoNetwork}.With(g)
	if text := p.Programs(); text != "the sound server and /run/own" || !p.ConnectsLocally() || p.Network != NoNetwork || p.Desktop {
		t.Errorf("it may talk to: %s", text)
	}
}
