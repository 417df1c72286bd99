package ui_test

import (
	"archive/zip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/install"
	"goated/internal/sandbox"
	"goated/internal/waittest"
	"goated/ui"
)

// standInRegistry serves a registry with one server. The server has an npm package whose inputs
// are a secret and a folder.
func standInRegistry(t *testing.T) string {
	t.Helper()
	return registryOf(t, func(*http.Request) {})
}

// registryOf is like standInRegistry. It calls before at the start of each request.
func registryOf(t *testing.T, before func(*http.Request)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before(r)
		w.Header().Set("Content-Type", "application/json")
		const weather = `{"server":{"name":"io.github.ada/weather","title":"Weather","description":"Forecasts of rain and sun","version":"1.2.3","packages":[
			{"registryType":"npm","identifier":"@ada/weather","version":"1.2.3","transport":{"type":"stdio"},
			 "packageArguments":[{"type":"positional","valueHint":"folder","description":"Where forecasts are kept","format":"filepath","isRequired":true}],
			 "environmentVariables":[{"name":"WEATHER_API_KEY","description":"Key of the service","isRequired":true,"isSecret":true}]}]},
			"_meta":{"io.modelcontextprotocol.registry/official":{"status":"active","isLatest":true}}}`
		servers := ""
		switch {
		case strings.HasSuffix(r.URL.Path, "/versions/latest"):
			fmt.Fprint(w, weather)
			return
		case strings.Contains("io.github.ada/weather", r.URL.Query().Get("search")):
			servers = weather
		}
		fmt.Fprintf(w, `{"servers":[%s],"metadata":{"nextCursor":"","count":1}}`, servers)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// installing returns a window that installs servers from the stand-in registry.
func installing(t *testing.T) (d *desk, data string) {
	t.Helper()
	return installingFrom(t, standInRegistry(t))
}

// installingFrom returns a window that installs servers from a registry.
func installingFrom(t *testing.T, registry string) (d *desk, data string) {
	t.Helper()
	data = t.TempDir()
	in := install.New(data, registry, "linux")
	return shown(t, ui.Options{Files: ui.Files{DataDir: data, Installer: &in}}), data
}

// While the registry answered, the sheet looked idle. Each further Enter asked it again and opened
// a further form. After Esc, the form opened later and took the focus from the composer.
func TestASlowRegistryIsAskedOnceAndUntilEscape(t *testing.T) {
	var asked atomic.Int32
	answer, ended := make(chan struct{}), make(chan error, 10)
	d, _ := installingFrom(t, registryOf(t, func(r *http.Request) {
		asked.Add(1)
		select {
		case <-answer:
		case <-r.Context().Done():
		}
		ended <- r.Context().Err()
	}))
	d.openConnect()
	d.Enter(scriptField, "io.github.ada/weather")
	d.Key(fyne.KeyReturn)
	d.until("the registry is asked", func() bool { return asked.Load() > 0 })
	if !d.Reads("Reading what it needs…") {
		t.Errorf("the sheet says %q", d.Texts())
	}
	d.Key(fyne.KeyReturn)
	d.Key(fyne.KeyEscape)
	if err := waittest.Receive(t, "the end of the request", ended); err == nil || d.Layers() > 0 {
		t.Errorf("after Esc: %v, %q", err, d.Texts())
	}
	d.openConnect()
	d.Enter(scriptField, "io.github.ada/weather")
	d.Key(fyne.KeyReturn)
	d.Key(fyne.KeyReturn)
	close(answer)
	d.sees("Install Weather")
	if n := asked.Load(); n != 2 || d.Layers() != 2 {
		t.Errorf("the registry was asked %d times, and %d sheets are open", n, d.Layers())
	}
	d.Key(fyne.KeyEscape)
	if !d.FieldFocused(scriptField) || d.Reads("Reading what it needs…") {
		t.Errorf("after the form, the focus is on %q, and the sheet says %q", d.Focus(), d.Texts())
	}
}

// Words in the server field search the registry. A found server is installed at its pinned
// version after the user enters the values that it needs.
func TestInstallsFromTheRegistry(t *testing.T) {
	d, data := installing(t)
	d.openConnect()
	d.Enter(scriptField, "weather forecasts")
	d.sees("Search the MCP registry for “weather forecasts”")
	d.Key(fyne.KeyReturn)
	d.sees("Find a server")
	d.sees("io.github.ada/weather")
	d.sees("npm package @ada/weather 1.2.3")
	d.Press("Install…")
	d.sees("Install Weather")
	d.Press("Install and start")
	if !d.Reads("This is required. Press the button again to send it empty.") {
		t.Errorf("a form without values says %q", d.Texts())
	}
	d.Type(data)
	d.Key(fyne.KeyTab)
	d.Type("k-123456")
	if d.Says("k-123456") {
		t.Error("the key is on the screen")
	}
	d.Press("Install and start")
	d.until("the server is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	l := d.saved.get().Launch[0]
	if l.Name != "Weather" || l.Command != "npx" || !slices.Contains(l.Args, "@ada/weather@1.2.3") || !slices.Contains(l.Args, data) {
		t.Errorf("saved is %+v", l)
	}
	if len(l.Env) != 1 || l.Env[0].Name != "WEATHER_API_KEY" || l.Env[0].Value != "" || l.Env[0].Ref == "" {
		t.Errorf("the key is saved as %+v", l.Env)
	}
	if d.Reads("Install Weather") || d.Reads("Find a server") || d.connecting() {
		t.Errorf("the sheets stay open: %q", d.Texts())
	}
}

// A server of the registry that the user installed again was silently saved twice, as "Weather
// 2". The form now reports that it is saved already, and adds a copy only after another click.
// A different version updates the saved server.
func TestAServerOfTheRegistryIsAddedOnce(t *testing.T) {
	d, data := installing(t)
	put := func(version string) {
		d.openConnect()
		d.Enter(scriptField, `{"name":"io.github.ada/weather","title":"Weather","version":"`+version+`","packages":[{"registryType":"npm","identifier":"@ada/weather","version":"`+version+`","transport":{"type":"stdio"},
			"packageArguments":[{"type":"positional","valueHint":"folder","format":"filepath","isRequired":true}]}]}`)
		d.Press("Add and start")
		d.sees("Install Weather")
		d.Type(data)
		d.Press("Install and start")
	}
	put("1.2.3")
	d.until("the server is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	put("1.2.4")
	d.sees("Weather is updated and starts now")
	d.until("the update is saved", func() bool {
		all := d.saved.get().Launch
		return len(all) == 1 && slices.Contains(all[0].Args, "@ada/weather@1.2.4")
	})
	put("1.2.4")
	d.sees("It is already saved as Weather. Press the button again to add a copy of it, such as one for another account.")
	if all := d.saved.get().Launch; len(all) != 1 {
		t.Fatalf("saved are %+v", all)
	}
	d.Press("Add a copy and start")
	d.until("the copy is saved", func() bool { return len(d.saved.get().Launch) == 2 })
}

// A pasted server.json and a link by name both open the form of the registry.
func TestEntriesOfTheRegistryAreInstalled(t *testing.T) {
	d, _ := installing(t)
	d.openConnect()
	d.Enter(scriptField, `{"name":"io.github.ada/weather","title":"Weather","version":"1.2.3","packages":[{"registryType":"npm","identifier":"@ada/weather","version":"1.2.3","transport":{"type":"stdio"}}]}`)
	d.sees("Weather is described by this server.json")
	d.Enter(scriptField, "https://github.com/acme/shop/releases/download/v1/shop.mcpb")
	d.sees("shop.mcpb is a bundle to download")
	d.Enter(scriptField, "vscode:mcp/by-name/io.github.ada/weather")
	d.sees("io.github.ada/weather is a server of the MCP registry")
	d.Enter(scriptField, `{"name":"io.github.ada/weather","title":"Weather","version":"1.2.3","packages":[{"registryType":"npm","identifier":"@ada/weather","version":"1.2.3","transport":{"type":"stdio"}}]}`)
	d.Press("Add and start")
	d.sees("Install Weather")
}

// A search without results suggests what else the user can do.
func TestSearchWithoutResults(t *testing.T) {
	d, _ := installing(t)
	d.openConnect()
	d.Press("Search the MCP registry")
	d.sees("Enter what the server should do, such as “github” or “read pdf”.")
	d.Type("unknown")
	d.sees("The registry has no server that matches. Use fewer or other words, or paste what the server's README says.")
	d.Key(fyne.KeyEscape)
	if d.Reads("Find a server") || !d.connecting() {
		t.Errorf("Escape leaves %q", d.Texts())
	}
}

// The path of a bundle opens the form for its user settings.
func TestInstallsABundle(t *testing.T) {
	d, data := installing(t)
	path := notesBundle(t, "2.0.0")
	d.openConnect()
	d.Enter(scriptField, path)
	d.Key(fyne.KeyReturn)
	d.sees("Install Notes")
	d.sees("Folder of notes")
	d.Type(data)
	d.Press("Install and start")
	d.until("the server is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	l := d.saved.get().Launch[0]
	if l.Name != "Notes" || l.Command != "node" || len(l.Args) != 2 || l.Args[1] != data || !strings.HasPrefix(l.Args[0], filepath.Join(data, "bundles")) {
		t.Errorf("saved is %+v", l)
	}
	if _, err := os.Stat(l.Args[0]); err != nil {
		t.Errorf("the bundle is not unpacked: %v", err)
	}
}

// An update of a bundle changes the saved server, which keeps its name and the user's
// decisions. It used to add a second server, "Notes 2", and left the first with files that were
// replaced.
func TestAnUpdateOfABundleChangesTheSavedServer(t *testing.T) {
	d, data := installing(t)
	put := func(version, folder string) {
		d.openConnect()
		d.Enter(scriptField, notesBundle(t, version))
		d.Key(fyne.KeyReturn)
		d.sees("Install Notes")
		d.sees("Folder of notes")
		d.Type(folder)
		d.Press("Install and start")
		d.until("the server is saved", func() bool {
			l := d.saved.get().Launch
			return len(l) > 1 || len(l) == 1 && l[0].Args[1] == folder
		})
	}
	put("2.0.0", data)
	before := d.saved.get().Launch[0]
	second := t.TempDir()
	put("2.1.0", second)
	all := d.saved.get().Launch
	if len(all) != 1 || all[0].Name != "Notes" || all[0].Args[0] != before.Args[0] || all[0].Off {
		t.Fatalf("saved are %+v", all)
	}
	for _, path := range []string{data, second} {
		if !all[0].Allowed.Has(sandbox.Permission{Kind: sandbox.ToWrite, Path: path}) {
			t.Errorf("it may not change %s: %v", path, all[0].Allowed)
		}
	}
	if !d.Reads("Notes is updated and starts now") {
		t.Errorf("the window does not say so: %q", d.Texts())
	}
}

// notesBundle writes a bundle with one user setting to a file, and returns the file's path.
func notesBundle(t *testing.T, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notes.mcpb")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version":"0.3","name":"notes","display_name":"Notes","version":"` + version + `","description":"Keeps notes","author":{"name":"Ada"},
			"server":{"type":"node","entry_point":"index.js","mcp_config":{"command":"node","args":["${__dirname}/index.js","${user_config.folder}"]}},
			"user_config":{"folder":{"type":"directory","title":"Folder of notes","description":"It reads and changes them","required":true}}}`,
		"index.js": "",
	} {
		out, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = out.Write([]byte(text))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	return path
}

// Esc returns from the search results to the field, which has the focus again and keeps its
// words.
func TestTheFieldHasTheFocusAfterASearch(t *testing.T) {
	d, _ := installing(t)
	d.openConnect()
	d.Enter(scriptField, "weather")
	d.Key(fyne.KeyReturn)
	d.sees("Find a server")
	d.Key(fyne.KeyEscape)
	if !d.FieldFocused(scriptField) {
		t.Fatalf("the focus is on %q", d.Focus())
	}
	d.Type("s")
	if got := d.Field(scriptField); got != "weathers" {
		t.Errorf("the field holds %q", got)
	}
}
