package ui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
)

// diaryServer is the echo server, which first reads a file elsewhere.
func diaryServer(t *testing.T) (script, diary string) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	source, err := os.ReadFile("testdata/echo.py")
	if err != nil {
		t.Fatal(err)
	}
	diary = filepath.Join(t.TempDir(), "diary.txt")
	if err := os.WriteFile(diary, []byte("dear diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	script = filepath.Join(t.TempDir(), "diarist.py")
	read := "import sys\nprint('it says', open(" + quotedPython(diary) + ").read(), file=sys.stderr, flush=True)\n"
	if err := os.WriteFile(script, append([]byte(read), source...), 0o600); err != nil {
		t.Fatal(err)
	}
	return script, diary
}

func quotedPython(s string) string { return "'" + strings.ReplaceAll(s, "'", `\'`) + "'" }

// connectTo connects a server by its path.
func (d *desk) connectTo(script string) {
	d.t.Helper()
	d.connect()
	d.connector.path.SetText(script)
	test.Tap(d.button("Connect"))
}

// A server that lacks something is asked for, and what is allowed is there after
// a restart, kept with its time, and taken back on its page.
func TestPermissionIsAskedForAndTakenBack(t *testing.T) {
	script, diary := diaryServer(t)
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	d := newDesk(t, Options{Host: host})
	d.show()
	d.connectTo(script)
	d.until("it is asked", func() bool { return d.reads("diarist wants to read " + diary) })
	deny, ok := d.win.Canvas().Focused().(*button)
	if !ok || deny.text != "Not now" {
		t.Fatalf("the focus is on %v", d.win.Canvas().Focused())
	}
	press(deny, fyne.KeyReturn)
	d.clock = d.clock.Add(400 * time.Millisecond)
	press(deny, fyne.KeyReturn)
	test.Tap(d.button("Allow for this server"))
	if d.asked == nil {
		t.Fatal("an answer was taken before anyone could have read the question")
	}
	d.later()
	test.Tap(d.button("Allow for this server"))
	d.said("it says dear diary")
	l := config.Launch{Path: script}
	d.until("it is kept", func() bool { return len(d.settings.Known(l).Allowed) == 1 })
	if p := d.settings.Known(l).Allowed[0]; p.Kind != sandbox.ToRead || p.Path != diary || !p.At.Equal(d.clock) {
		t.Errorf("kept is %+v", p)
	}
	d.until("its tools are there", func() bool { return d.servers.Tools() > 0 })
	d.until("the sheet in which it was connected closes", func() bool { return d.connector == nil })
	d.clear()

	d.openSettings(settingsApprovals)
	if !d.reads("Read "+diary) || !d.reads("09:00") {
		t.Error("the settings do not list it")
	}
	d.clear()
	d.visitAt(d.servers.Servers[0].ID, serverPermissions)
	how := "Sandboxed"
	if os.Getuid() == 0 {
		how = "Sandboxed in part" // its processes are not counted
	}
	if !d.reads(how) || !d.reads("Read "+diary) || !d.reads("its own data folder") || !d.reads("none") {
		t.Error("the page does not say what it may do")
	}
	trash, ok := find(d, func(b *button) bool { return b.icon == "trash" })
	if !ok {
		t.Fatal("nothing takes it back")
	}
	test.Tap(trash)
	d.until("it is taken back", func() bool {
		return len(d.settings.Known(l).Allowed) == 0 && d.servers.Servers[0].Status == client.Failed
	})
	// It was asked for in this run.
	d.beats(20)
	if d.asked != nil {
		t.Error("it is asked again at once")
	}
}

// What is denied is not asked for again in this run, and for good if the person
// says so; the page takes that back.
func TestRefusedPermissionIsRemembered(t *testing.T) {
	script, diary := diaryServer(t)
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	d := newDesk(t, Options{Host: host})
	d.show()
	d.connectTo(script)
	wants := "diarist wants to read " + diary
	d.until("it is asked", func() bool { return d.reads(wants) })
	d.later()
	never, ok := find(d, func(l *label) bool { return l.text == "Don't ask again for this" })
	if !ok {
		t.Fatal("it can't be refused for good")
	}
	test.TapCanvas(d.win.Canvas(), fyne.CurrentApp().Driver().AbsolutePositionForObject(never).AddXY(5, 5))
	test.Tap(d.button("Not now"))
	l := config.Launch{Path: script}
	d.until("it is kept", func() bool { return len(d.settings.Known(l).Refused) == 1 })
	again := newDesk(t, Options{Host: host, Settings: d.settings})
	again.show()
	again.until("the server is seen", func() bool { return len(again.servers.Servers) == 1 })
	id := again.servers.Servers[0].ID
	again.visitAt(id, serverPermissions)
	if again.asked != nil || !again.reads("You are not asked again for") || !again.reads(wants+".") {
		t.Error("the page does not say what was refused")
	}
	test.Tap(again.button("Ask again"))
	if len(again.settings.Known(l).Refused) != 0 {
		t.Error("it is still refused")
	}
	again.see(again.servers)
	again.until("it is asked again", func() bool { return again.asked != nil })
}

// Running without the sandbox has to be said twice, is remembered, and shown.
func TestWithoutTheSandbox(t *testing.T) {
	script, _ := diaryServer(t)
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	d := newDesk(t, Options{Host: host})
	d.show()
	d.connectTo(script)
	d.until("it is asked", func() bool { return d.asked != nil })
	d.later()
	test.Tap(d.button("Not now"))
	d.until("the question goes", func() bool { return d.asked == nil })
	d.visitAt(d.servers.Servers[0].ID, serverPermissions)
	test.Tap(d.button("Run without the sandbox…"))
	test.Tap(d.button("Run without the sandbox"))
	if d.settings.Known(config.Launch{Path: script}).NoSandbox {
		t.Fatal("it runs without, and nobody can have read what that means")
	}
	d.later()
	test.Tap(d.button("Run without the sandbox"))
	d.said("it says dear diary")
	d.until("it is shown", func() bool { return d.station.state.text == "Not sandboxed" && d.servers.Servers[0].NoSandbox })
	if !d.settings.Known(config.Launch{Path: script}).NoSandbox {
		t.Error("it is not remembered")
	}
	test.Tap(d.button("Sandbox it again"))
	d.until("it is held again", func() bool {
		return !d.settings.Known(config.Launch{Path: script}).NoSandbox && d.servers.Servers[0].Status == client.Failed
	})
}

// A folder that is not there can't be allowed, nor can all there is.
func TestFoldersThatCanBeAllowed(t *testing.T) {
	for path, want := range map[string]string{
		"": "enter a folder", "data": "full path", "/": "whole computer", filepath.Join(t.TempDir(), "none"): "is not there", t.TempDir(): "",
	} {
		if err := allowable(path); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

// The seconds until a server is started again are counted down.
func TestRetryIsCountedDown(t *testing.T) {
	d := newDesk(t, Options{})
	s := someServers()
	s.Servers[3].RetryAt = d.clock.Add(4 * time.Second)
	d.see(s)
	d.connect()
	if !d.reads("Restarting in 4 s") {
		t.Fatal("it is not said when it starts again")
	}
	d.later()
	d.beats(10)
	if !d.reads("Restarting in 3 s") {
		t.Error("nothing counts")
	}
	restarted := ""
	d.connector.OnRestart = func(s client.Server) { restarted = s.ID }
	test.Tap(d.button("Restart now"))
	if restarted != "weather" {
		t.Error("it is not restarted")
	}
	c := d.connector
	d.escape()
	if d.connector != nil || c.counts != nil {
		t.Error("it goes on counting")
	}
	d.visit("weather", "")
	if !strings.HasPrefix(d.station.line.text, "Restarting in 3 s") {
		t.Errorf("the page says %q", d.station.line.text)
	}
}

// What stands on stdout and is no message is counted, with what to do.
func TestStrayBadge(t *testing.T) {
	d := newDesk(t, Options{})
	s := client.Snapshot{Servers: someServers().Servers[:1]}
	s.Servers[0].Stray = client.Stray{Lines: 12, Last: "[DEBUG] listening"}
	d.see(s)
	d.connect()
	badge := d.button("12 lines on stdout were not messages")
	badge.MouseIn(nil)
	d.beats(tipBeats)
	if !d.reads("MCP uses stdout. Make the server print to stderr instead. Last line: [DEBUG] listening") {
		t.Error("it is not said what to do")
	}
	test.Tap(badge)
	if d.station == nil || d.station.at != serverLog {
		t.Error("it does not lead to the log")
	}
}

// What is odd and does no harm is said on the card and on the log page, without a
// badge.
func TestHabits(t *testing.T) {
	d := newDesk(t, Options{})
	s := client.Snapshot{Servers: someServers().Servers[:1]}
	s.Servers[0].Stray = client.Stray{CRLF: 3, Blank: 2}
	d.see(s)
	d.connect()
	if !d.reads("Sends Windows line ends. Has sent 2 blank lines.") || d.reads("stdout were not") {
		t.Error("the card does not say so, or as a fault")
	}
	d.connector.OnLog(s.Servers[0])
	if d.station == nil || d.station.at != serverLog || !d.reads("None of this does harm: goated reads it all the same.") {
		t.Error("the page does not say so")
	}
}

// Where nothing can confine a server the person is asked, and the answer is
// kept.
func TestUnconfinedIsAskedAndKept(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	c := client.Config{Path: "/tools/weather.py"}
	got := make(chan bool, 1)
	ask := func() { got <- d.dialogs.Unconfined(background(t), "weather", c) }
	go ask()
	d.until("it is asked", func() bool { return d.reads("Run weather without a sandbox?") })
	d.later()
	test.Tap(d.button("Not now"))
	if <-got || len(d.settings.Decided()) != 0 {
		t.Error("it may run, or that is kept")
	}
	d.until("the question goes", func() bool { return d.asked == nil })
	go ask()
	d.until("it is asked", func() bool { return d.asked != nil })
	d.later()
	test.Tap(d.button("Run it"))
	if !<-got {
		t.Error("it may not run")
	}
	d.until("it is kept", func() bool { return d.settings.Known(config.Launch{Path: c.Path}).Unconfined })
}

// reachingServer is the echo server, which first tries to reach a host.
func reachingServer(t *testing.T) (script string) {
	t.Helper()
	script, _ = diaryServer(t)
	if !sandbox.Probe().Hosts {
		t.Skip(sandbox.Probe())
	}
	source, err := os.ReadFile("testdata/echo.py")
	if err != nil {
		t.Fatal(err)
	}
	try := "import urllib.request\ntry:\n    urllib.request.urlopen('http://weather.invalid/')\nexcept OSError:\n    pass\n"
	if err := os.WriteFile(script, append([]byte(try), source...), 0o600); err != nil {
		t.Fatal(err)
	}
	return script
}

// A server that tries to reach a host is asked for by that host; refused for
// good, it is not asked for again. A host is also allowed by hand, and taken back.
func TestHostIsAskedForAndTakenBack(t *testing.T) {
	script := reachingServer(t)
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	d := newDesk(t, Options{Host: host})
	d.show()
	d.connectTo(script)
	d.until("it is asked", func() bool { return d.reads("diarist wants to reach weather.invalid") })
	if !d.reads("443, 80") {
		t.Error("the ports are not told")
	}
	d.later()
	never, ok := find(d, func(l *label) bool { return l.text == "Don't ask again for this" })
	if !ok {
		t.Fatal("it can't be refused for good")
	}
	test.TapCanvas(d.win.Canvas(), fyne.CurrentApp().Driver().AbsolutePositionForObject(never).AddXY(5, 5))
	test.Tap(d.button("Not now"))
	l := config.Launch{Path: script}
	d.until("it is kept", func() bool {
		return d.settings.Known(l).Refused.Has(sandbox.Permission{Kind: sandbox.ToHost, Host: "weather.invalid"})
	})
	again := newDesk(t, Options{Host: host, Settings: d.settings})
	again.show()
	again.until("the server is seen", func() bool { return len(again.servers.Servers) == 1 && len(again.servers.Servers[0].Needs) == 1 })
	again.beats(20)
	if again.asked != nil {
		t.Error("it is asked again")
	}
	again.visitAt(again.servers.Servers[0].ID, serverPermissions)
	again.until("the page says what was refused", func() bool { return again.reads("Reach weather.invalid") })
	in, ok := find(again, func(in *input) bool { return in.PlaceHolder == "A host, such as api.example.org" })
	if !ok {
		t.Fatal("no host can be added")
	}
	in.SetText("https://api.example.org/v1")
	test.Tap(again.button("Allow the host"))
	if !again.reads("Enter the host alone, such as api.example.org, without what comes before and after it in an address of the web.") {
		t.Error("it is not said what is wrong")
	}
	in.SetText("API.example.org:8443")
	test.Tap(again.button("Allow the host"))
	p := sandbox.Permission{Kind: sandbox.ToHost, Host: "api.example.org:8443"}
	again.until("it is allowed", func() bool {
		return again.settings.Known(l).Allowed.Has(p) && again.reads("api.example.org:8443, and nothing else")
	})
	trash, ok := find(again, func(b *button) bool { return b.icon == "trash" })
	if !ok {
		t.Fatal("nothing takes it back")
	}
	test.Tap(trash)
	again.until("it is taken back", func() bool {
		return len(again.settings.Known(l).Allowed) == 0 && !again.reads("api.example.org:8443, and nothing else")
	})
}
