package ui

import (
	"cmp"
	"image"
	"image/color"
	"slices"
	"strconv"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/registry"
	"goated/ui/chats"
	"goated/ui/kit"
	"goated/ui/servers"
	"goated/ui/settings"
	"goated/ui/view"
)

func TestPicturePalette(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "palette", dark, func(d *desk) {
			d.Chats[0].Chat = someChat()
			d.Chats = append(d.Chats, &chats.Conversation{Chat: view.Chat{}.Say("Rename the invoice folder by month and year")})
			d.Refresh()
			d.see(toolServers())
			d.openPalette()
			p := d.top()
			p.First.(*kit.Input).Put("con")
		})
	}
}

func TestPictureHelp(t *testing.T) {
	matchGolden(t, "help", false, func(d *desk) { d.openHelp() })
}

func TestPictureSettings(t *testing.T) {
	for page, name := range []string{"model", "limits", "look", "approvals", "servers", "data"} {
		matchGolden(t, "settings_"+name, page == settings.Look, func(d *desk) {
			d.settingsPages.Keys = &settings.Keys{From: "keyring"}
			d.settingsPages.Policy = &agent.Policy{}
			d.settingsPages.Policy.Grant(registry.Entry{Name: "filesystem__read_text_file"})
			d.settingsPages.Policy.Grant(registry.Entry{Name: "metrics__query_range"})
			d.settingsPages.Bundled = []string{"ghost"}
			d.settingsPages.DataDir, d.settingsPages.LogFile = "/home/ada/.local/share/goated", "/home/ada/.local/share/goated/logs/goated.log"
			d.settings = d.settings.Start(config.Launch{Path: "/home/ada/tools/filesystem.js", Args: []string{"/home/ada/My files"}}, true).
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
			d.Visit("filesystem", "")
		})
	}
	matchGolden(t, "server_try", false, func(d *desk) {
		d.see(toolServers())
		d.Visit("filesystem", "move_file")
	})
}

func TestPictureWelcome(t *testing.T) {
	matchGolden(t, "welcome", false, func(d *desk) { d.openWelcome() })
}

func TestPictureAttachments(t *testing.T) {
	matchGolden(t, "attachments", false, func(d *desk) {
		someFiles(d)
		d.Chats[0].Chat = view.Chat{}.Say("What is on this picture, and does the table agree with it?", d.Chats[0].Files[0].Attachment, d.Chats[0].Files[1].Attachment)
		d.Composer.Input.Put("And this one?")
		d.Refresh()
	})
}

func TestPictureRecent(t *testing.T) {
	matchGolden(t, "recent", false, func(d *desk) {
		d.settings = d.settings.Used(config.Launch{Path: "/home/ada/tools/weather.py", Args: []string{"--city", "Lisbon"}}).Used(config.Launch{Path: "/home/ada/tools/notes.js"})
		d.see(client.Snapshot{Servers: someServers().Servers[:1]})
		d.Connect()
	})
}

// top is the sheet that lies on top.
func (d *desk) top() *kit.Sheet { return d.stack.All[len(d.stack.All)-1] }

func someFiles(d *desk) {
	img := image.NewNRGBA(image.Rect(0, 0, 160, 160))
	for y := range 160 {
		for x := range 160 {
			img.Set(x, y, color.NRGBA{uint8(90 + x/2), uint8(140 + y/3), 120, 255})
		}
	}
	d.Chats[0].Files = []chats.Attached{
		{Attachment: view.Attachment{Name: "harbour at dusk.png", Type: "image/png", Size: 1_240_000, Preview: img}},
		{Attachment: view.Attachment{Name: "tides.csv", Type: "text/plain", Size: 18_400}},
		{Attachment: view.Attachment{Name: "Pasted text.txt", Type: "text/plain", Size: 31_000}},
	}
	d.Files.ShowFiles()
}

