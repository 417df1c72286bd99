//go:build unix

package atspi_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/privatebus"
)

// The bus registry crashes, and the next connection starts it again. A GTK program does not register
// again, but it is still found on the bus.
func TestAProgramThatDoesNotRegisterAgain(t *testing.T) {
	desk.Need(t, "galculator")
	own, err := privatebus.Start(t.Context(), desk.Environ(os.Environ()))
	if err != nil {
		t.Skip(err)
	}
	defer own.Close()
	cmd := exec.Command("galculator")
	cmd.Env = append(own.Environ(desk.Environ(os.Environ())), "HOME="+t.TempDir(), "LC_ALL=C.UTF-8", "GSETTINGS_BACKEND=memory")
	pid := desk.Run(t, cmd)
	before := reach(t, atspi.Options{Address: own.Accessibility, Budget: patient})
	tree(t, before, pid, "toggle button")
	conn, err := dbus.Connect(own.Accessibility)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const registry = "org.a11y.atspi.Registry"
	var owner uint32
	if err := conn.BusObject().Call("org.freedesktop.DBus.GetConnectionUnixProcessID", 0, registry).Store(&owner); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(int(owner), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	desk.Until(t, "end of the registry", func() bool {
		var has bool
		return conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, registry).Store(&has) == nil && !has
	})
	after := reach(t, atspi.Options{Address: own.Accessibility, Budget: patient})
	a, err := after.Application(t.Context(), pid)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := after.Snapshot(t.Context(), a); err != nil || len(find(t, found, "role:toggle button")) == 0 {
		t.Errorf("its elements are %v, %v", found, err)
	}
}
