package ui

import (
	"cmp"
	"image"
	"image/color"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/sandbox"
	"goated/internal/state"
	"goated/registry"
	"goated/ui/chats"
	"goated/ui/internal/samples"
	"goated/ui/kit"
	"goated/ui/servers"
	"goated/ui/settings"
	"goated/ui/view"
)

func TestPicturePalette(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "palette", dark, func(d *desk) {
			d.chats.Chats[0].Chat = samples.Chat()
			d.chats.Chats = append(d.chats.Chats, &chats.Conversation{Chat: view.Chat{}.Say("Rename the invoice folder by month and year")})
			d.chats.Refresh()
			d.see(toolServers())
			d.commands.openPalette()
			p := d.top()
			p.First.(*kit.Input).Put("con")
		})
	}
}

func TestPictureHelp(t *testing.T) {
	matchGolden(t, "help", false, func(d *desk) { d.commands.openHelp() })
}

func TestPictureSettings(t *testing.T) {
	for page, name := range []string{"model", "limits", "look", "approvals", "servers", "data"} {
		matchGolden(t, "settings_"+name, page == settings.Look, func(d *desk) {
			d.settingsPages.Keys = &settings.Keys{From: "keyring"}
			d.settingsPages.Policy = grantedPolicy(t, "read_text_file", "query_range")
			d.settingsPages.Bundled = []config.Bundled{
				{Name: "ghost", Default: true, Summary: "Notes on the desktop, sounds, a look into the project, and a memory."},
				{Name: "llmem", Summary: "A map of the code in the working directory: outlines, exact places of definitions, and summaries in its folder .artifacts."},
			}
			d.settingsPages.DataDir, d.settingsPages.LogFile = "/home/ada/.local/share/goated", "/home/ada/.local/share/goated/logs/goated.log"
			d.prefs.current = d.prefs.current.Start(config.Launch{Path: "/home/ada/tools/filesystem.js", Args: []string{"/home/ada/My files"}}, true).
				Start(config.Launch{Path: "/opt/mcp/metrics.py"}, true).Start(config.Launch{Path: "/opt/mcp/metrics.py"}, false)
			d.settingsPages.Open(page)
			d.settingsPages.Shown.Models = []string{"gemini-2.5-flash", "gemini-2.5-pro", "gemini-flash-latest", "gemini-flash-lite-latest", "gemini-pro-latest"}
			d.settingsPages.Shown.Tested = "The key works. You can choose from 5 models."
			d.settingsPages.Shown.Redo()
		})
	}
}

func TestPictureServer(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "server", dark, func(d *desk) {
			d.see(toolServers())
			d.servers.OpenServer("filesystem", "")
		})
	}
	matchGolden(t, "server_try", false, func(d *desk) {
		d.see(toolServers())
		d.servers.OpenServer("filesystem", "move_file")
	})
}

func TestPictureWelcome(t *testing.T) {
	matchGolden(t, "welcome", false, func(d *desk) { d.openWelcome() })
}

func TestPictureAttachments(t *testing.T) {
	matchGolden(t, "attachments", false, func(d *desk) {
		someFiles(d)
		d.chats.Chats[0].Chat = view.Chat{}.Say("What is on this picture, and does the table agree with it?", d.chats.Chats[0].Files[0].Attachment, d.chats.Chats[0].Files[1].Attachment)
		d.chats.Composer.Input.Put("And this one?")
		d.chats.Refresh()
	})
}

func TestPictureRecent(t *testing.T) {
	matchGolden(t, "recent", false, func(d *desk) {
		d.prefs.current = d.prefs.current.Used(config.Launch{Path: "/home/ada/tools/weather.py", Args: []string{"--city", "Lisbon"}}).Used(config.Launch{Path: "/home/ada/tools/notes.js"})
		d.see(client.Snapshot{Servers: samples.Servers().Servers[:1]})
		d.servers.Connect()
	})
}

