package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/backend"
	"goated/servers/desktop/selector"
)

// TestWaylandKeyOfGNOME binds the halt key in a real GNOME Shell, presses it like the user's
// keyboard does, and measures how long the halt takes. "make soak" runs it if GNOME 48 or later and
// a system bus are available.
func TestWaylandKeyOfGNOME(t *testing.T) {
	const provider = "/usr/libexec/gnome-control-center-global-shortcuts-provider"
	if _, err := os.Stat("/run/dbus/system_bus_socket"); err != nil {
		t.Skip("GNOME Shell needs a system bus")
	}
	data := t.TempDir()
	file := filepath.Join(data, "applications", "goated.goated.desktop")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("[Desktop Entry]\nType=Application\nName=goated\nExec=true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	buses, start, conn := gnome(t, []string{provider}, []string{"XDG_DATA_HOME=" + data}, "gnome-shell", "--headless", "--wayland", "--no-x11",
		"--virtual-monitor", "1024x768", "--wayland-display="+socket)
	start(provider)
	has := func(name string) func() bool {
		return func() (has bool) {
			_ = conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, name).Store(&has)
			return has
		}
	}
	desk.Until(t, "the shell", has("org.gnome.Shell"))
	desk.Until(t, "the dialog's program", has("org.gnome.Settings.GlobalShortcutsProvider"))
	window := new(shown)
	env := map[string]string{"WAYLAND_DISPLAY": socket, "XDG_SESSION_TYPE": "wayland"}
	b, err := backend.New(t.Context(), backend.Options{Session: buses.Session, Sign: true, Live: window, Getenv: func(k string) string { return env[k] }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	user, err := atspi.Connect(t.Context(), atspi.Options{Session: buses.Session})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = user.Close() })
	desk.Until(t, "the key", func() bool {
		add(t, user)
		window.mu.Lock()
		defer window.mu.Unlock()
		return strings.Contains(window.key, "Escape")
	})
	keyboard := userKeyboard(t, conn)
	keyboard(0xff1b) // Escape: the shell starts with its overview, which handles keys itself
	var begun time.Time
	desk.Until(t, "the halt", func() bool {
		if !b.Halted() {
			begun = time.Now()
			keyboard(0xffe3, 0xffeb, 0xff1b) // Control, Super, Escape
			for end := begun.Add(time.Second); !b.Halted() && time.Now().Before(end); time.Sleep(time.Millisecond) {
			}
		}
		return b.Halted()
	})
	t.Logf("the halt took %v", time.Since(begun))
}

// add agrees in the dialog that asks for the shortcut, if it is open.
func add(t *testing.T, user *atspi.Bus) {
	list, err := user.Applications(t.Context())
	if err != nil {
		return
	}
	m, err := selector.ParseText("text:Add")
	if err != nil {
		t.Fatal(err)
	}
	s, err := selector.Parse(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if !strings.Contains(a.Name, "global-shortcuts") {
			continue
		}
		tree, err := user.Snapshot(t.Context(), a)
		if err != nil {
			return
		}
		for _, n := range tree.Find(t.Context(), atspi.Query{Selector: s}) {
			if tree.Nodes[n].Role.String() == "push button" {
				target, _ := user.Target(tree.Element(n).ID)
				_, _ = user.Act(t.Context(), target, atspi.Expect{}, "press") // the test asks again
			}
		}
	}
}

// userKeyboard returns a function that presses keys together on the compositor's keyboard.
func userKeyboard(t *testing.T, conn *dbus.Conn) func(syms ...uint32) {
	t.Helper()
	const service = "org.gnome.Mutter.RemoteDesktop"
	var path dbus.ObjectPath
	if err := conn.Object(service, "/org/gnome/Mutter/RemoteDesktop").Call(service+".CreateSession", 0).Store(&path); err != nil {
		t.Fatal(err)
	}
	session := conn.Object(service, path)
	if err := session.Call(service+".Session.Start", 0).Err; err != nil {
		t.Fatal(err)
	}
	return func(syms ...uint32) {
		t.Helper()
		for _, down := range []bool{true, false} {
			for _, sym := range syms {
				if err := session.Call(service+".Session.NotifyKeyboardKeysym", 0, sym, down).Err; err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
