//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/internal/sandbox/busfilter"
)

// A manager starts programs outside the sandbox. systemd does that for every program on the bus.
type manager struct{ started atomic.Int64 }

func (m *manager) StartTransientUnit(string, string) (string, *dbus.Error) {
	m.started.Add(1)
	return "started", nil
}

// A confined process that may use a bus cannot make systemd start a program there. With the plain
// socket of the bus, it can.
func TestBusIsNoWayOut(t *testing.T) {
	const name, face, send = "org.freedesktop.systemd1", "org.freedesktop.systemd1.Manager", "/usr/bin/dbus-send"
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	address := bustest.Start(t)
	if _, err := exec.LookPath(send); err != nil {
		t.Skip("dbus-send is not installed: make tools installs it")
	}
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	m := &manager{}
	if err := conn.Export(m, "/o", face); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName(name, 0); err != nil {
		t.Fatal(err)
	}
	path, _, _ := strings.Cut(strings.TrimPrefix(address, "unix:path="), ",")
	to := func(member string) []busfilter.Talk {
		return []busfilter.Talk{{Name: name, Calls: []busfilter.Call{{Interface: face, Members: []string{member}}}}}
	}
	for title, c := range map[string]struct {
		grant Grant
		want  string
		runs  int64
	}{
		"filtered":             {Grant{Buses: []busfilter.Bus{{Sockets: []string{path}}}}, "AccessDenied", 0},
		"filtered with hosts":  {Grant{Buses: []busfilter.Bus{{Sockets: []string{path}}}, Hosts: []string{"example.com"}}, "AccessDenied", 0},
		"filtered and listed":  {Grant{Buses: []busfilter.Bus{{Sockets: []string{path}}}, Sockets: []string{path}}, "AccessDenied", 0},
		"another method":       {Grant{Buses: []busfilter.Bus{{Sockets: []string{path}, Rules: busfilter.Rules{Talk: to("Other")}}}}, "AccessDenied", 0},
		"allowed":              {Grant{Buses: []busfilter.Bus{{Sockets: []string{path}, Rules: busfilter.Rules{Talk: to("StartTransientUnit")}}}}, "started", 1},
		"the socket of a bus":  {Grant{Sockets: []string{path}}, "started", 1},
		"another socket alone": {Grant{Buses: []busfilter.Bus{{Sockets: []string{path + "2"}}}}, "Permission denied", 0},
	} {
		t.Run(title, func(t *testing.T) {
			m.started.Store(0)
			cmd := exec.Command(send, "--bus="+address, "--print-reply", "--dest="+name, "/o", face+".StartTransientUnit", "string:a.service", "string:fail")
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			s, err := Start(cmd, For(send, "", t.TempDir(), nil).With(c.grant), nil)
			if err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // the output shows the result
			s.Close()
			if !strings.Contains(out.String(), c.want) || m.started.Load() != c.runs {
				t.Errorf("it started %d programs, and printed %q", m.started.Load(), out.String())
			}
		})
	}
}
