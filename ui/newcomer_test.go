package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/registry"
	"goated/ui"
)

// The sheet that adds a server keeps its place and size while the user types, while the server
// starts, and after it failed. It used to grow and move with each state.
func TestAddServerStaysInItsPlace(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.openConnect()
	where := func() string {
		title, _, _ := d.Place("Connect a tool")
		field, size, _ := d.PlaceOfField(scriptField)
		return fmt.Sprint("title at ", title, ", field at ", field, size)
	}
	before := where()
	check := func(when string) {
		t.Helper()
		if now := where(); now != before {
			t.Errorf("%s the sheet moves from %s to %s", when, before, now)
		}
	}
	d.Enter(scriptField, "npx -y @modelcontextprotocol/server-filesystem ~/trip")
	check("after a command is understood")
	d.Enter(scriptField, "/tmp/server.txt")
	d.Press("Add and start")
	check("after a path is refused")
	script := filepath.Join(t.TempDir(), "broken.py")
	if err := os.WriteFile(script, []byte("import no_such_module_at_all\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Enter(scriptField, script)
	d.Press("Add and start")
	check("while the server starts")
	d.until("it has failed", func() bool { return d.Says("No module named") && d.Pressable("Add and start") })
	check("after the server failed")
}

// The buttons below a message keep their positions, whether or not the message has versions.
// None of them deletes, because Delete is in a menu.
func TestVersionsMoveNoButton(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("first")
	pencil := func() (at fyne.Position) {
		t.Helper()
		d.HoverAt(d.message("first"))
		if n := d.PageIcons("pencil"); n != 1 {
			t.Fatalf("%d pencils are shown", n)
		}
		return d.PlaceOfIcon("pencil")
	}
	before := pencil()
	if d.PageIcons("trash") > 0 {
		t.Error("a bin is beside the pencil")
	}
	d.edits("first", "other")
	d.shows("other", "2/2", "You said: other")
	d.PressIcon("chevron-left")
	d.shows("first", "1/2", "You said: first")
	if now := pencil(); now != before {
		t.Errorf("with two versions the pencil moves from %v to %v", before, now)
	}
}

// Tab takes as many steps through a window with many conversations as through one with two. The
// list is one stop, and the arrow keys move in it.
func TestManyConversationsAreOneStop(t *testing.T) {
	open := func(conversations int) *desk {
		s, _ := archive(t)
		d := keeping(t, s)
		for i := range conversations {
			if i > 0 {
				d.newChat()
			}
			d.says(fmt.Sprint("conversation ", i))
		}
		d.FocusOn("New chat")
		return d
	}
	steps := func(d *desk) int {
		for n := range 200 {
			if d.FieldFocused(composer) {
				return n
			}
			d.Key(fyne.KeyTab)
			if !d.Ringed() {
				t.Errorf("stop %d shows no ring", n)
			}
		}
		t.Fatal("Tab never comes to the composer")
		return 0
	}
	few := steps(open(2))
	d := open(30)
	if many := steps(d); few != many {
		t.Errorf("with 2 conversations Tab takes %d steps, with 30 it takes %d", few, many)
	}
	d.FocusOn("New chat")
	for n := 0; !d.FocusIsOn("conversation 29"); n++ {
		if n == 10 {
			t.Fatal("Tab does not come to the conversation that is shown")
		}
		d.Key(fyne.KeyTab)
	}
	for i := 28; i >= 0; i-- {
		if d.Key(fyne.KeyDown); !d.FocusIsOn(fmt.Sprint("conversation ", i)) {
			t.Fatalf("Down does not go to conversation %d", i)
		}
	}
	d.Key(fyne.KeyUp)
	d.Key(fyne.KeyReturn)
	d.until("the conversation is shown", func() bool { return d.title() == "conversation 1" })
}

// The question whether a tool may run appears in the conversation. Nothing dims or covers what
// the user must judge by: the request and what was said before.
func TestAnApprovalHidesNothing(t *testing.T) {
	s, _ := archive(t)
	model := &asking{}
	model.known.Set("box", false, registry.Origin{Connection: 1}, []*mcp.Tool{{Name: "pack", InputSchema: map[string]any{"type": "object"}}})
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: func() *agent.Session { return &agent.Session{Model: model, Tools: model} }}})
	d.send("pack my things")
	d.sees("Allow this call?")
	if d.Layers() > 0 {
		t.Errorf("%d layers cover the conversation", d.Layers())
	}
	for _, text := range []string{"pack my things", "pack", "box", "New chat"} {
		if _, _, seen := d.Place(text); !seen {
			t.Errorf("%q is out of sight", text)
		}
	}
	d.later()
	d.Ctrl(fyne.KeyReturn)
	d.settled()
	if !d.Reads("Finished.") {
		t.Errorf("after the answer the screen shows %q", d.Texts())
	}
}
