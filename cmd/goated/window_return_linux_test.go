package main

import (
	"os"
	"testing"
	"time"

	"goated/internal/geminitest"
)

// A page, sheet or menu looks the same when the user opens it again later. When Fyne draws ten
// seconds after the last time, it drops the renderers of everything that has been hidden for a
// minute, or three seconds here. It does not lay out the new ones. If the time were shorter than a
// frame takes on a busy machine, it would also drop the renderers of visible things. make soak
// opens more.
func TestWindowLooksTheSameLater(t *testing.T) {
	p := newPlace(t)
	p.env = append(p.env, "FYNE_CACHE=3s")
	s := p.gemini()
	s.Script(
		geminitest.Calls(geminitest.Call("records__totals", map[string]any{})),
		geminitest.Text("# Totals\n\nMost went to **groceries**:\n\n- bus\n- cinema\n\n| what | sum |\n|---|---|\n| bus | 1 |\n\n```go\nfunc main() {}\n```\n\n> a `quote`"),
	)
	d := openDesk(t, p, "--server", p.write("records.py", records))
	d.toolsAreListed(2)
	d.say("Where did my money go?")
	d.answer(1, "ctrl+Return")
	d.turn(1)
	d.opens("ctrl+b") // the sidebar shows the age of the conversation
	d.move(5, 835)    // over nothing
	type part struct {
		name string
		open func()
	}
	parts := []part{
		{"connect sheet", func() { d.opens("ctrl+shift+c") }},
		{"palette", func() { d.opens("ctrl+k") }},
		{"settings page", func() { d.opens("ctrl+comma") }},
		{"questions page", func() { d.do("questions of programs") }}, // it used to lose a panel
	}
	if os.Getenv("GOATED_LONG") != "" { // these contain widgets of the same kinds
		parts = append(parts,
			part{"help", func() { d.opens("F1") }},
			part{"list of models", func() { d.opens("ctrl+m") }},
			part{"artifacts page", func() { d.opens("ctrl+shift+a") }})
	}
	parts = append(parts, part{"conversation", func() {}})
	first := make(map[string]uint64)
	for _, part := range parts {
		part.open()
		d.keep(part.name + " first")
		first[part.name] = d.sum()
		d.press("Escape")
		d.rests()
	}
	time.Sleep(10 * time.Second)
	d.write("x") // makes it draw
	d.press("BackSpace")
	d.rests()
	for _, part := range parts {
		part.open()
		d.keep(part.name + " later")
		if d.sum() != first[part.name] {
			t.Errorf("the %s looks different later", part.name)
		}
		d.press("Escape")
		d.rests()
	}
	d.close()
	s.Done()
}
