//go:build unix

package ui_test

import (
	"archive/zip"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/config"
	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/view"
)

// A patient is a window with a server that failed to start.
type patient struct {
	*desk
	script string
}

// newPatient connects a server that runs the Python code of first and then the echo server. It
// waits until the server fails. If trusted is true, the server runs without a sandbox.
func newPatient(t *testing.T, first string, trusted bool, o client.Options, args ...string) *patient {
	t.Helper()
	p := &patient{script: scriptOf(t, "server.py", first)}
	host := client.New(o)
	t.Cleanup(host.Close)
	settings := config.Settings{}
	if trusted {
		settings = settings.ChangeServer(config.Launch{Path: p.script, Args: args}, func(l *config.Launch) { l.NoSandbox = true })
	}
	p.desk = hosted(t, ui.Options{Host: host, Settings: settings})
	p.openConnect()
	p.Enter(scriptField, p.script)
	if len(args) > 0 {
		p.enterArguments(config.Quoted(args))
	}
	p.Press("Add and start")
	p.failed()
	return p
}

// failed waits until the server has failed and the window shows its card or the question that
// the failure leads to.
func (p *patient) failed() client.Server {
	p.T.Helper()
	s := p.server("fails", func(s client.Server) bool { return s.Status == client.Failed && s.Err != nil })
	p.until("the card is shown", func() bool {
		return p.Pressable("Add and start") && p.Reads("Details") || p.dialogs.Waiting() > 0 && p.Reads("Not now")
	})
	return s
}

// write changes the code that the server runs before the echo server.
func (p *patient) write(first string) {
	p.T.Helper()
	source, err := os.ReadFile("testdata/echo.py")
	if err == nil {
		err = os.WriteFile(p.script, append([]byte(first+"\n"), source...), 0o600)
	}
	if err != nil {
		p.T.Fatal(err)
	}
}

func (p *patient) cause() diagnose.Cause {
	return view.DiagnosisOf(p.host.Snapshot().Servers[0].Err).Cause
}

// healthy waits until the server runs and the sheet that explained its failure has closed.
func (p *patient) healthy() {
	p.T.Helper()
	p.server("runs", func(s client.Server) bool { return s.Status == client.Connected })
	p.until("the sheet closes", func() bool { return !p.connecting() })
	p.until("the settings list the server", func() bool {
		recent := p.saved.get().Recent
		return len(recent) == 1 && recent[0].Path == p.script
	})
}

// set enters the value of a variable in the form that the card's button opened.
func (p *patient) set(variable, value string) {
	p.T.Helper()
	p.Press("Set " + variable + "…")
	p.sees("Save and restart")
	p.until("the sheet has the variable", func() bool { return p.HasField("NAME") })
	at := -1
	for i := range p.Fields() {
		if p.HasField("NAME") && i < p.CountFields("NAME") && p.Field("NAME", i) == variable {
			at = i
		}
	}
	if at < 0 || !p.FieldFocused("value", at) {
		p.T.Fatalf("the focus is not on the value of %s", variable)
	}
	p.Type(value)
	p.Press("Save and restart")
	p.healthy()
}

// change enters other arguments in the form that the card's button opened.
func (p *patient) change(args string) {
	p.T.Helper()
	p.Press("Change how it runs…")
	p.until("the sheet opens at the arguments", func() bool { return p.FieldFocused(argumentsField) })
	p.Ctrl(fyne.KeyA)
	p.Type(args)
	p.Key(fyne.KeyReturn)
	p.server("runs", func(s client.Server) bool { return s.Status == client.Connected })
}

// takenPort returns a TCP port on which another program listens.
func takenPort(t *testing.T) string {
	t.Helper()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	return port
}

