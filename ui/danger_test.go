package ui

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/ui/view"
)

// openPermissions is the page of permissions of an echo server that runs in its
// sandbox.
func openPermissions(t *testing.T) (d *desk, l config.Launch) {
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
	l.Path = filepath.Join(t.TempDir(), "echo.py")
	if err := os.WriteFile(l.Path, source, 0o600); err != nil {
		t.Fatal(err)
	}
	host := client.New(client.Options{Unconfined: anyhow})
	t.Cleanup(host.Close)
	d = newDesk(t, Options{Host: host})
	d.show()
	d.connectTo(l.Path)
	d.until("it is connected", func() bool {
		for _, s := range d.servers.Servers {
			if s.Status == client.Failed {
				t.Fatalf("%v\n%q", s.Err, s.Stderr)
			}
		}
		return d.servers.Tools() > 0 && d.connector == nil
	})
	d.visitAt(d.servers.Servers[0].ID, serverPermissions)
	return d, l
}

// stops are the controls of the page that look like o.
func (d *desk) stops(like string) (all []fyne.Focusable) {
	eachStop(d.station.slots, func(o fyne.Focusable) {
		if look, _ := lookOf(o); look == like {
			all = append(all, o)
		}
	})
	return all
}

// restarted waits until the server runs with what was changed.
func (d *desk) restarted(done func(sandbox.Policy) bool) {
	d.t.Helper()
	d.until("it runs anew", func() bool {
		s := d.servers.Servers[0]
		return s.Status == client.Connected && done(s.Policy)
	})
}

// What is pressed on the page of permissions has the page drawn anew, more than
// once: the focus stays on the same control, or goes to the next one like it.
func TestPermissionsKeepTheFocus(t *testing.T) {
	d, l := openPermissions(t)
	const switches, trash = "hotspot", "button trash "
	for i, on := range []func(sandbox.Policy) bool{
		func(p sandbox.Policy) bool { return p.Network == sandbox.AnyNetwork },
		func(p sandbox.Policy) bool { return p.Desktop },
	} {
		for _, want := range []bool{true, false} {
			at := d.stops(switches)[i]
			d.win.Canvas().Focus(at)
			press(at, fyne.KeySpace)
			d.restarted(func(p sandbox.Policy) bool { return on(p) == want })
			if got := d.win.Canvas().Focused(); got != d.stops(switches)[i] || got == at {
				t.Errorf("switch %d, %v: the focus is on %v", i, want, got)
			}
		}
	}
	for range 2 {
		dir := t.TempDir()
		d.allow(d.station.server.ID, sandbox.Permission{Kind: sandbox.ToRead, Path: dir})
		d.until("it is kept", func() bool {
			return d.settings.Known(l).Allowed.Has(sandbox.Permission{Kind: sandbox.ToRead, Path: dir})
		})
		d.restarted(func(p sandbox.Policy) bool { return len(d.stops(trash)) > 0 && d.reads("Read "+dir) })
	}
	for _, left := range []int{1, 0} {
		first := d.stops(trash)[0]
		d.win.Canvas().Focus(first)
		press(first, fyne.KeyReturn)
		d.restarted(func(sandbox.Policy) bool { return len(d.stops(trash)) == left })
		want := fyne.Focusable(d.station.names[serverPermissions].spot)
		if left > 0 {
			want = d.stops(trash)[0]
		}
		if got := d.win.Canvas().Focused(); got != want {
			t.Errorf("with %d rows left the focus is on %v", left, got)
		}
	}
	at := d.stops(switches)[0].(*hotspot) // by the pointer: the focus without its ring
	d.win.Canvas().Focus(at)
	at.MouseDown(nil)
	test.Tap(at)
	d.restarted(func(p sandbox.Policy) bool { return p.Network == sandbox.AnyNetwork })
	if now := d.stops(switches)[0].(*hotspot); d.win.Canvas().Focused() != now || !now.byPointer {
		t.Error("after a press of the pointer the ring shows, or the focus is lost")
	}
}

