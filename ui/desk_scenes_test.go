package ui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/config"
	"goated/ui"
	"goated/ui/internal/samplechat"
	"goated/ui/settings"
	"goated/ui/view"
)

// A scene is something that the window can show.
type scene struct {
	options func(*ui.Options) // nil: none
	draw    func(d *desk)
}

// in returns a window of the given size that shows the scene.
func (s scene) in(t *testing.T, o ui.Options, size fyne.Size) *desk {
	t.Helper()
	if s.options != nil {
		s.options(&o)
	}
	d := newDesk(t, o)
	d.Window.Resize(size)
	d.window.ShowServers(samplechat.Servers())
	s.draw(d)
	return d
}

// long is a text of many lines.
var long = strings.Repeat("A sentence that goes on for a while, so that it takes lines. ", 30)

// scenes returns the states that the window can show.
func scenes(t *testing.T) map[string]scene {
	script := "/home/ada/" + strings.Repeat("deep/", 30) + "weather.py"
	all := map[string]scene{
		"empty":       {draw: func(*desk) {}},
		"chat":        {draw: drawChat},
		"attachments": {draw: func(d *desk) { d.window.ShowChats(0, withFiles(view.Chat{})); d.write("And this?") }},
		"connect":     {draw: func(d *desk) { d.run("Connect a tool…") }},
		"environment": {
			options: func(o *ui.Options) {
				o.Settings = o.Settings.WithRecent(config.Launch{Path: "/a/b.py"}).WithRecent(config.Launch{Path: "/a/c.js", Args: []string{long}})
			},
			draw: func(d *desk) {
				d.run("Connect a tool…")
				d.Enter(scriptField, script)
				d.enterArguments(`a "b c"`)
				d.Enter("NAME", "A_TOKEN")
				d.Enter("value", long)
				d.Press("Add variable")
				d.Enter("NAME", "B", 1)
				d.Enter("value", "2", 1)
				d.Enter("Optional. Default: the folder goated was started in, or a package's own", "/tmp")
				d.window.ShowConnectError(script, errBoom)
			},
		},
		"help":    {draw: func(d *desk) { d.Key(fyne.KeyF1) }},
		"palette": {draw: func(d *desk) { d.Ctrl(fyne.KeyK) }},
		"welcome": {draw: func(d *desk) { d.run("Show the welcome page") }},
		"tool":    {draw: func(d *desk) { d.window.ShowServers(samplechat.ServersWithTools()); d.run("Try move_file") }},
	}
	for page, name := range []string{"model", "limits", "look", "approvals", "servers", "data"} {
		all["settings "+name] = scene{options: func(o *ui.Options) { crowded(t, o) }, draw: func(d *desk) {
			d.openSettings(page)
			if page == settings.Model {
				d.until("the models are read", func() bool { return d.Pressable("Test") })
			}
		}}
	}
	for _, name := range []string{"Tools", "Resources", "Prompts", "Log", "Process"} {
		all["server "+name] = scene{draw: func(d *desk) {
			d.window.ShowServers(samplechat.ServersWithTools())
			d.run("filesystem")
			d.Press(name)
		}}
	}
	return all
}

// drawChat shows a long conversation with open cards.
func drawChat(d *desk) {
	d.window.ShowActions(func(string, int) {})
	d.window.ShowChats(0, conversationOf(samplechat.Chat().Say(long).Apply(agent.ThoughtDelta{Text: long}).Apply(agent.TextDelta{Text: long}).Fail(errBoom)), chatWith("Another one"))
	d.Shortcut(fyne.KeyUp, fyne.KeyModifierAlt)
	for _, key := range []fyne.KeyName{fyne.KeyHome, fyne.KeyDown, fyne.KeyReturn, fyne.KeyDown, fyne.KeyReturn, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn, fyne.KeyEscape} {
		d.Key(key)
	}
	below := d.Count("Arguments") // a small window does not draw the first card
	d.scrollToTop()
	if below < 2 || !d.Reads("Arguments") {
		d.T.Fatalf("not all cards are open: %q", d.Texts())
	}
}

// crowded changes the options of a window so that each page of its settings is long.
func crowded(t *testing.T, o *ui.Options) {
	var tools, models []string
	for i := range 20 {
		models = append(models, fmt.Sprintf("gemini-%d-flash", i))
	}
	for i := range 12 {
		tools = append(tools, fmt.Sprintf("read_text_file_%d", i))
	}
	c := configured(t, tools...)
	c.Agent.Keys.Models = func(context.Context) ([]string, error) { return models, nil }
	o.Policy, o.Agent.Keys, o.DataDir, o.LogFile = c.Policy, c.Agent.Keys, c.DataDir, c.LogFile
	o.Bundled = []config.Bundled{{Name: "ghost", Default: true}}
	o.Settings = o.Settings.WithStart(config.Launch{Path: "/home/ada/tools/filesystem.js", Args: []string{long}}, true)
}