// The server runs after the user presses the button that its card offers and fills in the form
// that the button opens.
func TestRemedies(t *testing.T) {
	t.Run("variable", func(t *testing.T) {
		p := newPatient(t, "import os; os.environ['WEATHER_API_KEY']", false, client.Options{})
		p.set("WEATHER_API_KEY", "4b8f")
	})
	t.Run("variable in the form", func(t *testing.T) {
		p := newPatient(t, "import os; os.environ['WEATHER_API_KEY']", false, client.Options{})
		p.Press("Arguments, environment, folder")
		p.Enter("NAME", "WEATHER_API_KEY")
		p.Enter("value", "4b8f")
		p.Press("Add and start")
		p.healthy()
	})
	t.Run("port", func(t *testing.T) {
		port := takenPort(t)
		p := newPatient(t, "import sys, socket; socket.socket().bind(('127.0.0.1', int(sys.argv[1])))", true, client.Options{}, port)
		p.change("0")
	})
	t.Run("port by a variable", func(t *testing.T) {
		port := takenPort(t)
		p := newPatient(t, "import os, socket; socket.socket().bind(('127.0.0.1', int(os.environ.get('NOTES_PORT', "+port+"))))", true, client.Options{})
		p.set("NOTES_PORT", "0")
	})
	t.Run("file", func(t *testing.T) {
		p := newPatient(t, "import sys; open(sys.argv[1])", false, client.Options{}, "/no/such/file")
		p.change(config.Quoted([]string{p.script}))
	})
	t.Run("script", func(t *testing.T) {
		d := hosted(t, ui.Options{})
		d.connect(filepath.Join(t.TempDir(), "none.py"))
		d.sees("Check the path and try again.")
		if d.Count("Check the path and try again.") != 1 {
			t.Error("the card does not say once what to do")
		}
		layers := d.Layers()
		d.Press("Browse…")
		if d.Layers() == layers {
			t.Error("the button does not open a file dialog")
		}
	})
	t.Run("syntax", func(t *testing.T) {
		p := newPatient(t, "def f(:", false, client.Options{})
		p.Press("Open the file")
		if got := waittest.Receive(t, "the file is opened", p.opened); got != "file://"+p.script {
			t.Errorf("the desktop opens %s", got)
		}
		p.write("")
		p.Press("Restart")
		p.healthy()
	})
	t.Run("crash", func(t *testing.T) {
		p := newPatient(t, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", false, client.Options{})
		if p.cause() != diagnose.Crashed {
			t.Errorf("the cause is %q", p.cause())
		}
		p.write("")
		p.Press("Restart")
		p.healthy()
	})
	t.Run("interpreter", func(t *testing.T) {
		bin := t.TempDir()
		p := newPatient(t, "", false, client.Options{Env: []string{"PATH=" + bin, "HOME=" + t.TempDir()}})
		if p.cause() != diagnose.ProgramMissing {
			t.Errorf("the cause is %q", p.cause())
		}
		if err := os.Symlink(pythonPath(t), filepath.Join(bin, "python3")); err != nil {
			t.Fatal(err)
		}
		p.Press("Restart")
		p.healthy()
	})
	t.Run("permission", func(t *testing.T) {
		script, _ := diaryServer(t)
		source, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfterN(string(source), "\n", 3)
		p := newPatient(t, lines[0]+lines[1], false, client.Options{})
		p.until("the question comes", func() bool { return p.dialogs.Waiting() > 0 && p.Reads("Not now") })
		p.answers("Not now")
		p.until("the question goes", func() bool { return p.dialogs.Waiting() == 0 && p.connecting() })
		p.Press("Allow reading")
		p.healthy()
	})
	t.Run("module", func(t *testing.T) {
		if testing.Short() {
			t.Skip("pip, which the race detector does not see")
		}
		p := newPatient(t, "import thing_of_mara", false, client.Options{})
		dir := filepath.Dir(p.script)
		if err := os.WriteFile(filepath.Join(dir, "requirements.txt"), []byte("./thing_of_mara-1.0-py3-none-any.whl\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		wheel(t, filepath.Join(dir, "thing_of_mara-1.0-py3-none-any.whl"), "thing_of_mara", "1.0")
		p.Press("Restart") // the card shows the list now
		s := p.server("fails again", func(s client.Server) bool { return strings.Contains(view.FixCommands(s.Err), "requirements.txt") })
		fix := view.FixCommands(s.Err)
		p.until("the card shows the new fix", func() bool { return p.Pressable("Restart") && p.Reads(fix) })
		if p.Count(fix) != 1 {
			t.Errorf("the card does not say %q", fix)
		}
		follow := func(commands string) ([]byte, error) {
			shell := exec.CommandContext(t.Context(), "sh", "-ec", commands)
			shell.Env = append(os.Environ(), "PIP_NO_INDEX=1", "PIP_DISABLE_PIP_VERSION_CHECK=1")
			return shell.CombinedOutput()
		}
		// The environment uses the system's pip, because installing a separate pip takes
		// seconds.
		shared := strings.Replace(fix, "-m venv ", "-m venv --without-pip --system-site-packages ", 1)
		if _, err := follow(shared); err != nil { // the system has no pip
			if err := os.RemoveAll(filepath.Join(dir, ".venv")); err != nil {
				t.Fatal(err)
			}
			if out, err := follow(fix); err != nil {
				t.Skipf("no virtual environments here: %v\n%s", err, out)
			}
		}
		p.Press("Restart")
		p.healthy()
	})
}

// wheel writes a package that contains one empty module.
func wheel(t *testing.T, path, name, version string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	info := name + "-" + version + ".dist-info/"
	for _, part := range [][2]string{
		{name + ".py", ""},
		{info + "METADATA", fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\n", name, version)},
		{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{info + "RECORD", name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n"},
	} {
		w, err := z.Create(part[0])
		if err == nil {
			_, err = w.Write([]byte(part[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}