// Who asks for the home folder is not asked about as who asks for a file: it is
// said what that is, the safe button is the one that stands out, and Enter does
// not allow it wherever the focus is.
func TestDangerousPermission(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	home, _ := os.UserHomeDir()
	d := newDesk(t, Options{})
	d.show()
	for _, tt := range []struct {
		path, yes string
		firm      bool
	}{{filepath.Join(home, "trip", "plan.md"), "Allow for this server", false}, {home, "Allow it all the same", true}, {filepath.Join(home, ".ssh"), "Allow it all the same", true}} {
		p := sandbox.Permission{Kind: sandbox.ToWrite, Path: tt.path}
		got := make(chan permitted, 1)
		go func() { got <- d.dialogs.beg(background(t), begging{name: "weather", command: "weather.py", what: p}) }()
		d.until("it is asked", func() bool { return d.asked != nil })
		d.later()
		danger := d.danger(p)
		if (danger != "") != tt.firm || tt.firm == d.reads(view.Means(p)) || danger != "" && !d.reads(danger) {
			t.Errorf("%s: it warns of %q", tt.path, danger)
		}
		no, allow := d.button("Not now"), d.button(tt.yes)
		if d.win.Canvas().Focused() != no || (no.kind == primary) != tt.firm || (allow.kind == primary) == tt.firm {
			t.Errorf("%s: the safe button does not stand out", tt.path)
		}
		press(allow, fyne.KeyReturn)
		if tt.firm {
			press(allow, fyne.KeyEnter)
			if q, _ := d.dialogs.head(); q == nil {
				t.Errorf("%s: Enter allows it", tt.path)
			}
			press(allow, fyne.KeySpace)
		}
		if !(<-got).allow {
			t.Errorf("%s: it is not allowed", tt.path)
		}
		d.until("the question goes", func() bool { return d.asked == nil })
	}
}

// What is dangerous and chosen on the page is asked for once more, and marked
// there from then on.
func TestDangerOnThePage(t *testing.T) {
	d, l := openPermissions(t)
	home, err := os.UserHomeDir() // of which the echo server makes no use
	if err != nil {
		t.Skip(err)
	}
	if home, err = filepath.EvalSymlinks(home); err != nil {
		t.Skip(err)
	}
	link := filepath.Join(t.TempDir(), "harmless")
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	p := sandbox.Permission{Kind: sandbox.ToWrite, Path: home}
	choose := func() {
		in := d.stops("input A folder or a file to allow")[0].(*input)
		in.SetText(link) // it is said where it leads to
		in.OnTyped()
		button := d.button("Allow reading and writing")
		d.win.Canvas().Focus(button)
		test.Tap(button)
		d.until("it is asked once more", func() bool { return d.reads(d.danger(p)) && d.reads("echo wants to read and write "+view.Tilde(home)) })
	}
	choose()
	if no, ok := d.win.Canvas().Focused().(*button); !ok || no.text != "Not now" {
		t.Fatalf("the focus is on %v", d.win.Canvas().Focused())
	}
	test.Tap(d.button("Allow it all the same"))
	if !d.reads(d.danger(p)) {
		t.Error("an answer was taken before anyone could have read the question")
	}
	press(d.button("Not now"), fyne.KeyReturn)
	if b, ok := d.win.Canvas().Focused().(*button); !ok || b.text != "Allow reading and writing" || len(d.settings.Known(l).Allowed) > 0 {
		t.Errorf("after a no the focus is on %v, allowed %v", d.win.Canvas().Focused(), d.settings.Known(l).Allowed)
	}
	choose()
	d.later()
	test.Tap(d.button("Allow it all the same"))
	d.until("it is kept", func() bool { return d.settings.Known(l).Allowed.Has(p) })
	d.restarted(func(sandbox.Policy) bool { return d.reads(d.danger(p)) && d.reads("Read and write "+view.Tilde(home)) })
}

// goated's own folders are where they are, and not where they are called: what
// lies in one, or holds one, is asked for once more.
func TestGoatedsFoldersAreDangerous(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	moved, link := filepath.Join(root, "disk", "goated"), filepath.Join(root, "link")
	if err := os.MkdirAll(moved, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "disk"), link); err != nil {
		t.Fatal(err)
	}
	host := client.New(client.Options{Data: filepath.Join(link, "goated", "servers"), Private: []string{filepath.Join(link, "goated"), filepath.Join(link, "settings", "goated")}})
	t.Cleanup(host.Close)
	d := newDesk(t, Options{Host: host})
	d.show()
	server := client.Server{ID: "weather", Name: "weather", Path: filepath.Join(root, "weather.py")}
	for _, path := range []string{moved, filepath.Dir(moved), filepath.Join(moved, "servers"), filepath.Join(link, "goated")} {
		p := sandbox.Permission{Kind: sandbox.ToRead, Path: path}
		d.offer(server, p)
		d.until("it is asked once more", func() bool { return d.danger(p.Placed()) != "" && d.reads(d.danger(p.Placed())) })
		test.Tap(d.button("Not now"))
	}
	for path, want := range map[string]bool{filepath.Join(root, "disk", "settings", "goated"): true, filepath.Join(root, "disk", "notes"): false} { // neither is there
		if got := d.danger(sandbox.Permission{Kind: sandbox.ToRead, Path: path}); (got != "") != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}

func TestPictureDanger(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	picture(t, "danger", false, func(d *desk) {
		d.see(client.Snapshot{Servers: someServers().Servers[:1]})
		p := sandbox.Permission{Kind: sandbox.ToWrite, Path: "/home/ada"}
		d.open(d.newBegging(begging{name: "weather", command: "weather.py", what: p}, 0, func(any) {}))
	})
}
