package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// The inspector shows what the model and a server say to each other while the user chats.
func TestWindowInspector(t *testing.T) {
	p := newDeskPlace(t)
	s := p.gemini()
	s.Script(
		geminitest.Calls(geminitest.Call("llmem__map_workspace", map[string]any{"query": "trips"})),
		geminitest.Text("There is nothing to map."),
	)
	d := openDesk(t, p, "--with", "llmem")
	d.press("ctrl+shift+i")
	d.still()
	d.press("Escape")
	d.say("map this")
	d.turn(1)
	d.press("ctrl+shift+i")
	d.still()
	text := d.copied(func() { d.press("Down", "ctrl+c") })
	if !strings.Contains(text, `"contents"`) || !strings.Contains(text, "There is nothing to map.") {
		t.Errorf("the newest message is %s", text)
	}
	text = d.copied(func() { d.press("Down", "ctrl+c") })
	if !strings.Contains(text, `"method":"tools/call"`) || !strings.Contains(text, `"query":"trips"`) || strings.Contains(text, "AIza") {
		t.Errorf("the message before is %s", text)
	}
	d.press("Escape") // the detail
	d.press("Escape") // the page
	d.write("still here")
	d.close()
	s.Done()
}

// The artifacts page shows the project, and the model writes a summary of a file.
func TestWindowArtifacts(t *testing.T) {
	p := newDeskPlace(t)
	if err := os.WriteFile(filepath.Join(p.project, "plan.go"), []byte("package trip\n\n// Plan plans a trip.\nfunc Plan() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := p.gemini()
	s.Script(geminitest.Text("It plans trips."))
	d := openDesk(t, p)
	d.press("ctrl+shift+a")
	d.still()
	d.press("ctrl+f")
	d.write("plan.go")
	d.press("Return")
	d.still()
	d.click(1150, 139) // the button that writes the summary
	path := filepath.Join(p.project, ".artifacts", "plan.go.summarize.md")
	d.until("the summary is stored", func() bool {
		text, err := os.ReadFile(path)
		return err == nil && string(text) == "It plans trips."
	})
	if body := string(s.Requests()[0].Body); !strings.Contains(body, "func Plan() {}") || strings.Contains(body, "functionDeclarations") {
		t.Errorf("the model gets %s", body)
	}
	d.close()
	s.Done()
}
