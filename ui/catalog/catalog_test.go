package catalog_test

import (
	"archive/zip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/internal/install"
	"goated/ui/catalog"
	"goated/ui/internal/pagetest"
	"goated/ui/kit"
	"goated/ui/shell"
)

// bundle is a bundle without inputs.
func bundle(w http.ResponseWriter, _ *http.Request) {
	z := zip.NewWriter(w)
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version":"0.3","name":"notes","display_name":"Notes","version":"1.0.0","description":"Keeps notes","author":{"name":"Ada"},
			"server":{"type":"node","entry_point":"index.js","mcp_config":{"command":"node","args":["${__dirname}/index.js"]}}}`,
		"index.js": "",
	} {
		if out, err := z.Create(name); err == nil {
			_, _ = out.Write([]byte(text))
		}
	}
	_ = z.Close()
}

// shown returns a window, and the sheets that install servers in it.
func shown(t *testing.T, registry string) (*pagetest.Desk, *catalog.Pages) {
	t.Helper()
	d := pagetest.New(t, false, fyne.NewSize(900, 700))
	d.Show(&shell.Page{Title: "Tools", Body: kit.NewLabel("", 13, kit.ColorText)})
	d.Shell.Settings = new(config.Settings)
	return d, &catalog.Pages{Shell: d.Shell, Installer: install.New(t.TempDir(), registry, "linux"), Promise: func() string { return "" }}
}

// Each choice opened its own form, and a form opened over whatever the user did in the meantime.
// Now only the latest choice opens a form, and only if nothing else has opened. The downloads of
// the others are removed.
func TestOnlyTheLatestChoiceOpensAForm(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(bundle))
	t.Cleanup(web.Close)
	downloads := t.TempDir()
	t.Setenv("TMPDIR", downloads)
	t.Setenv("TMP", downloads) // used on Windows
	for name, c := range map[string]struct {
		then  func(d *pagetest.Desk, p *catalog.Pages, choose func()) // after the first choice
		forms int
		told  []string
	}{
		"once":        {func(*pagetest.Desk, *catalog.Pages, func()) {}, 1, []string{"<nil>"}},
		"twice":       {func(_ *pagetest.Desk, _ *catalog.Pages, choose func()) { choose() }, 1, []string{"<nil>", "context canceled"}},
		"stopped":     {func(_ *pagetest.Desk, p *catalog.Pages, _ func()) { p.Stop() }, 0, []string{"context canceled"}},
		"another way": {func(_ *pagetest.Desk, p *catalog.Pages, _ func()) { p.Search("") }, 1, []string{"context canceled"}},
		"covered": {func(d *pagetest.Desk, _ *catalog.Pages, _ func()) {
			d.Shell.Sheets.Open(kit.NewSheet(300, "A question", kit.NewLabel("", 13, kit.ColorText), nil))
		}, 1, []string{"something else opened while goated read what the server needs: try again"}},
	} {
		t.Run(name, func(t *testing.T) {
			d, pages := shown(t, web.URL)
			var told []string
			choose := func() { pages.Named(web.URL+"/notes.mcpb", func(err error) { told = append(told, fmt.Sprint(err)) }) }
			run := d.Shell.Go
			var held []func()
			d.Shell.Go = func(f func()) { held = append(held, f) }
			choose()
			c.then(d, pages, choose)
			for _, f := range held {
				run(f)
			}
			d.Until("each choice has its result", func() bool { return len(told) == len(c.told) })
			slices.Sort(told) // two choices end in any order
			if !slices.Equal(told, c.told) {
				t.Errorf("the choices end with %q", told)
			}
			if n := d.Layers(); n != c.forms {
				t.Errorf("%d sheets are open: %q", n, d.Texts())
			}
			for d.Reads("Install Notes") {
				d.Press("Cancel")
			}
			if left, err := filepath.Glob(filepath.Join(downloads, "goated-*")); err != nil || len(left) > 0 {
				t.Errorf("left are %q, %v", left, err)
			}
		})
	}
}

// A cancelled installation released its choice twice. The second time, it removed a file that it
// no longer owned.
func TestACancelledInstallationFreesItsChoiceOnce(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(bundle))
	t.Cleanup(web.Close)
	downloads := t.TempDir()
	t.Setenv("TMPDIR", downloads)
	t.Setenv("TMP", downloads) // used on Windows
	d, pages := shown(t, web.URL)
	pages.Named(web.URL+"/notes.mcpb", func(error) {})
	d.Until("the form opens", func() bool { return d.Reads("Install Notes") })
	all, err := filepath.Glob(filepath.Join(downloads, "*"))
	if err != nil || len(all) != 1 {
		t.Fatalf("downloaded are %q, %v", all, err)
	}
	var installs func()
	d.Shell.Go = func(f func()) { installs = f }
	d.Press("Install and start")
	d.Press("Cancel")
	installs()
	if err := os.WriteFile(all[0], nil, 0o600); err != nil { // the file of another installation
		t.Fatal(err)
	}
	shown := false
	d.Shell.Post(func() { shown = true })
	d.Until("the outcome is shown", func() bool { return shown })
	if _, err := os.Stat(all[0]); err != nil {
		t.Errorf("the file of another installation is gone: %v", err)
	}
}
