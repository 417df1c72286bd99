package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"goated/internal/store"
)

// A desk is a display with the real window, and a user with keyboard and mouse. A test observes the
// window's effects where it need not guess: in the settings, the history, the clipboard, the
// process list, and at the other end of the network connection.
type desk struct {
	*display
	place    *place
	data     string
	args     []string
	patience time.Duration // time limit of until
	log      *bytes.Buffer // the program's output; valid after it has exited
	program  *exec.Cmd
	last     struct { // the last result of history
		files string // the state of its files then; empty: they may have changed since then
		all   []store.Thread
	}
}

// windowBinary builds the program as users have it, once for all tests. GOATED_WINDOW names another
// program, for example one with the race detector.
var windowBinary = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("GOATED_WINDOW"); path != "" {
		return path, nil
	}
	path := filepath.Join(filepath.Dir(program), "goated-window")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the window: %w\n%s", err, out)
	}
	return path, nil
})

func buildWindow(t testing.TB) string {
	t.Helper()
	path, err := windowBinary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// openDesk starts a small display and goated on it, for somebody who has seen the
// welcome, and waits for the window.
func openDesk(t *testing.T, p *place, args ...string) *desk {
	t.Helper()
	return openDeskOf(t, p, smallScreen, args...)
}

// openDeskOf is the same with a screen of another size.
func openDeskOf(t *testing.T, p *place, s resolution, args ...string) *desk {
	t.Helper()
	d := newDeskOf(t, p, s, args...)
	d.settle(`{"welcomed":true}`)
	d.open()
	return d
}

// newDesk is the same for somebody who has never been here, before goated is started, and with a
// point for each unit.
func newDesk(t *testing.T, p *place, args ...string) *desk {
	t.Helper()
	return newDeskOf(t, p, wideScreen.full(), args...)
}

// newDeskOf is the same with another screen.
func newDeskOf(t *testing.T, p *place, s resolution, args ...string) *desk {
	t.Helper()
	if os.Getenv("GOATED_LOOK") != "" {
		s = s.full() // somebody looks at its pictures
	}
	data := filepath.Join(p.home, "D")
	d := &desk{display: startDisplayOf(t, s), place: p, data: data, args: append([]string{"--data", data}, args...), patience: time.Minute}
	for _, dir := range []string{data, filepath.Join(p.home, "tmp"), filepath.Join(p.home, "run")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// settle writes the settings file.
func (d *desk) settle(settings string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.data, "settings.json"), []byte(settings), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// command returns the command that runs goated on this desk.
func (d *desk) command(args ...string) *exec.Cmd {
	argv := slices.Concat(d.place.through, []string{buildWindow(d.t)}, args)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = d.place.project
	cmd.Env = append(d.place.env[:len(d.place.env):len(d.place.env)], "DISPLAY="+d.name, "LANG=en_US.UTF-8", "LC_CTYPE=C.UTF-8",
		"TMPDIR="+filepath.Join(d.place.home, "tmp"), "XDG_RUNTIME_DIR="+filepath.Join(d.place.home, "run"),
		"LIBGL_ALWAYS_SOFTWARE=1", "LP_NUM_THREADS=0") // more threads draw a picture sooner, and take more of the processors
	if d.screen.scale != 1 {
		cmd.Env = append(cmd.Env, "FYNE_SCALE="+strconv.FormatFloat(d.screen.scale, 'f', -1, 64))
	}
	if len(d.place.through) == 0 || d.place.through[0] == detached[0] { // another user cannot write there
		// Compiling the shaders is a third of a start, so the windows of all tests share them.
		cmd.Env = append(cmd.Env, "MESA_SHADER_CACHE_DIR="+filepath.Join(filepath.Dir(program), "shaders"))
	}
	return cmd
}

// open starts goated and waits until its window is painted.
func (d *desk) open() {
	d.t.Helper()
	d.log = new(bytes.Buffer)
	d.program = d.command(d.args...)
	d.program.Stdout, d.program.Stderr = d.log, d.log
	if err := d.program.Start(); err != nil {
		d.t.Fatal(err)
	}
	cmd := d.program
	d.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	d.until("the window is there", func() bool { return len(d.windows()) > 0 })
	d.until("the window is painted", func() bool { return len(d.colours()) > 20 })
	d.still()
}

func (d *desk) until(what string, done func() bool) {
	d.t.Helper()
	for deadline := time.Now().Add(d.patience); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			seen := filepath.Join(os.TempDir(), "goated-failed-"+strings.ReplaceAll(d.t.Name(), "/", "-")+".png")
			d.save(seen)
			_ = d.program.Process.Kill()
			_ = d.program.Wait()
			d.t.Fatalf("never: %s; see %s. The program said:\n%s", what, seen, d.log)
		}
	}
}

// save writes a screenshot of the display.
func (d *desk) save(path string) {
	d.t.Helper()
	f, err := os.Create(path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, d.look()); err != nil {
		d.t.Fatal(err)
	}
}

// close ends goated like the end of the session does, and checks what it leaves behind.
func (d *desk) close() {
	d.t.Helper()
	_ = d.program.Process.Signal(syscall.SIGTERM)
	d.ended()
}

// ended waits for goated's exit, and checks that it left nothing: no error output, no process, and
// no temporary file.
func (d *desk) ended() {
	d.t.Helper()
	done := make(chan error, 1)
	go func() { done <- d.program.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			d.t.Errorf("goated ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		_ = d.program.Process.Signal(syscall.SIGQUIT) // prints where it hangs
		<-done
		d.t.Fatalf("goated does not end:\n%s", d.log)
	}
	d.quiet()
	if left := d.place.processes(); len(left) > 0 {
		d.t.Errorf("processes left behind: %q", left)
	}
	var left []string
	for _, pattern := range []string{"tmp/*", "run/*", "run/*/*.sock", "D/*.tmp*", "D/.*", "D/*-wal", "D/*-shm", "D/*.corrupt*"} {
		found, _ := filepath.Glob(filepath.Join(d.place.home, pattern))
		left = append(left, found...)
	}
	for _, path := range left {
		// The folder of the lock stays, with the released lock.
		if path != filepath.Join(d.place.home, "run", "goated") {
			d.t.Errorf("left behind: %s", path)
		}
	}
}

// kill kills goated without a chance to clean up.
func (d *desk) kill() {
	d.t.Helper()
	_ = d.program.Process.Kill()
	_ = d.program.Wait()
	d.quiet()
}

// said matches the lines that a healthy goated may write to the terminal.
var said = regexp.MustCompile(`^$`)

// quiet checks that the program printed no error. In make racewindow Fyne reports calls from the
// wrong thread there,
// the race detector reports races, and Go reports panics.
func (d *desk) quiet() {
	d.t.Helper()
	for line := range strings.Lines(d.log.String()) {
		if !said.MatchString(strings.TrimSpace(line)) {
			d.t.Errorf("the program said:\n%s", d.log)
			return
		}
	}
}

// processes lists the processes that the place started, including orphans. They have the place's
// home in their environment, or its folders in their command line.
func (p *place) processes() []string {
	var found []string
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, proc := range all {
		command, _ := os.ReadFile(filepath.Join(proc, "cmdline"))
		environ, _ := os.ReadFile(filepath.Join(proc, "environ"))
		if bytes.Contains(environ, []byte(p.home)) || bytes.Contains(command, []byte(p.home)) || bytes.Contains(command, []byte(p.project)) {
			found = append(found, filepath.Base(proc)+" "+strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return found
}
