package ui_test

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/servertest"
	"goated/servers/llmem"
	"goated/servers/llmem/browse"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// A priced is a model with a known price.
type priced struct{ samplechat.Model }

func (priced) Name() string { return "gemini-3.5-flash" }

// The button that writes a summary shows the cost with the model of new conversations. The name
// in the header is a display name, and may belong to another model.
func TestASummarySaysItsCostBefore(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "trip.go"), []byte("package trip\n\nfunc Plan() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := servertest.LLMemData(t)
	open := func(folder string) (browse.Workspace, error) {
		return llmem.Browse(llmem.Options{Root: folder, Data: data})
	}
	d := shown(t, ui.Options{
		Agent: ui.AgentOptions{NewSession: samplechat.Sessions(priced{samplechat.Echo}), Model: "Gemini 3.5 Flash"},
		Pages: ui.PageOptions{Browse: open, Folder: dir},
	})
	d.Shortcut(fyne.KeyA, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
	d.sees("trip.go")
	if !d.Says("1 file ·") || !d.Says("under $0.01") {
		t.Errorf("the page reads %q", d.Texts())
	}
	d.Press("trip.go")
	d.until("the file is shown", func() bool { return d.Says("the outline is up to date") })
	if !d.Reads("1 symbol") || !d.Says("tokens, under $0.01") {
		t.Errorf("the page reads %q", d.Texts())
	}
}
