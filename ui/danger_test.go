package ui_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/internal/samplechat"
	"goated/ui/view"
)

// openPermissions opens the permissions page of an echo server that runs in its sandbox.
func openPermissions(t *testing.T) (d *desk, script string) {
	t.Helper()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	script = scriptOf(t, "echo.py", "")
	d = hosted(t, ui.Options{})
	d.connect(script)
	d.connected()
	d.openServer("echo", "Permissions")
	return d, script
}

// restarted waits until the server runs with the changed policy.
func (d *desk) restarted(done func(sandbox.Policy) bool) {
	d.T.Helper()
	d.server("restarts", func(s client.Server) bool { return s.Status == client.Connected && done(s.Policy) })
}

// allowFolder allows a folder on the permissions page.
func (d *desk) allowFolder(path, how string) {
	d.T.Helper()
	d.Enter(folderToAllow, path)
	d.Press(how)
}

const folderToAllow = "Folder or file to allow"

// Each change redraws the permissions page more than once. The focus stays on the same control,
// or moves to the next similar one.
func TestPermissionsKeepTheFocus(t *testing.T) {
	d, script := openPermissions(t)
	const network, desktop = "Allow the whole network", "Allow your other programs"
	for label, on := range map[string]func(sandbox.Policy) bool{
		network: func(p sandbox.Policy) bool { return p.Network == sandbox.AnyNetwork },
		desktop: func(p sandbox.Policy) bool { return p.Desktop },
	} {
		for _, want := range []bool{true, false} {
			d.FocusBeside(label)
			before := d.Canvas().Focused()
			d.Key(fyne.KeySpace)
			d.restarted(func(p sandbox.Policy) bool { return on(p) == want })
			d.until("the page is drawn again", func() bool { return d.Canvas().Focused() != before })
			if !d.FocusIsBeside(label) {
				t.Errorf("%s, %v: the focus is elsewhere", label, want)
			}
		}
	}
	for range 2 {
		dir := t.TempDir()
		d.allowFolder(dir, "Allow reading")
		d.until("the folder is listed", func() bool {
			return d.known(script).Allowed.Has(sandbox.Permission{Kind: sandbox.ToRead, Path: dir}) && d.Reads("Read "+dir)
		})
		d.restarted(func(p sandbox.Policy) bool { return slices.Contains(p.Read, dir) })
	}
	d.until("both folders are listed", func() bool { return d.Icons("trash") == 2 })
	for _, left := range []int{1, 0} {
		d.FocusIcon("trash")
		d.Key(fyne.KeyReturn)
		d.restarted(func(sandbox.Policy) bool { return d.Icons("trash") == left })
		if left > 0 && !d.FocusIsOnIcon("trash") || left == 0 && !d.FocusIsOn("Permissions") {
			t.Errorf("with %d rows left the focus is on %q", left, d.Focus())
		}
	}
	// After a click, the control has the focus without a focus ring.
	d.FocusBeside(network)
	d.PressBeside(network)
	d.restarted(func(p sandbox.Policy) bool { return p.Network == sandbox.AnyNetwork })
	d.until("the focus is on the new switch", func() bool { return d.FocusIsBeside(network) })
	if d.Ringed() {
		t.Error("after a press of the pointer the ring shows")
	}
}

// The window skips states of a server while it draws. When a restart fell into that time, the page kept the old
// permissions.
func TestPermissionsAfterAnUnseenRestart(t *testing.T) {
	d := shown(t, ui.Options{})
	all := samplechat.Servers()
	d.window.ShowServers(all)
	d.openServer("filesystem", "Permissions")
	const network = "all of it, including this computer's own services"
	if d.Reads(network) {
		t.Fatal("the server has the network already")
	}
	again := client.Snapshot{Servers: slices.Clone(all.Servers)}
	again.Servers[0].Since = d.clock
	again.Servers[0].Policy.Network = sandbox.AnyNetwork
	d.window.ShowServers(again)
	if !d.Reads(network) {
		t.Errorf("after the restart the page shows %q", d.Texts())
	}
}