func toolServers() client.Snapshot {
	s := someServers()
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
			d.Connect()
			d.Connector.Fill(config.Launch{
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
			d.see(client.Snapshot{Servers: someServers().Servers[:1]})
			d.open(servers.NewPermissionPrompt(servers.PermissionRequest{Name: "weather", Command: "weather.py", What: sandbox.Permission{Kind: sandbox.ToNetwork}}, d.Danger(sandbox.Permission{Kind: sandbox.ToNetwork}), 1, func(any) {}))
		})
		matchGolden(t, "permit_host", dark, func(d *desk) {
			d.see(client.Snapshot{Servers: someServers().Servers[:1]})
			d.open(servers.NewPermissionPrompt(servers.PermissionRequest{Name: "weather", Command: "weather.py", What: sandbox.Permission{Kind: sandbox.ToHost, Host: "api.example.org"}}, d.Danger(sandbox.Permission{Kind: sandbox.ToHost, Host: "api.example.org"}), 0, func(any) {}))
		})
		matchGolden(t, "permissions_host", dark, func(d *desk) {
			s := someServers().Servers[0]
			s.Args = nil
			l := config.Launch{Path: s.Path}
			d.settings = d.settings.Decide(l, func(l *config.Launch) {
				l.Allowed = sandbox.Permissions{{Kind: sandbox.ToHost, Host: "api.example.org", At: d.clock}}
				l.Refused = sandbox.Permissions{{Kind: sandbox.ToHost, Host: "localhost:5432", At: d.clock}}
			})
			c := client.Config{Path: s.Path, Grant: d.settings.Known(l).Allowed.Grant()}
			s.Policy = s.Policy.With(c.Grant)
			s.Needs = []sandbox.Permission{{Kind: sandbox.ToHost, Host: "*.cdn.example.org:8443"}}
			d.see(client.Snapshot{Servers: []client.Server{s}})
			d.Visit(s.ID, "")
			d.Pages.Page.Turn(servers.ServerPermissions)
			d.Pages.Page.AddingHost = "https://example.org/path"
			d.Pages.Page.Show(d.Pages.Page.Permissions(l, c))
			if in, ok := find(d, func(in *kit.Input) bool { return in.Text == d.Pages.Page.AddingHost }); ok {
				in.OnSubmit()
			}
			d.beats(10)
			d.Pages.Page.Body.Scroll.ScrollToTop()
			if dark {
				d.Pages.Page.Body.Scroll.ScrollToBottom()
			}
		})
		matchGolden(t, "permissions", dark, func(d *desk) {
			s := someServers().Servers[0]
			s.Args = nil
			l := config.Launch{Path: s.Path}
			given := d.clock.AddDate(0, 0, -3)
			d.settings = d.settings.Decide(l, func(l *config.Launch) {
				l.Allowed = sandbox.Permissions{{Kind: sandbox.ToNetwork, At: given}, {Kind: sandbox.ToWrite, Path: "/home/ada/My files", At: d.clock}}
				l.Refused = sandbox.Permissions{{Kind: sandbox.ToDesktop, At: given}}
			})
			c := client.Config{Path: s.Path, Grant: d.settings.Known(l).Allowed.Grant()}
			s.Policy = s.Policy.With(c.Grant)
			d.see(client.Snapshot{Servers: []client.Server{s}})
			d.Visit(s.ID, "")
			d.Pages.Page.Turn(servers.ServerPermissions)
			d.Pages.Page.Show(d.Pages.Page.Permissions(l, c))
			if dark {
				d.Pages.Page.Body.Scroll.ScrollToBottom()
			}
		})
	}
	matchGolden(t, "settings_grants", false, func(d *desk) {
		for path, p := range map[string]sandbox.Permissions{
			"/home/ada/tools/weather.py": {{Kind: sandbox.ToNetwork, At: d.clock}},
			"/home/ada/tools/notes.js":   {{Kind: sandbox.ToWrite, Path: "/home/ada/Notes", At: d.clock.AddDate(0, 0, -9)}},
		} {
			d.settings.Launch = append(d.settings.Launch, config.Launch{Path: path, Allowed: p, NoSandbox: path == "/home/ada/tools/notes.js"})
		}
		slices.SortFunc(d.settings.Launch, func(a, b config.Launch) int { return cmp.Compare(a.Path, b.Path) })
		d.settingsPages.Open(settings.Approvals)
	})
}
