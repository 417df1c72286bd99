package ui_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/sandbox"
	"goated/internal/state"
	"goated/registry"
	"goated/ui"
	"goated/ui/internal/samplechat"
	"goated/ui/settings"
)

// configured returns the options of a window whose settings have something on each page.
func configured(t *testing.T, tools ...string) ui.Options {
	t.Helper()
	o := ui.Options{
		Policy: grantedOn(t, time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC), tools...),
		Bundled: []config.Bundled{
			{Name: "ghost", Default: true, Summary: "Notes on the desktop, sounds, a look into the project, and a memory."},
			{Name: "llmem", Summary: "A map of the code in the working directory: outlines, exact places of definitions, and summaries in its folder .artifacts."},
		},
		Settings: config.Settings{}.WithStart(config.Launch{Path: "/home/ada/tools/filesystem.js", Args: []string{"/home/ada/My files"}}, true).
			WithStart(config.Launch{Path: "/opt/mcp/metrics.py"}, true).WithStart(config.Launch{Path: "/opt/mcp/metrics.py"}, false),
	}
	o.DataDir, o.LogFile = "/home/ada/.local/share/goated", "/home/ada/.local/share/goated/logs/goated.log"
	o.Agent.Keys = &settings.Keys{From: "keyring", Models: func(context.Context) ([]string, error) {
		return []string{"gemini-2.5-flash", "gemini-2.5-pro", "gemini-flash-latest", "gemini-flash-lite-latest", "gemini-pro-latest"}, nil
	}}
	return o
}

// grantedOn returns a policy with tools that the user always allowed on a given day.
func grantedOn(t *testing.T, day time.Time, tools ...string) *consent.Policy {
	t.Helper()
	path := filepath.Join(t.TempDir(), "grants.json")
	list := make([]consent.Grant, len(tools))
	for i, name := range tools {
		list[i] = consent.Grant{Server: "files", Start: "/home/ada/files.py", Tool: registry.Definition{Name: name}, At: day}
	}
	if err := (state.File{Path: path}).Save(struct {
		Grants []consent.Grant `json:"grants"`
	}{list}); err != nil {
		t.Fatal(err)
	}
	return consent.NewPolicy(path, time.Now)
}

// openSettings opens a page of the settings with the keyboard.
func (d *desk) openSettings(page int) {
	d.T.Helper()
	d.Ctrl(fyne.KeyComma)
	for range page {
		d.Key(fyne.KeyDown)
	}
	d.Key(fyne.KeyReturn)
}

func TestPictureSettings(t *testing.T) {
	for page, name := range []string{"model", "limits", "look", "approvals", "servers", "data"} {
		dark := page == settings.Look
		d := pictured(t, dark, configured(t, "read_text_file", "query_range"))
		d.openSettings(page)
		if page == settings.Model {
			d.until("the models are read", func() bool { return d.Pressable("Test") })
			d.Press("Test")
			d.sees("The key works. You can choose from 5 models.")
		}
		d.looksLike("settings_"+name, dark)
	}
}

// The settings list the permissions that the user gave to servers.
func TestPictureGrants(t *testing.T) {
	d := pictured(t, false, ui.Options{Settings: config.Settings{Launch: []config.Launch{
		{Path: "/home/ada/tools/notes.js", NoSandbox: true, Allowed: sandbox.Permissions{{Kind: sandbox.ToWrite, Path: "/home/ada/Notes", At: deskTime.AddDate(0, 0, -9)}}},
		{Path: "/home/ada/tools/weather.py", Allowed: sandbox.Permissions{{Kind: sandbox.ToNetwork, At: deskTime}}},
	}}})
	d.run("Granted approvals")
	d.looksLike("settings_grants", false)
}

func TestPictureWelcome(t *testing.T) {
	d := pictured(t, false, ui.Options{})
	d.run("Show the welcome page")
	d.looksLike("welcome", false)
}

func TestPictureHelp(t *testing.T) {
	d := pictured(t, false, ui.Options{})
	d.Key(fyne.KeyF1)
	d.looksLike("help", false)
}

// deskTime is the time of a new window under test.
var deskTime = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// permitted returns a window with the page of a server that has its own permissions.
func permitted(t *testing.T, dark bool, change func(*config.Launch), needs ...sandbox.Permission) *desk {
	t.Helper()
	s := samplechat.Servers().Servers[0]
	s.Args, s.Needs = nil, needs
	l := config.Launch{Path: s.Path}
	known := config.Settings{}.ChangeServer(l, change)
	c := client.Config{Path: s.Path, Grant: known.Saved(l).Allowed.Grant()}
	s.Policy = s.Policy.With(c.Grant)
	d := pictured(t, dark, ui.Options{Settings: known})
	d.window.ShowServers(client.Snapshot{Servers: []client.Server{s}})
	d.run(s.Name)
	d.window.ShowPermissions(l, c)
	return d
}

// The page of a server shows what the server can do.
func TestPicturePermissions(t *testing.T) {
	given := deskTime.AddDate(0, 0, -3)
	for _, dark := range []bool{false, true} {
		d := permitted(t, dark, func(l *config.Launch) {
			l.Allowed = sandbox.Permissions{{Kind: sandbox.ToHost, Host: "api.example.org", At: deskTime}}
			l.Refused = sandbox.Permissions{{Kind: sandbox.ToHost, Host: "localhost:5432", At: deskTime}}
		}, sandbox.Permission{Kind: sandbox.ToHost, Host: "*.cdn.example.org:8443"})
		d.Enter("A host, such as api.example.org", "https://example.org/path")
		d.Key(fyne.KeyReturn)
		d.beats(10)
		d.ScrollAt(chatMiddle, map[bool]float32{false: 1e6, true: -1e6}[dark])
		d.looksLike("permissions_host", dark)
		d = permitted(t, dark, func(l *config.Launch) {
			l.Allowed = sandbox.Permissions{{Kind: sandbox.ToNetwork, At: given}, {Kind: sandbox.ToWrite, Path: "/home/ada/My files", At: deskTime}}
			l.Refused = sandbox.Permissions{{Kind: sandbox.ToDesktop, At: given}}
		})
		if dark {
			d.ScrollAt(chatMiddle, -1e6)
		}
		d.looksLike("permissions", dark)
	}
}
