package ui_test

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui"
	"goated/ui/internal/pagetest"
)

// Each command of the palette has a unique name and an icon.
func TestCommandsAreDistinct(t *testing.T) {
	newDesk(t, everything(t)).distinct("Inspector")
}

// Some commands exist only for saved conversations.
func TestCommandsOfConversationsAreDistinct(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("one")
	d.newChat()
	d.says("two")
	d.run("Delete the conversation")
	d.until("the conversation is gone", func() bool { return d.title() == "one" })
	d.distinct("Undo delete")
}

// distinct checks the commands of the palette. It expects some to be one of them.
func (d *desk) distinct(some string) {
	d.T.Helper()
	titles := d.commands()
	slices.Sort(titles)
	if n := len(slices.Compact(slices.Clone(titles))); n != len(titles) || !slices.Contains(titles, some) {
		d.T.Errorf("the palette has %q", titles)
	}
	for _, group := range []string{"Conversation", "Tools", "Window"} {
		d.Ctrl(fyne.KeyK)
		d.Type(group)
		if blank := d.BlankIcons(); len(blank) > 0 || d.Icons("search") == 0 {
			d.T.Errorf("these icons of %s do not exist: %q", group, blank)
		}
		d.Key(fyne.KeyEscape)
	}
}

// A keyedWindow counts how often a window binds each key.
type keyedWindow struct {
	fyne.Window
	keys map[string]int
}

type keyedCanvas struct {
	fyne.Canvas
	keys map[string]int
}

func (w keyedWindow) Canvas() fyne.Canvas { return keyedCanvas{w.Window.Canvas(), w.keys} }

func (c keyedCanvas) AddShortcut(s fyne.Shortcut, f func(fyne.Shortcut)) {
	c.keys[s.ShortcutName()]++
	c.Canvas.AddShortcut(s, f)
}

type keyedApp struct {
	fyne.App
	keys map[string]int
}

func (a keyedApp) NewWindow(title string) fyne.Window {
	return keyedWindow{a.App.NewWindow(title), a.keys}
}

// No two commands have the same key, because the canvas would drop one of them.
func TestKeysAreDistinct(t *testing.T) {
	a := keyedApp{pagetest.NewApp(t), make(map[string]int)}
	ui.New(a, ui.Options{Agent: ui.AgentOptions{NewSession: func() *agent.Session { return &agent.Session{} }}})
	if len(a.keys) < 30 {
		t.Errorf("the window takes only %d keys", len(a.keys))
	}
	for key, n := range a.keys {
		if n > 1 {
			t.Errorf("%d commands have the key %s", n, key)
		}
	}
}
