// Package scope asks systemd for a control group that goated may divide. It must not know what
// goated does with the group.
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

// limit bounds the talk with systemd, which takes some milliseconds, and longer while a desktop
// starts.
const limit = 5 * time.Second

// Tree returns the tree of control groups of this process, in a scope of its own if need be. The
// error says why there is none.
func Tree() (*cgroup.Tree, error) { return cgroup.Own(enter) }

// enter moves this process into a scope that systemd leaves to it. systemd removes the scope and
// all groups in it after its last process, also after one that was killed.
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
	// Not the session's bus: its address may name one without systemd.
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
	for ctx.Err() == nil { // systemd answers before it moves the process
		if groups, err = os.ReadFile("/proc/self/cgroup"); err == nil && strings.HasSuffix(strings.TrimSpace(string(groups)), "/"+name) {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return errors.New("asking systemd for a scope: it did not move goated into it")
}

// movable reports whether a process of these groups may move to a scope of the user's systemd.
// That one ends with the last session, so a process in a terminal without a display does not
// move: it may outlive its session. Neither does a service, which has a manager; the desktop
// starts applications as services too, with names that begin with "app-".
func movable(groups, session string) bool {
	units := strings.Split(strings.TrimSpace(groups), "/")
	unit := units[len(units)-1]
	if slices.ContainsFunc(units, func(u string) bool { return strings.HasPrefix(u, "user@") && strings.HasSuffix(u, ".service") }) {
		return strings.HasSuffix(unit, ".scope") || strings.HasPrefix(unit, "app-")
	}
	return strings.HasPrefix(unit, "session-") && strings.HasSuffix(unit, ".scope") && (session == "x11" || session == "wayland")
}
