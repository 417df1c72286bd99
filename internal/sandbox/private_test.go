//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"goated/internal/sandbox/hold"
)

// direct runs a script without proxy variables under a grant, and returns its output
// and the refused hosts.
func direct(t *testing.T, program, script string, g Grant, args ...string) (string, []string) {
	t.Helper()
	at, err := exec.LookPath(program)
	if err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "script")
	if program == "node" {
		file += ".js"
	}
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var refused []string
	cmd := exec.Command("/bin/sh", append([]string{"-c", `unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NODE_USE_ENV_PROXY; exec "$@"`, "sh", at, file}, args...)...)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	s, err := Start(cmd, For(at, file, t.TempDir(), nil).With(g), func(p Permission) {
		mu.Lock()
		defer mu.Unlock()
		refused = append(refused, p.String())
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the output shows the result
	s.Close()
	if !s.Net {
		t.Skip("this system has no network namespaces for this user")
	}
	return out.String(), refused
}

// Programs that do not support a proxy reach the allowed hosts by their names, and no others. They
// see nothing of the computer's network.
func TestProgramsWithoutAProxy(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	plain, _ := newSite(t)
	udp, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	before := net.DefaultResolver
	net.DefaultResolver = newResolver(t, map[string][]string{"files.test": {"127.0.0.1"}, "bad.test": {"127.0.0.1"}})
	t.Cleanup(func() { net.DefaultResolver = before })
	port := fmt.Sprint(plain)
	g := Grant{Hosts: []string{"files.test:" + port, "127.0.0.1:" + port}}
	for name, test := range map[string]struct{ program, script, want string }{
		"python": {"/usr/bin/python3", `
import asyncio, os, socket, sys, urllib.request
port, udp = int(sys.argv[1]), int(sys.argv[2])
get = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
print(get(f"http://files.test:{port}/x").read().decode().split(":")[0])
async def streams():
    r, w = await asyncio.open_connection("files.test", port)
    w.write(b"GET /y HTTP/1.0\r\n\r\n")
    return (await r.read()).decode().split("\r\n\r\n")[1]
print(asyncio.run(streams()))
print(get(f"http://127.0.0.1:{port}/z").read().decode().split(":")[0])
for host in "bad.test", "127.0.0.2", "93.184.215.14":
    try:
        socket.create_connection((host, port), 5); print("ESCAPED", host)
    except OSError as e:
        print(e.errno)
for to in ("127.0.0.1", udp), ("192.0.2.1", 9):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try: s.sendto(b"out", to)
    except OSError: pass
try:
    lines = open("/proc/net/tcp").read().splitlines()
except OSError:
    lines = []
print("ESCAPED: host's sockets" if any(f":{port:04X} " in l and " 0A " in l for l in lines) else "nothing of the host")
`, "hello from files.test\nhello from /y\nhello from 127.0.0.1\n13\n13\n13\nnothing of the host\n"},
		"node": {"node", `
const [port] = process.argv.slice(2);
(async () => {
  console.log((await (await fetch('http://files.test:' + port + '/x')).text()).split(':')[0])
  await fetch('http://bad.test:' + port + '/').then(() => console.log('ESCAPED'), e => console.log(e.cause.code))
})()
`, "hello from files.test\nEACCES\n"},
		"shell": {"/bin/sh", `command -v curl >/dev/null || { echo "hello from files.test"; exit; }
curl -s --noproxy '*' http://files.test:$1/x | cut -d: -f1
`, "hello from files.test\n"},
	} {
		t.Run(name, func(t *testing.T) {
			out, refused := direct(t, test.program, test.script, g, port, fmt.Sprint(udp.LocalAddr().(*net.UDPAddr).Port))
			if out != test.want {
				t.Errorf("it printed %q, want %q", out, test.want)
			}
			if name != "shell" && !slices.Contains(refused, "reach bad.test:"+port) {
				t.Errorf("refused %q", refused)
			}
		})
	}
	// This packet is the first one to arrive, so nothing that was sent before arrived.
	c, err := net.Dial("udp4", udp.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("own")); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 16)
	if n, _, err := udp.ReadFrom(b); err != nil || string(b[:n]) != "own" {
		t.Errorf("a packet left the sandbox: %q, %v", b[:n], err)
	}
}

// A host on this computer responds itself, even if it has the same port as the proxy in the private
// network. Both networks choose their ports independently.
func TestAllowedPortIsNotTheProxy(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	cmd := exec.Command("/usr/bin/python3", "-c", `
import os, socket
print(os.environ["HTTP_PROXY"].rsplit(":", 1)[1], flush=True)
input()
s = socket.create_connection(("127.0.0.1", int(os.environ["HTTP_PROXY"].rsplit(":", 1)[1])), 5)
print(s.recv(100).decode())
`)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	policy := For("/usr/bin/python3", "", t.TempDir(), nil).With(Grant{Hosts: []string{"127.0.0.1:9"}})
	policy.Asks = true
	policy.Ask = func(_ context.Context, _ string, answer func(hold.Answer)) { answer(hold.Held); answer(hold.Allowed) }
	s, err := Start(cmd, policy, func(Permission) {})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !s.Net {
		t.Skip("this system has no network namespaces for this user")
	}
	lines := bufio.NewReader(out)
	port, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:"+strings.TrimSpace(port))
	if err != nil {
		t.Skip("another program has the port: ", err)
	}
	defer l.Close()
	go func() { // until Close
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			_, _ = io.WriteString(c, "the host itself\n")
			_ = c.Close()
		}
	}()
	if _, err := io.WriteString(in, "go on\n"); err != nil {
		t.Fatal(err)
	}
	if answer, err := lines.ReadString('\n'); answer != "the host itself\n" {
		t.Errorf("the process reads %q (%v)", answer, err)
	}
	_ = cmd.Wait()
}
