package catalog_test

import (
	"archive/zip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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

// A cancelled installation released its choice twice. The second time, it removed a file that it
// no longer owned.
func TestACancelledInstallationFreesItsChoiceOnce(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(bundle))
	t.Cleanup(web.Close)
	downloads := t.TempDir()
	t.Setenv("TMPDIR", downloads)
	t.Setenv("TMP", downloads) // used on Windows
	d := pagetest.New(t, false, fyne.NewSize(900, 700))
	d.Show(&shell.Page{Title: "Tools", Body: kit.NewLabel("", 13, kit.ColorText)})
	d.Shell.Settings = new(config.Settings)
	pages := &catalog.Pages{Shell: d.Shell, Installer: install.New(t.TempDir(), web.URL, "linux"), Promise: func() string { return "" }}
	pages.Named(web.URL + "/notes.mcpb")
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