// A question about the home folder explains what the permission exposes. Its safe button stands
// out. Enter does not allow it, wherever the focus is.
func TestDangerousPermission(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	home, _ := os.UserHomeDir()
	const anyway = "Allow anyway"
	for _, tt := range []struct {
		path, yes string
		firm      bool
	}{
		{filepath.Join(home, "trip", "plan.md"), "Allow for this server", false},
		{home, anyway, true},
		{filepath.Join(home, ".ssh"), anyway, true},
	} {
		d := shown(t, ui.Options{})
		p := sandbox.Permission{Kind: sandbox.ToWrite, Path: tt.path}
		got := make(chan bool, 1)
		go func() { got <- d.window.Permit(background(t), "weather", "weather.py", p) }()
		d.sees(view.ShortAllowQuestion("weather", p))
		d.later()
		danger := view.Danger(p, nil, false)
		if (danger != "") != tt.firm || tt.firm == d.Reads(view.ConsequenceText(p)) || danger != "" && !d.Reads(danger) {
			t.Errorf("%s: the question warns of %q", tt.path, danger)
		}
		if d.Focus() != "Not now" || d.Filled("Not now") != tt.firm || d.Filled(tt.yes) == tt.firm {
			t.Errorf("%s: the safe button does not stand out", tt.path)
		}
		d.Key(fyne.KeyTab)
		for range 10 {
			if d.Focus() == tt.yes {
				break
			}
			d.Key(fyne.KeyTab)
		}
		d.Key(fyne.KeyReturn)
		if tt.firm {
			d.Key(fyne.KeyEnter)
			if d.dialogs.Waiting() == 0 {
				t.Errorf("%s: Enter allows it", tt.path)
			}
			d.Key(fyne.KeySpace)
		}
		if !waittest.Receive(t, "the answer", got) {
			t.Errorf("%s: it is not allowed", tt.path)
		}
		d.until("the question goes", func() bool { return d.Layers() == 0 })
	}
}

// The page asks once more before it allows something dangerous, and marks it from then on.
func TestDangerOnThePage(t *testing.T) {
	d, script := openPermissions(t)
	home, err := os.UserHomeDir() // the echo server does not use it
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
	const button, anyway = "Allow reading and writing", "Allow anyway"
	p := sandbox.Permission{Kind: sandbox.ToWrite, Path: home}
	danger := view.Danger(p, d.host.Private(), false)
	choose := func() {
		d.Enter(folderToAllow, link) // the question shows the target of the link
		d.FocusOn(button)
		d.Key(fyne.KeySpace)
		d.until("the window asks once more", func() bool {
			return d.Reads(danger) && d.Reads("echo wants to read and write a folder") && d.Reads(view.Tilde(home))
		})
	}
	choose()
	if got := d.Focus(); got != "Not now" {
		t.Fatalf("the focus is on %q", got)
	}
	d.Press(anyway)
	if !d.Reads(danger) || !d.Reads(anyway) {
		t.Error("the question took an answer before anyone could have read it")
	}
	d.Press("Not now")
	if d.Focus() != button || len(d.known(script).Allowed) > 0 {
		t.Errorf("after a no the focus is on %q, allowed are %v", d.Focus(), d.known(script).Allowed)
	}
	choose()
	d.answers(anyway)
	d.until("the permission is saved", func() bool { return d.known(script).Allowed.Has(p) })
	d.restarted(func(sandbox.Policy) bool { return d.Reads(danger) && d.Reads("Read and write "+view.Tilde(home)) })
}

// goated's own folders are dangerous by their real paths, even through a link. The page asks
// once more before it allows such a folder, a part of it, or a folder that contains it.
func TestGoatedsFoldersAreDangerous(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	moved, link := filepath.Join(root, "disk", "goated"), filepath.Join(root, "link")
	if err := os.MkdirAll(filepath.Join(moved, "servers"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "disk"), link); err != nil {
		t.Fatal(err)
	}
	host := client.New(client.Options{Unconfined: unconfined, Private: []string{filepath.Join(link, "goated"), filepath.Join(link, "settings", "goated")}})
	t.Cleanup(host.Close)
	d := hosted(t, ui.Options{Host: host})
	d.connect(scriptOf(t, "echo.py", ""))
	d.connected()
	d.openServer("echo", "Permissions")
	for _, path := range []string{moved, filepath.Dir(moved), filepath.Join(moved, "servers"), filepath.Join(link, "goated")} {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			t.Fatal(err)
		}
		danger := view.Danger(sandbox.Permission{Kind: sandbox.ToRead, Path: real}, []string{moved, filepath.Join(root, "disk", "settings", "goated")}, false)
		d.allowFolder(path, "Allow reading")
		if danger == "" {
			t.Fatalf("%s is not dangerous", path)
		}
		d.sees(danger)
		d.Press("Not now")
	}
	for path, want := range map[string]bool{filepath.Join(root, "disk", "settings", "goated"): true, filepath.Join(root, "disk", "notes"): false} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		d.allowFolder(path, "Allow reading")
		if want {
			d.until("the window asks once more about "+path, func() bool { return d.Reads("Not now") })
			d.Press("Not now")
			continue
		}
		d.sees("Read " + path)
	}
}
