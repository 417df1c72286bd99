package ui_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// diaryServer returns an echo server that first reads a file outside its folder.
func diaryServer(t testing.TB) (script, diary string) {
	t.Helper()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	diary = filepath.Join(t.TempDir(), "diary.txt")
	if err := os.WriteFile(diary, []byte("dear diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	quoted := "'" + strings.ReplaceAll(diary, "'", `\'`) + "'"
	return serverOf(t, "diarist", "import sys\nprint('it says', open("+quoted+").read(), file=sys.stderr, flush=True)"), diary
}

// known returns what the settings contain about a script.
func (d *desk) known(script string) config.Launch {
	return d.saved.get().Saved(config.Launch{Path: script})
}

// answers presses a button of a question after the time during which the question takes no
// answer.
func (d *desk) answers(text string) {
	d.T.Helper()
	d.later()
	d.Press(text)
}

// A server's question that arrives while the user types waits for a pause. Before, its sheet
// received the letters, and a space refused the permission.
func TestAPermissionWaitsWhileTheUserTypes(t *testing.T) {
	d := shown(t, ui.Options{})
	d.write("my next ")
	answered := make(chan bool, 1)
	go func() {
		answered <- d.window.Permit(background(t), "notes", "/home/ada/notes.py", sandbox.Permission{Kind: sandbox.ToHost, Host: "example.org"})
	}()
	d.until("it asks", func() bool { return d.dialogs.Waiting() == 1 })
	for _, r := range "question is longer" {
		d.TypeRune(r)
		for posted := true; posted; {
			select {
			case f := <-d.queue:
				f()
			default:
				posted = false
			}
		}
	}
	if d.draft() != "my next question is longer" || d.Layers() > 0 {
		t.Fatalf("the composer holds %q, and %d layers cover it", d.draft(), d.Layers())
	}
	d.until("it asks after a pause", func() bool { return d.Says("notes wants to") })
	d.answers("Not now")
	if waittest.Receive(t, "the answer", answered) {
		t.Error("it is allowed")
	}
}

// goated asks for a permission that a server lacks. The user's yes is saved with its time,
// still applies after a restart, and can be revoked on the server's page.
func TestPermissionIsAskedForAndRevoked(t *testing.T) {
	script, diary := diaryServer(t)
	d := hosted(t, ui.Options{})
	d.connect(script)
	const wants = "diarist wants to read a file"
	d.sees(wants)
	d.sees(diary)
	if got := d.Focus(); got != "Not now" {
		t.Fatalf("the focus is on %q", got)
	}
	d.Key(fyne.KeyReturn)
	d.clock = d.clock.Add(400 * time.Millisecond)
	d.Key(fyne.KeyReturn)
	d.Press("Allow for this server")
	if !d.Reads(wants) {
		t.Fatal("the question took an answer before anyone could have read it")
	}
	d.answers("Allow for this server")
	d.wrote("it says dear diary")
	d.until("the permission is saved", func() bool { return len(d.known(script).Allowed) == 1 })
	if p := d.known(script).Allowed[0]; p.Kind != sandbox.ToRead || p.Path != diary || !p.At.Equal(d.clock) {
		t.Errorf("saved is %+v", p)
	}
	d.connected()
	d.closeSheets()

	d.run("Granted approvals")
	if !d.Reads("Read "+diary) || !d.Reads("09:00") {
		t.Error("the settings do not list the permission")
	}
	d.closeSheets()
	d.openServer("diarist", "Permissions")
	how := "Sandboxed"
	if os.Getuid() == 0 {
		how = "Partly sandboxed" // the system does not count root's processes
	}
	if !d.Reads(how) || !d.Reads("Read "+diary) || !d.Reads("its own data folder") || !d.Reads("none") {
		t.Errorf("the page does not say what the server may do: %q", d.Texts())
	}
	d.PressIcon("trash")
	d.until("the permission is gone", func() bool { return len(d.known(script).Allowed) == 0 })
	d.server("fails", func(s client.Server) bool { return s.Status == client.Failed })
	// goated has already asked for it in this run.
	d.beats(20)
	if d.dialogs.Waiting() > 0 {
		t.Error("the window asks again at once")
	}
}

// The window does not ask again in the same run for a permission that the user denied. If the
// user denies it permanently, the window never asks again until the user revokes that on the
// page.
func TestRefusedPermissionIsRemembered(t *testing.T) {
	script, diary := diaryServer(t)
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	d := hosted(t, ui.Options{Host: host})
	d.connect(script)
	const wants = "diarist wants to read a file"
	d.sees(wants)
	d.sees(diary)
	d.Press("Don't ask again for this")
	d.answers("Not now")
	d.until("the answer is saved", func() bool { return len(d.known(script).Refused) == 1 })
	again := hosted(t, ui.Options{Host: host, Settings: d.saved.get()})
	again.openConnect()
	again.until("the server is listed", func() bool { return again.Reads("diarist") })
	again.Press("diarist")
	again.Press("Permissions")
	if again.dialogs.Waiting() > 0 || !again.Reads("goated does not ask again for") || !again.Reads("diarist wants to read "+diary+".") {
		t.Error("the page does not say what was refused")
	}
	again.Press("Ask again")
	again.until("the answer is forgotten", func() bool { return len(again.known(script).Refused) == 0 })
	again.window.ShowServers(host.Snapshot())
	again.sees(wants)
}

// The user has to confirm twice that a server runs without the sandbox. The settings store
// this, and the page shows it.
func TestWithoutTheSandbox(t *testing.T) {
	script, _ := diaryServer(t)
	d := hosted(t, ui.Options{})
	d.connect(script)
	d.sees("diarist wants to read a file")
	d.answers("Not now")
	d.until("the question goes", func() bool { return d.dialogs.Waiting() == 0 && d.connecting() })
	d.closeSheets()
	d.openServer("diarist", "Permissions")
	d.Press("Run without the sandbox…")
	d.Press("Run without the sandbox")
	if d.host.Snapshot().Servers[0].NoSandbox {
		t.Fatal("the server runs without its sandbox before anyone could have read what that means")
	}
	d.answers("Run without the sandbox")
	d.wrote("it says dear diary")
	d.until("the page shows it", func() bool { return d.Reads("Not sandboxed") })
	d.until("the settings remember it", func() bool { return d.known(script).NoSandbox })
	d.Press("Turn the sandbox back on")
	d.until("the settings forget it", func() bool { return !d.known(script).NoSandbox })
	d.server("fails", func(s client.Server) bool { return s.Status == client.Failed })
}

// A countdown shows the seconds until a server starts again.
func TestRetryIsCountedDown(t *testing.T) {
	d := newDesk(t, ui.Options{})
	s := samplechat.Servers()
	s.Servers[3].RetryAt = d.clock.Add(4 * time.Second)
	d.window.ShowServers(s)
	before := d.window.Ticking()
	d.openConnect()
	if !d.Reads("Restarting in 4 s") {
		t.Fatalf("the card does not say when the server starts again: %q", d.Texts())
	}
	d.later()
	d.beats(10)
	if !d.Reads("Restarting in 3 s") {
		t.Error("the card does not count")
	}
	if !d.Pressable("Restart now") {
		t.Error("the card does not offer to restart the server now")
	}
	d.closeSheets()
	if d.window.Ticking() > before+1 { // plus one for the composer's cursor
		t.Error("the window counts on")
	}
	d.openConnect()
	d.Press("weather")
	if !d.Says("Restarting in 3 s · ") {
		t.Errorf("the page says %q", d.Texts())
	}
}

// Restart now replaces the countdown and starts the server immediately.
func TestRestartNowRestartsTheServer(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.connect(echoServer(t))
	d.connected()
	s := d.host.Snapshot()
	s.Servers = slices.Clone(s.Servers)
	s.Servers[0].Status, s.Servers[0].RetryAt = client.Failed, d.clock.Add(time.Hour)
	s.Servers[0].Err = &client.Error{Kind: client.ErrExited, Err: errors.New("exit status 1")}
	d.window.ShowServers(s)
	d.openConnect()
	d.Press("Restart now")
	d.sees("echo restarted")
	d.until("the card shows the new process", func() bool { return !d.Says("Restarting in") })
}

// A badge counts the lines on stdout that are not messages, and explains what to do.
func TestStrayBadge(t *testing.T) {
	d := newDesk(t, ui.Options{})
	s := client.Snapshot{Servers: samplechat.Servers().Servers[:1]}
	s.Servers[0].Noise = client.Noise{Lines: 12, Last: "[DEBUG] listening"}
	d.window.ShowServers(s)
	d.openConnect()
	const badge = "12 lines on stdout were not messages"
	d.Hover(badge)
	d.beats(6)
	if !d.Reads("MCP uses stdout. Make the server print to stderr instead. Last line: [DEBUG] listening") {
		t.Errorf("the badge does not say what to do: %q", d.Texts())
	}
	d.Press(badge)
	if !d.Says("stderr") || d.connecting() {
		t.Errorf("the badge does not open the log: %q", d.Texts())
	}
}

// The card and the log report unusual but harmless behaviour, without a badge.
func TestHarmlessNoiseIsReported(t *testing.T) {
	d := newDesk(t, ui.Options{})
	s := client.Snapshot{Servers: samplechat.Servers().Servers[:1]}
	s.Servers[0].Noise = client.Noise{CRLF: 3, Blank: 2}
	d.window.ShowServers(s)
	d.openConnect()
	if !d.Reads("Sends Windows line endings. Sent 2 blank lines.") || d.Says("stdout were not") {
		t.Errorf("the card does not say what is odd, or says it as a fault: %q", d.Texts())
	}
	d.Press("filesystem")
	d.Press("Log")
	if !d.Reads("This does no harm: goated reads it anyway.") {
		t.Errorf("the log does not say what is odd: %q", d.Texts())
	}
}

// If the system cannot confine a server, the window asks the user and saves the answer.
func TestUnconfinedIsAskedAndSaved(t *testing.T) {
	d := shown(t, ui.Options{})
	c := client.Config{Path: "/tools/weather.py"}
	got := make(chan bool, 1)
	ask := func() { got <- d.dialogs.Unconfined(background(t), "weather", c) }
	go ask()
	d.sees("Run weather without a sandbox?")
	d.answers("Not now")
	if waittest.Receive(t, "the answer", got) || len(d.saved.get().DecidedServers()) != 0 {
		t.Error("the server may run, or the settings say so")
	}
	d.until("the question goes", func() bool { return d.Layers() == 0 })
	go ask()
	d.sees("Run weather without a sandbox?")
	d.answers("Run it")
	if !waittest.Receive(t, "the answer", got) {
		t.Error("the server may not run")
	}
	d.until("the answer is saved", func() bool { return d.known(c.Path).Unconfined })
}
