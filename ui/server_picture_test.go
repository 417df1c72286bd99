package ui_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/config"
	"goated/internal/proctest"
	"goated/internal/sandbox"
	"goated/registry"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

func TestPictureConnect(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.openConnect()
		d.window.ShowConnectError("/home/ada/tools/weather.py", &client.Error{Kind: client.ErrStart, Err: errors.New("exit status 1"), Stderr: []string{
			"Traceback (most recent call last):",
			`  File "/home/ada/tools/weather.py", line 3, in <module>`,
			"ModuleNotFoundError: No module named 'httpx'",
		}})
		d.looksLike("connect", dark)
	}
}

// A failed server shows the cause and the commands that fix it. A server that prints to stdout
// shows a notice, and so does a server that restarts.
func TestPictureDiagnosis(t *testing.T) {
	d := pictured(t, false, ui.Options{})
	d.window.ShowServers(client.Snapshot{Servers: []client.Server{
		{ID: "weather", Name: "weather", Path: "/home/ada/tools/forecast.py", Status: client.Failed, Err: &client.Error{
			Kind: client.ErrStart, Err: errors.New("exit status 1: ModuleNotFoundError: No module named 'httpx'"),
			Report: &client.FailureReport{Diagnosis: diagnose.Diagnosis{Cause: diagnose.PythonModule, Args: diagnose.Args{
				Subject: "httpx", Dir: "/home/ada/tools",
				Commands: [][]string{
					{"/usr/bin/python3", "-m", "venv", "/home/ada/tools/.venv"},
					{"/home/ada/tools/.venv/bin/python3", "-m", "pip", "install", "httpx"},
				},
			}}},
		}},
		{ID: "notes", Name: "notes", Path: "/home/ada/tools/notes.js", Status: client.Connected, Tools: make([]registry.Entry, 3), Confinement: client.Confinement{Sandbox: samplechat.Sandbox(), Policy: sandbox.Policy{Read: []string{"/home/ada/tools"}, State: "/x"}}, Noise: client.Noise{Lines: 12, Last: "[DEBUG] listening"}},
		{ID: "metrics", Name: "metrics", Path: "/opt/mcp/metrics.py", Status: client.Failed, RetryAt: d.clock.Add(4 * time.Second),
			Err: &client.Error{Kind: client.ErrExited, Err: errors.New("signal: killed"), Report: &client.FailureReport{
				Diagnosis: diagnose.Diagnosis{Cause: diagnose.Killed}}}},
	}})
	d.openConnect()
	d.looksLike("diagnosis", false)
}

// The sheet shows how goated understands text from a README.
func TestPictureUnderstood(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.openConnect()
		d.Enter(scriptField, `claude mcp add --transport http linear https://mcp.linear.app/mcp --header "Authorization: Bearer <your-token>"`)
		d.looksLike("understood", dark)
	}
}

// The sheet shows what a command can do in its sandbox, and the folders that the user may let
// it change.
func TestPictureForeseen(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	home, bin := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("PATH", bin)
	if err := proctest.WriteProgram(filepath.Join(bin, "npx"), nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Documents", "Pictures"} {
		if err := os.Mkdir(filepath.Join(home, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.openConnect()
		d.Enter(scriptField, "npx -y @modelcontextprotocol/server-filesystem ~/Documents ~/Pictures")
		d.looksLike("foreseen", dark)
	}
}

func TestPictureEnvironment(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.openConnect()
		d.Enter(scriptField, "/home/ada/tools/weather.py")
		d.enterArguments(`--city "New York"`)
		d.Enter("NAME", "WEATHER_API_KEY")
		d.Enter("value", "4b8f20c1")
		d.Press("Add variable")
		d.Enter("NAME", "UNITS", 1)
		d.Enter("value", "metric", 1)
		d.Enter("Optional. Default: the folder goated was started in, or a package's own", "/home/ada/data")
		d.FocusField(scriptField)
		d.looksLike("environment", dark)
	}
}

func TestPictureRecent(t *testing.T) {
	used := config.Settings{}.WithRecent(config.Launch{Path: "/home/ada/tools/weather.py", Args: []string{"--city", "Lisbon"}}).WithRecent(config.Launch{Path: "/home/ada/tools/notes.js"})
	d := pictured(t, false, ui.Options{Settings: used})
	d.window.ShowServers(client.Snapshot{Servers: samplechat.Servers().Servers[:1]})
	d.openConnect()
	d.looksLike("recent", false)
}

// serving returns a window with servers that describe their tools.
func serving(t *testing.T, dark bool) *desk {
	t.Helper()
	d := pictured(t, dark, ui.Options{})
	d.window.ShowServers(samplechat.ServersWithTools())
	return d
}

func TestPictureServer(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := serving(t, dark)
		d.run("filesystem")
		d.looksLike("server", dark)
	}
	d := serving(t, false)
	d.run("Try move_file")
	d.looksLike("server_try", false)
}

func TestPicturePalette(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := serving(t, dark)
		d.window.ShowChats(0, conversationOf(samplechat.Chat()), chatWith("Rename the invoice folder by month and year"))
		d.Ctrl(fyne.KeyK)
		d.Type("con")
		d.looksLike("palette", dark)
	}
}
