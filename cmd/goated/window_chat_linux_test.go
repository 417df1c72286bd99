package main

import (
	"strings"
	"testing"

	"goated/agent"
	"goated/internal/geminitest"
	"goated/internal/servertest"
)

// A model answers in the window: with text, a tool call, and text that appears while it arrives.
func TestWindowChatsWithGemini(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	goOn := make(chan struct{})
	s.Script(
		geminitest.Turn(geminitest.Text("I will ", "look."), geminitest.Call("ghost__read_project_context", map[string]any{"directoryPath": "."})),
		geminitest.Turn(geminitest.Text("There is **hello.txt**"), geminitest.Until(goOn), geminitest.Text(" and a folder.")),
	)
	d := openDesk(t, p, "--server", servertest.Dice())
	d.toolsAreListed(2)
	d.say("what is here?")
	d.until("the model has the tool's result", func() bool { return len(s.Requests()) == 2 })
	d.reads("the window shows the answer while it comes", ending("There is hello.txt"))
	close(goOn)
	turn := d.turn(1)
	if e, ok := event[agent.ToolReturned](turn); !ok || e.Error != "" {
		t.Errorf("the tool gave %+v", e)
	}
	d.reads("the window shows the whole answer", ending("There is hello.txt and a folder."))
	shown := d.read()
	for _, want := range []string{"what is here?\n\nI will look.\n\nList a project directory [read_project_context] (ghost): Complete", `"name": "hello.txt"`, "]\n\nThere is hello.txt and a folder."} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in %q", want, shown)
		}
	}
	if n := strings.Count(shown, "There is"); n != 1 {
		t.Errorf("the window shows %q", shown)
	}
	d.until("a card is shown as complete", func() bool { return d.shows(darkGood) > 0 })
	d.close()
	s.Done()
}
