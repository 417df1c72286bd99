// Package x11test gives tests a hidden desktop with a window manager, starts programs on it, and runs
// the tools whose output tests check. All tests of a package share one desktop.
package x11test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/wire"
)

// A Desk is the desktop of a package's tests.
type Desk struct {
	*hidden.Desktop // nil if Xvfb is not installed

	mu    sync.Mutex
	found map[*x11.Desktop][]x11.Window // the windows that Window returned, by open connection
}

// Main runs the tests of a package on a desktop and returns the exit code.
func Main(m *testing.M, desk *Desk, o hidden.Options) int {
	home, err := ownHome()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(home)
	d, err := hidden.Start(context.Background(), o)
	if err != nil && !errors.Is(err, hidden.ErrMissing) {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	desk.Desktop = d
	code := m.Run()
	if d != nil {
		d.Close()
	}
	return code
}

// ownHome creates a home directory for the programs of the tests and returns it. In the user's home
// they used to leave drafts and history, and a killed shell left a lock for which each later shell
// waited a minute.
func ownHome() (string, error) {
	home, err := os.MkdirTemp("", "goated-home-*")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		if err := os.Unsetenv(name); err != nil {
			return home, err
		}
	}
	return home, os.Setenv("HOME", home)
}

// Need skips a test if Xvfb or one of the programs is not installed. Call it before something connects to
// the desktop: it also waits until the window manager has noticed the end of each old window.
func (k *Desk) Need(t testing.TB, programs ...string) {
	t.Helper()
	if k.Desktop == nil {
		t.Skip("Xvfb is not installed: make tools installs it")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed: make tools installs it", p)
		}
	}
	k.settle(t)
}

// settle waits until the window manager lists no window that is gone. It hides such a window when it
// notices its end, and the X server may have given the same number to a window of the next program.
func (k *Desk) settle(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := wire.Dial(ctx, wire.Options{Display: k.Display, Authority: k.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	gone := func(window uint32) bool {
		_, err := xproto.GetGeometry(c.X, xproto.Drawable(window)).Reply()
		return err != nil
	}
	k.Until(t, "window manager that lists no window that is gone", func() bool {
		if manager, ok := c.Ask(c.Root, "_NET_SUPPORTING_WM_CHECK").Cardinal(); !ok || gone(manager) {
			return true // it has ended
		}
		return !slices.ContainsFunc(c.Ask(c.Root, "_NET_CLIENT_LIST").Cardinals(), gone)
	})
}

// Open connects to the desktop until the test ends. At the end it waits until the windows that Window
// found are gone. The X server removes the window of a killed program some time later, and the next
// test would mistake it for its own if both have the same title.
func (k *Desk) Open(t testing.TB, own func(x11.Window) bool) *x11.Desktop {
	t.Helper()
	k.Need(t)
	d, err := x11.Open(t.Context(), x11.Options{Display: k.Display, Authority: k.Authority(), Own: own})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.gone(t, d); d.Close() })
	return d
}

func (k *Desk) remember(d *x11.Desktop, w x11.Window) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.found == nil {
		k.found = make(map[*x11.Desktop][]x11.Window)
	}
	k.found[d] = append(k.found[d], w)
}

// gone waits until the windows that Window found are gone.
func (k *Desk) gone(t testing.TB, d *x11.Desktop) {
	t.Helper()
	k.mu.Lock()
	found := k.found[d]
	delete(k.found, d)
	k.mu.Unlock()
	for _, w := range found {
		k.Until(t, "end of the window "+w.Title+": start its program after Open", func() bool {
			_, err := d.Window(w.ID)
			return err != nil
		})
	}
}

// Command returns a command for a program on the desktop, with its own home directory.
func (k *Desk) Command(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	k.Need(t, name)
	cmd := exec.Command(name, args...)
	cmd.Env = append(k.Environ(os.Environ()), "HOME="+t.TempDir(), "LC_ALL=C.UTF-8", "NO_AT_BRIDGE=1", "GSETTINGS_BACKEND=memory")
	return cmd
}