// top is the sheet that lies on top.
func (d *desk) top() *kit.Sheet { return d.shell.Sheets.All[len(d.shell.Sheets.All)-1] }

func someFiles(d *desk) {
	img := image.NewNRGBA(image.Rect(0, 0, 160, 160))
	for y := range 160 {
		for x := range 160 {
			img.Set(x, y, color.NRGBA{uint8(90 + x/2), uint8(140 + y/3), 120, 255})
		}
	}
	d.chats.Chats[0].Files = []chats.Attached{
		{Attachment: view.Attachment{Name: "harbour at dusk.png", Type: "image/png", Size: 1_240_000, Preview: img}},
		{Attachment: view.Attachment{Name: "tides.csv", Type: "text/plain", Size: 18_400}},
		{Attachment: view.Attachment{Name: "Pasted text.txt", Type: "text/plain", Size: 31_000}},
	}
	d.chats.Files.ShowFiles()
}

func toolServers() client.Snapshot {
	s := samples.Servers()
	var tools []registry.Entry
	for i, x := range [][2]string{
		{"create_directory", "Makes a folder, and those above it where they are missing."},
		{"directory_tree", "Lists a folder with all that is in it, as JSON."},
		{"edit_file", "Changes lines of a text file and shows what has changed."},
		{"list_directory", "Lists the files and folders in a folder."},
		{"move_file", "Moves or renames a file or a folder. It fails if the destination is there already."},
		{"read_media_file", "Reads an image or a sound."},
		{"read_text_file", "Reads a text file, whole or only its beginning or end."},
		{"search_files", "Finds files whose names match a pattern."},
		{"write_file", "Writes a file, in place of what was there before."},
	} {
		tools = append(tools, registry.Entry{Name: "filesystem__" + x[0], Server: "filesystem", Tool: &mcp.Tool{Name: x[0], Description: x[1],
			InputSchema: map[string]any{"type": "object", "required": []any{"source", "destination"}, "properties": map[string]any{
				"source":      map[string]any{"type": "string", "description": "The file that is there, " + strconv.Itoa(i) + " levels deep at most."},
				"destination": map[string]any{"type": "string"},
				"overwrite":   map[string]any{"type": "boolean", "title": "Overwrite what is there"},
			}}}})
	}
	s.Servers[0].Tools = tools
	return s
}

func TestPictureEnvironment(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "environment", dark, func(d *desk) {
			d.servers.Connect()
			d.servers.Connector.Fill(config.Launch{
				Path: "/home/ada/tools/weather.py", Args: []string{"--city", "New York"}, Dir: "/home/ada/data",
				Env: []config.Variable{{Name: "WEATHER_API_KEY", Value: "4b8f20c1"}, {Name: "UNITS", Value: "metric"}},
			})
		})
	}
}

