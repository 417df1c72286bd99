//go:build linux

package client_test

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/sandbox"
	"goated/internal/waittest"
	"goated/internal/wording"
)

var dials = testProgram{source: "./testdata/dials", env: "GOATED_TEST_DIALS"}

// goated reported that commands such as docker run lack the network, and then a permission of
// the user. They reach their daemon only without the sandbox, as the advice says now.
func TestDockerNeedsItsDaemon(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	for _, tt := range []struct{ socket, product, why string }{
		{"docker.sock", "Docker", "It needs the daemon of Docker"},
		{"notes.sock", "", "It wants to use another program"},
	} {
		path := filepath.Join(t.TempDir(), tt.socket)
		daemon, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { daemon.Close() })
		asked := make(chan bool, 1)
		go func() {
			if c, err := daemon.Accept(); err == nil {
				asked <- true
				c.Close()
			}
		}()
		h := host(t, client.Options{Data: t.TempDir()})
		c := client.Config{Command: dials.build(t), Env: []string{"DOCKER_HOST=unix://" + path}}
		for _, network := range []sandbox.Network{sandbox.NamedHosts, sandbox.AnyNetwork} {
			c.Name, c.Grant.Network = "docker", network
			d := diagnosis(t, h, c)
			if d.Cause != diagnose.SocketRefused || d.Args.Subject != path || d.Args.Product != tt.product {
				t.Errorf("network %v: %+v", network, d)
			}
			why, remedy := wording.CauseText(d.Diagnosis), wording.Remedy(d.Diagnosis)
			if !strings.HasPrefix(why, tt.why) || !strings.Contains(remedy, "run it without the sandbox.") || !strings.Contains(remedy, "--no-sandbox") {
				t.Errorf("it says %q, %q", why, remedy)
			}
			if servers := h.Snapshot().Servers; len(servers[len(servers)-1].Needs) != 0 {
				t.Errorf("network %v: it asks for %v", network, servers[len(servers)-1].Needs)
			}
		}
		select {
		case <-asked:
			t.Error("the sandbox lets it reach the daemon")
		default:
		}
		c.Grant, c.NoSandbox = sandbox.Grant{}, true
		if d := diagnosis(t, h, c); d.Cause == diagnose.SocketRefused {
			t.Errorf("without a sandbox: %+v", d)
		}
		waittest.Receive(t, "the program asks its daemon", asked)
	}
}

// goated reported that Podman wants the folder of the user's running programs, which contains
// their keys. In fact it lacks namespaces, which it has without the sandbox.
func TestPodmanNeedsNamespaces(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	path := filepath.Join(t.TempDir(), "podman")
	program(t, path, "ls /run/user >&2\nunshare --user true\n")
	h := host(t, client.Options{Data: t.TempDir()})
	if d := diagnosis(t, h, client.Config{Command: path, Args: []string{"run", "-i", "--rm", "mcp/time"}}); d.Cause != diagnose.ContainerRefused || !strings.Contains(wording.Remedy(d.Diagnosis), "--no-sandbox") {
		t.Errorf("%+v", d)
	}
	if d := diagnosis(t, h, client.Config{Command: path, NoSandbox: true}); d.Cause == diagnose.ContainerRefused {
		t.Errorf("without a sandbox: %+v", d)
	}
}
