//go:build unix

package ui

import (
	"archive/zip"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/config"
	"goated/ui/view"
)

// A patient is a window with a server that does not run.
type patient struct {
	*desk
	script string
}

// newPatient connects a server that is first, then the echo server. trusted runs
// it without a sandbox.
func newPatient(t *testing.T, first string, trusted bool, o client.Options, args ...string) *patient {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	p := &patient{script: filepath.Join(t.TempDir(), "server.py")}
	p.write(t, first)
	host := client.New(o)
	t.Cleanup(host.Close)
	settings := config.Settings{}
	if trusted {
		settings = settings.Decide(config.Launch{Path: p.script, Args: args}, func(l *config.Launch) { l.NoSandbox = true })
	}
	p.desk = newDesk(t, Options{Host: host, Settings: settings})
	p.show()
	p.connect()
	p.connector.path.SetText(p.script)
	p.connector.form.args.SetText(config.Quoted(args))
	test.Tap(p.button("Connect"))
	p.until("it has failed", func() bool { return !p.connector.connect.disabled && p.connector.about.ID != "" })
	return p
}

// write makes the server one that runs first, and then the echo server.
func (p *patient) write(t *testing.T, first string) {
	t.Helper()
	source, err := os.ReadFile("testdata/echo.py")
	if err == nil {
		err = os.WriteFile(p.script, append([]byte(first+"\n"), source...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (p *patient) cause() diagnose.Cause { return view.Diagnosed(p.connector.about.Err).Cause }

// healthy waits until the server runs, which closes the sheet that told why it did
// not.
func (p *patient) healthy() {
	p.t.Helper()
	p.until("it runs", func() bool {
		return len(p.servers.Servers) == 1 && p.servers.Servers[0].Status == client.Connected && p.connector == nil
	})
	p.until("it is one of those of before", func() bool { return len(p.settings.Recent) == 1 && p.settings.Recent[0].Path == p.script })
}

// What a card offers for a cause mends it: the buttons are pressed, what they lead
// to is filled in, and the server runs.
func TestRemedies(t *testing.T) {
	t.Run("variable", func(t *testing.T) {
		p := newPatient(t, "import os; os.environ['WEATHER_API_KEY']", false, client.Options{})
		test.Tap(p.button("Set WEATHER_API_KEY…"))
		value, ok := p.win.Canvas().Focused().(*input)
		if !ok || value != p.station.form.vars.named("WEATHER_API_KEY").value {
			t.Fatalf("the focus is on %v", p.win.Canvas().Focused())
		}
		value.SetText("4b8f")
		test.Tap(p.button("Apply and restart"))
		p.healthy()
	})
	t.Run("variable in the form", func(t *testing.T) {
		p := newPatient(t, "import os; os.environ['WEATHER_API_KEY']", false, client.Options{})
		p.connector.form.vars.put([]config.Variable{{Name: "WEATHER_API_KEY", Value: "4b8f"}})
		test.Tap(p.button("Connect"))
		p.healthy()
	})
	t.Run("port", func(t *testing.T) {
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer taken.Close()
		_, port, _ := net.SplitHostPort(taken.Addr().String())
		p := newPatient(t, "import sys, socket; socket.socket().bind(('127.0.0.1', int(sys.argv[1])))", true, client.Options{}, port)
		p.change("0")
	})
	t.Run("port by a variable", func(t *testing.T) {
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer taken.Close()
		_, port, _ := net.SplitHostPort(taken.Addr().String())
		p := newPatient(t, "import os, socket; socket.socket().bind(('127.0.0.1', int(os.environ.get('NOTES_PORT', "+port+"))))", true, client.Options{})
		test.Tap(p.button("Set NOTES_PORT…"))
		value, ok := p.win.Canvas().Focused().(*input)
		if !ok || value != p.station.form.vars.named("NOTES_PORT").value {
			t.Fatalf("the focus is on %v", p.win.Canvas().Focused())
		}
		value.SetText("0")
		test.Tap(p.button("Apply and restart"))
		p.healthy()
	})
	t.Run("file", func(t *testing.T) {
		p := newPatient(t, "import sys; open(sys.argv[1])", false, client.Options{}, "/no/such/file")
		p.change(config.Quoted([]string{p.script}))
	})
	t.Run("script", func(t *testing.T) {
		d := newDesk(t, Options{Host: client.New(client.Options{Unconfined: anyhow})})
		defer d.options.Host.Close()
		d.show()
		d.connectTo(filepath.Join(t.TempDir(), "none.py"))
		d.until("it has failed", func() bool { return d.connector.problem.Visible() })
		if d.times("Check the path and try again.") != 1 {
			t.Error("it is not said what to do")
		}
		top := d.win.Canvas().Overlays().Top()
		test.Tap(d.button("Browse…", 1)) // the first one is the form's own
		if d.win.Canvas().Overlays().Top() == top {
			t.Error("nobody can look for the script")
		}
	})
	t.Run("syntax", func(t *testing.T) {
		p := newPatient(t, "def f(:", false, client.Options{})
		opened := make(chan string, 1)
		p.openURL = func(u *url.URL) error { opened <- u.Scheme + " " + u.Path; return nil }
		test.Tap(p.button("Open the file"))
		if got := <-opened; got != "file "+p.script {
			t.Errorf("opened is %s", got)
		}
		p.write(t, "")
		test.Tap(p.button("Restart"))
		p.healthy()
	})
	t.Run("crash", func(t *testing.T) {
		p := newPatient(t, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", false, client.Options{})
		if p.cause() != diagnose.Crashed {
			t.Errorf("it is %q", p.cause())
		}
		p.write(t, "")
		test.Tap(p.button("Restart"))
		p.healthy()
	})
	t.Run("interpreter", func(t *testing.T) {
		bin := t.TempDir()
		p := newPatient(t, "", false, client.Options{Env: []string{"PATH=" + bin, "HOME=" + t.TempDir()}})
		if p.cause() != diagnose.ProgramMissing {
			t.Errorf("it is %q", p.cause())
		}
		python, err := exec.Command("python3", "-c", "import sys; print(sys.executable, end='')").Output() // no shim
		if err == nil {
			err = os.Symlink(string(python), filepath.Join(bin, "python3"))
		}
		if err != nil {
			t.Fatal(err)
		}
		test.Tap(p.button("Restart"))
		p.healthy()
	})
	t.Run("permission", func(t *testing.T) {
		script, _ := diaryServer(t)
		source, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		p := newPatient(t, strings.SplitAfterN(string(source), "\n", 3)[0]+strings.SplitAfterN(string(source), "\n", 3)[1], false, client.Options{})
		p.until("it is asked", func() bool { return p.asked != nil })
		p.later()
		test.Tap(p.button("Not now"))
		p.until("the question goes", func() bool { return p.asked == nil })
		test.Tap(p.button("Allow reading"))
		p.healthy()
	})
	t.Run("module", func(t *testing.T) {
		p := newPatient(t, "import thing_of_mara", false, client.Options{})
		dir := filepath.Dir(p.script)
		if err := os.WriteFile(filepath.Join(dir, "requirements.txt"), []byte("./thing_of_mara-1.0-py3-none-any.whl\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		wheel(t, filepath.Join(dir, "thing_of_mara-1.0-py3-none-any.whl"), "thing_of_mara", "1.0")
		test.Tap(p.button("Restart")) // the card now knows the list
		p.until("it has failed again", func() bool { return strings.Contains(view.Fix(p.connector.about.Err), "requirements.txt") })
		fix := view.Fix(p.connector.about.Err)
		if p.times(fix) != 1 {
			t.Errorf("the card does not say %q", fix)
		}
		shell := exec.CommandContext(t.Context(), "sh", "-ec", fix)
		shell.Env = append(os.Environ(), "PIP_NO_INDEX=1", "PIP_DISABLE_PIP_VERSION_CHECK=1")
		if out, err := shell.CombinedOutput(); err != nil {
			t.Skipf("no virtual environments here: %v\n%s", err, out)
		}
		test.Tap(p.button("Restart"))
		p.healthy()
	})
}

// change fills in other arguments where the card leads to.
func (p *patient) change(args string) {
	p.t.Helper()
	test.Tap(p.button("Change how it runs…"))
	in, ok := p.win.Canvas().Focused().(*input)
	if !ok || in != p.station.form.args {
		p.t.Fatalf("the focus is on %v", p.win.Canvas().Focused())
	}
	in.SetText(args)
	press(in, fyne.KeyReturn)
	p.until("it runs", func() bool { return p.servers.Servers[0].Status == client.Connected })
}

// wheel writes a package of one empty module.
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

// A server that writes something else than MCP is put away: the card says so, with
// what to do, and the badge how much it was; it is not started again by itself.
func TestQuarantineIsExplained(t *testing.T) {
	p := newPatient(t, "for n in range(1200): print('[DEBUG] listening', n, flush=True)", false, client.Options{})
	for _, text := range []string{
		view.Sentence(p.connector.about.Err.Error()),
		"Check that the script is an MCP server, and make it print to stderr instead.",
		"goated stopped this server and does not restart it by itself.",
	} {
		if p.times(text) != 1 {
			t.Errorf("it says %d times: %s", p.times(text), text)
		}
	}
	if p.reads("It writes something other than MCP to its stdout.") {
		t.Error("what has happened is said twice")
	}
	s := p.connector.about
	if s.Stray.Lines < 1000 || !strings.HasSuffix(view.StrayNote(s), "lines on stdout were not messages") {
		t.Fatalf("%+v: %s", s.Stray, view.StrayNote(s))
	}
	badge := p.button(view.StrayNote(s))
	badge.MouseIn(nil)
	p.beats(tipBeats)
	if !p.reads("MCP uses stdout. Make the server print to stderr instead. Last line: "+s.Stray.Last) || !strings.HasPrefix(s.Stray.Last, "[DEBUG] listening ") {
		t.Errorf("the badge does not say what to do: %s", view.StrayAdvice(s))
	}
	badge.MouseOut()
	if at := p.connector.about.RetryAt; !at.IsZero() {
		t.Errorf("it starts again at %v", at)
	}
	p.button("Open the file")
	p.write(t, "")
	test.Tap(p.button("Restart"))
	p.healthy()
	p.connect()
	if p.servers.Servers[0].Stray.Lines != 0 || view.StrayNote(p.servers.Servers[0]) != "" {
		t.Error("the badge stays")
	}
}