// Start runs a program until the test ends.
func (k *Desk) Start(t testing.TB, name string, args ...string) {
	t.Helper()
	k.Run(t, k.Command(t, name, args...))
}

// Run runs a command until the test ends, and returns its process id. It also ends the processes that
// the command started. Otherwise Chromium's processes would keep writing to folders that the test
// removes.
func (k *Desk) Run(t testing.TB, cmd *exec.Cmd) (pid int) {
	t.Helper()
	programs := &apps.Programs{}
	t.Cleanup(programs.Close)
	p, err := programs.Start(cmd.Args, cmd.Env, cmd.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return p.PID
}

// Output runs a program until it exits and returns its output.
func (k *Desk) Output(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := k.Command(t, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// Window waits until a window with a title has the keyboard focus.
func (k *Desk) Window(t testing.TB, d *x11.Desktop, title string) x11.Window {
	t.Helper()
	var all []x11.Window
	at := -1
	ok := k.await(func() bool {
		var err error
		if all, err = d.Windows(); err != nil {
			t.Fatal(err)
		}
		at = slices.IndexFunc(all, func(w x11.Window) bool { return strings.Contains(w.Title, title) && w.Mapped && w.Focused })
		if at < 0 {
			return false
		}
		if all[at].PID == 0 && all[at].Class == "" {
			return true // Focused does not find such a window
		}
		// A window manager names the active window before it gives that window the keys.
		focused, ok, err := d.Focused()
		if err != nil {
			t.Fatal(err)
		}
		return ok && focused.PID == all[at].PID
	})
	if !ok {
		t.Fatalf("the window %s has no focus within %v; there are %+v", title, patience, all)
	}
	k.remember(d, all[at])
	return all[at]
}

// patience is how long tests wait. interval is how often they check.
const (
	patience = 20 * time.Second
	interval = 5 * time.Millisecond
)

// Until calls done repeatedly until it returns true. It fails the test if that takes too long.
func (k *Desk) Until(t testing.TB, what string, done func() bool) {
	t.Helper()
	if !k.await(done) {
		t.Fatalf("no %s within %v", what, patience)
	}
}

// await calls done repeatedly until it returns true, or for too long.
func (k *Desk) await(done func() bool) bool {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for end := time.Now().Add(patience); !done(); <-tick.C {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// Terminal opens an xterm that keeps its title and runs a command.
func (k *Desk) Terminal(t testing.TB, d *x11.Desktop, title string, command ...string) x11.Window {
	t.Helper()
	if len(command) == 0 {
		command = []string{"sleep", "1000"}
	}
	// nohup passes an ignored SIGHUP on to the command, which would then outlive its terminal.
	k.Start(t, "env", append([]string{"--default-signal=HUP", "xterm", "-T", title, "-u8", "-xrm", "XTerm.vt100.allowTitleOps: false", "-geometry", "60x20+100+100", "-e"}, command...)...)
	w := k.Window(t, d, title)
	if w.Client.W < 100 { // xterm sometimes starts with one column on a busy machine
		var err error
		if w, err = d.Resize(t.Context(), w.ID, 400, 300); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// Monitors divides the screen into monitors until the test ends. main names the main monitor.
func Monitors(t testing.TB, c *wire.Conn, frames map[string]x11.Rect, main string) {
	t.Helper()
	resources, err := randr.GetScreenResources(c.X, c.Root).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range frames {
		id := c.Atom(name)
		var outputs []randr.Output
		if name == main { // otherwise they belong to a monitor of the whole screen
			outputs = resources.Outputs
		}
		_ = randr.DeleteMonitorChecked(c.X, c.Root, id).Check() // there may be none
		err := randr.SetMonitorChecked(c.X, c.Root, randr.MonitorInfo{Name: id, Primary: name == main, X: int16(r.X), Y: int16(r.Y), Width: uint16(r.W), Height: uint16(r.H), NOutput: uint16(len(outputs)), Outputs: outputs}).Check()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = randr.DeleteMonitorChecked(c.X, c.Root, id).Check() }) // before the connection ends
	}
	if err := c.Sync(); err != nil {
		t.Fatal(err)
	}
}
