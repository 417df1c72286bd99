package input_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"goated/servers/desktop/x11/input"
)

// A window manager freezes the pointer while it looks at a click. On a busy computer, openbox
// then let the second press of a double click freeze it for good. Signals let openbox run here for
// moments only, as a busy computer does.
func TestDoubleClicksArriveOnABusyComputer(t *testing.T) {
	d := desk.Open(t, nil)
	if desk.Manager != "openbox" {
		t.Skip("openbox is not installed: make tools installs it")
	}
	in := open(t, nil)
	w, lines := events(t, d)
	manager := openbox(t)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	all.Go(func() { // like a scheduler with other work: a moment runs, then others do
		for ctx.Err() == nil {
			_ = manager.Signal(syscall.SIGSTOP)
			time.Sleep(300 * time.Microsecond)
			_ = manager.Signal(syscall.SIGCONT)
			time.Sleep(50 * time.Microsecond)
		}
	})
	for range 150 {
		if err := in.Click(t.Context(), w.Client.X+100, w.Client.Y+50, input.Left, 2); err != nil {
			t.Fatal(err)
		}
		see(t, lines, "^ButtonPress", "button 1,", "^ButtonRelease", "^ButtonPress", "button 1,", "^ButtonRelease")
	}
}

// openbox returns the window manager of the desktop.
func openbox(t *testing.T) *os.Process {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/comm")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		comm, _ := os.ReadFile(name)
		environ, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "environ"))
		if strings.TrimSpace(string(comm)) != "openbox" || !slices.Contains(strings.Split(string(environ), "\x00"), "DISPLAY="+desk.Display) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	t.Fatal("openbox does not run")
	return nil
}
