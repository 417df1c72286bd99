// Package scope asks systemd for a control group that goated may divide. It must not know how
// goated uses the group.
package scope

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/sandbox/cgroup"
)

// limit bounds the communication with systemd, which takes a few milliseconds, and longer while a
// desktop starts.
const limit = 5 * time.Second

// Tree returns the control group tree of this process. If necessary, it first moves the process
// into a new scope. The error is the reason if there is no tree.
func Tree() (*cgroup.Tree, error) { return cgroup.Own(enter) }

// enter moves this process into a scope that systemd delegates to it. systemd removes the scope and
// all groups in it after its last process exits, even if the process was killed.
func enter() error {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return fmt.Errorf("reading the control group: %w", err)
	}
	if !movable(string(groups), os.Getenv("XDG_SESSION_TYPE")) {
		return errors.New("goated does not run in a session of systemd whose services end with it")
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return errors.New("the session has no runtime folder (XDG_RUNTIME_DIR is not set)")
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	// Not the session's bus, because its address may belong to a bus without systemd.
	conn, err := dbus.Connect("unix:path="+dbus.EscapeBusAddressValue(filepath.Join(dir, "bus")), dbus.WithContext(ctx))
	if err != nil {
		return fmt.Errorf("connecting to the user's systemd: %w", err)
	}
	defer conn.Close()
	name := fmt.Sprintf("app-goated-%d.scope", os.Getpid())
	type property struct {
		Name  string
		Value dbus.Variant
	}
	type unit struct {
		Name       string
		Properties []property
	}
	properties := []property{
		{"Description", dbus.MakeVariant("goated and its servers")},
		{"PIDs", dbus.MakeVariant([]uint32{uint32(os.Getpid())})},
		{"Slice", dbus.MakeVariant("app.slice")},
		{"Delegate", dbus.MakeVariant(true)},
		{"CollectMode", dbus.MakeVariant("inactive-or-failed")},
	}
	call := conn.Object("org.freedesktop.systemd1", "/org/freedesktop/systemd1").CallWithContext(ctx, "org.freedesktop.systemd1.Manager.StartTransientUnit", 0, name, "fail", properties, []unit{})
	if call.Err != nil {
		return fmt.Errorf("asking systemd for a scope: %w", call.Err)
	}
	for ctx.Err() == nil { // systemd replies before it moves the process
		if groups, err = os.ReadFile("/proc/self/cgroup"); err == nil && strings.HasSuffix(strings.TrimSpace(string(groups)), "/"+name) {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return errors.New("asking systemd for a scope: it did not move goated into it")
}

// movable reports whether a process in these groups may move to a scope of the user's systemd. The
// user's systemd ends with the last session, so a process in a terminal without a display does not
// move, because it may outlive its session. A service does not move either, because it has a
// manager. The desktop also starts applications as services, with names that begin with "app-".
func movable(groups, session string) bool {
	units := strings.Split(strings.TrimSpace(groups), "/")
	unit := units[len(units)-1]
	if slices.ContainsFunc(units, func(u string) bool { return strings.HasPrefix(u, "user@") && strings.HasSuffix(u, ".service") }) {
		return strings.HasSuffix(unit, ".scope") || strings.HasPrefix(unit, "app-")
	}
	return strings.HasPrefix(unit, "session-") && strings.HasSuffix(unit, ".scope") && (session == "x11" || session == "wayland")
}
