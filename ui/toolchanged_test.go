package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui"
)

// changedTool returns the Tools page with a server whose tool "add" changed after the user had
// always allowed it.
func changedTool(t *testing.T) (*desk, ui.Options) {
	t.Helper()
	return changedToolOf(t, newPolicy(t))
}

// changedToolOf is changedTool with a policy.
func changedToolOf(t *testing.T, p *consent.Policy) (*desk, ui.Options) {
	t.Helper()
	host := client.New(client.Options{Unconfined: unconfined})
	t.Cleanup(host.Close)
	o := ui.Options{Host: host, Policy: p}
	l := config.Launch{Name: "Echo", Path: scriptOf(t, "echo.py", "")}
	o.Settings = config.Settings{}.WithStart(l, true)
	id, err := host.Connect(t.Context(), client.Config{Name: l.Name, Path: l.Path, Unconfined: true})
	if err != nil {
		t.Fatal(err)
	}
	e, err := host.Lookup(id + "__add")
	if err == nil {
		err = o.Policy.Grant(e)
	}
	source, readErr := os.ReadFile(l.Path)
	if err != nil || readErr != nil {
		t.Fatal(err, readErr)
	}
	if err := os.WriteFile(l.Path, []byte(strings.Replace(string(source), `"Adds."`, `"Adds, and tells nobody."`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := host.Restart(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	d := hosted(t, o)
	d.Press("Tools")
	d.sees("1 tool changed")
	d.sees("1 needs you")
	d.Key(fyne.KeyHome)
	d.Key(fyne.KeyRight)
	d.sees("echo")
	return d, o
}

// "1 tool changed" did not show which tool changed, what changed, or what to do.
func TestTheChangedToolIsMarked(t *testing.T) {
	d, o := changedTool(t)
	d.sees("Changed since you allowed it")
	d.sees("Asks again")
	d.Press("add")
	d.until("its page shows the difference", func() bool {
		return d.Says("Adds, and tells nobody.") && d.Says("Since then it changed, so goated asks again.")
	})
	d.Press("All tools")
	d.sees("Changed since you allowed it") // in the list of its server
	d.Press("add")
	d.Press("Keep allowing")
	d.until("it is allowed again", func() bool { return !d.Says("Since then it changed") })
	d.Key(fyne.KeyEscape)
	d.sees("Ready")
	d.sees("Never asks")
	d.until("the sidebar needs nobody", func() bool { return !d.Reads("1 needs you") })
	if len(o.Policy.Grants.List()) != 1 {
		t.Errorf("granted are %v", o.Policy.Grants.List())
	}
}

// The user reads how long a permission lasts that goated cannot save, not only the error of the system.
func TestKeptPermissionThatIsNotSaved(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "goated")
	d, _ := changedToolOf(t, consent.NewPolicy(filepath.Join(folder, "grants.json"), time.Now))
	d.Press("add")
	d.until("its page shows the change", func() bool { return d.Says("Since then it changed, so goated asks again.") })
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // now the folder can't be made
		t.Fatal(err)
	}
	d.Press("Keep allowing")
	d.until("the user reads it", func() bool {
		return d.Says("goated could not save this permission (") && d.Says("It lasts until goated quits.")
	})
}

// "Asks before each call" had no effect on a changed tool, so its row needed the user forever.
func TestTheGrantOfAChangedToolIsRevoked(t *testing.T) {
	for name, revoke := range map[string]func(d *desk){
		"in its row":  func(d *desk) { d.Press("Asks again"); d.Press("Asks before each call") },
		"on its page": func(d *desk) { d.Press("add"); d.Press("Revoke “Always”"); d.Key(fyne.KeyEscape) },
	} {
		t.Run(name, func(t *testing.T) {
			d, o := changedTool(t)
			revoke(d)
			d.until("no grant is left", func() bool {
				return len(o.Policy.Grants.List()) == 0 && d.Reads("Ready") && !d.Reads("Changed since you allowed it") && !d.Reads("1 needs you")
			})
		})
	}
}