// What a server may do, and the question whether it may do more.
func TestPicturePermissions(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "permit", dark, func(d *desk) {
			d.see(client.Snapshot{Servers: samples.Servers().Servers[:1]})
			d.shell.Sheets.Open(servers.NewPermissionPrompt(servers.PermissionRequest{Name: "weather", Command: "weather.py", What: sandbox.Permission{Kind: sandbox.ToNetwork}}, d.servers.Warning(sandbox.Permission{Kind: sandbox.ToNetwork}), 1, func(any) {}))
		})
		matchGolden(t, "permit_host", dark, func(d *desk) {
			d.see(client.Snapshot{Servers: samples.Servers().Servers[:1]})
			d.shell.Sheets.Open(servers.NewPermissionPrompt(servers.PermissionRequest{Name: "weather", Command: "weather.py", What: sandbox.Permission{Kind: sandbox.ToHost, Host: "api.example.org"}}, d.servers.Warning(sandbox.Permission{Kind: sandbox.ToHost, Host: "api.example.org"}), 0, func(any) {}))
		})
		matchGolden(t, "permissions_host", dark, func(d *desk) {
			s := samples.Servers().Servers[0]
			s.Args = nil
			l := config.Launch{Path: s.Path}
			d.prefs.current = d.prefs.current.Decide(l, func(l *config.Launch) {
				l.Allowed = sandbox.Permissions{{Kind: sandbox.ToHost, Host: "api.example.org", At: d.clock}}
				l.Refused = sandbox.Permissions{{Kind: sandbox.ToHost, Host: "localhost:5432", At: d.clock}}
			})
			c := client.Config{Path: s.Path, Grant: d.prefs.current.Known(l).Allowed.Grant()}
			s.Policy = s.Policy.With(c.Grant)
			s.Needs = []sandbox.Permission{{Kind: sandbox.ToHost, Host: "*.cdn.example.org:8443"}}
			d.see(client.Snapshot{Servers: []client.Server{s}})
			d.servers.OpenServer(s.ID, "")
			d.servers.Page.Select(servers.ServerPermissions)
			d.servers.Page.Show(d.servers.Page.Permissions.Draw(l, c))
			if in, ok := find(d, func(in *kit.Input) bool { return in.Hint() == "A host, such as api.example.org" }); ok {
				in.Put("https://example.org/path")
				in.OnSubmit()
			}
			d.beats(10)
			d.servers.Page.Body.Scroll.ScrollToTop()
			if dark {
				d.servers.Page.Body.Scroll.ScrollToBottom()
			}
		})
		matchGolden(t, "permissions", dark, func(d *desk) {
			s := samples.Servers().Servers[0]
			s.Args = nil
			l := config.Launch{Path: s.Path}
			given := d.clock.AddDate(0, 0, -3)
			d.prefs.current = d.prefs.current.Decide(l, func(l *config.Launch) {
				l.Allowed = sandbox.Permissions{{Kind: sandbox.ToNetwork, At: given}, {Kind: sandbox.ToWrite, Path: "/home/ada/My files", At: d.clock}}
				l.Refused = sandbox.Permissions{{Kind: sandbox.ToDesktop, At: given}}
			})
			c := client.Config{Path: s.Path, Grant: d.prefs.current.Known(l).Allowed.Grant()}
			s.Policy = s.Policy.With(c.Grant)
			d.see(client.Snapshot{Servers: []client.Server{s}})
			d.servers.OpenServer(s.ID, "")
			d.servers.Page.Select(servers.ServerPermissions)
			d.servers.Page.Show(d.servers.Page.Permissions.Draw(l, c))
			if dark {
				d.servers.Page.Body.Scroll.ScrollToBottom()
			}
		})
	}
	matchGolden(t, "settings_grants", false, func(d *desk) {
		for path, p := range map[string]sandbox.Permissions{
			"/home/ada/tools/weather.py": {{Kind: sandbox.ToNetwork, At: d.clock}},
			"/home/ada/tools/notes.js":   {{Kind: sandbox.ToWrite, Path: "/home/ada/Notes", At: d.clock.AddDate(0, 0, -9)}},
		} {
			d.prefs.current.Launch = append(d.prefs.current.Launch, config.Launch{Path: path, Allowed: p, NoSandbox: path == "/home/ada/tools/notes.js"})
		}
		slices.SortFunc(d.prefs.current.Launch, func(a, b config.Launch) int { return cmp.Compare(a.Path, b.Path) })
		d.settingsPages.Open(settings.Approvals)
	})
}

// grantedPolicy is a policy with tools that the user always allowed.
func grantedPolicy(t *testing.T, tools ...string) *consent.Policy {
	path := filepath.Join(t.TempDir(), "grants.json")
	list := make([]consent.Grant, len(tools))
	for i, name := range tools {
		list[i] = consent.Grant{Server: "files", Start: "/home/ada/files.py", Tool: registry.Definition{Name: name}, At: time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC)}
	}
	if err := (state.File{Path: path}).Save(struct {
		Grants []consent.Grant `json:"grants"`
	}{list}); err != nil {
		t.Fatal(err)
	}
	return consent.NewPolicy(path)
}
