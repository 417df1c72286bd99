package main

import (
	"encoding/json"
	"image/color"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/geminitest"
)

// pauseUnder runs "goated serve pause" as another MCP client without elicitation does.
func (d *desk) pauseUnder() *mcp.ClientSession {
	d.t.Helper()
	cmd := exec.Command(buildWindow(d.t), "serve", "pause", "--data", d.data)
	cmd.Env, cmd.Dir = d.place.env, d.place.project
	session, err := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, nil).Connect(d.t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = session.Close() })
	return session
}

// The grounds of the warning in a dangerous dialog.
var (
	lightWarning = color.RGBA{0xFB, 0xEF, 0xED, 0xFF}
	darkWarning  = color.RGBA{0x2E, 0x1F, 0x1D, 0xFF}
)

// dialogOpens waits until a dialog covers the page: the page is darker behind it.
func (d *desk) dialogOpens() {
	d.t.Helper()
	d.until("the dialog opens", func() bool { return d.shows(darkGround)+d.shows(lightGround) < 1000 })
	d.still()
	time.Sleep(800 * time.Millisecond) // at first it takes no answer
}

// A model in another MCP client asks, the window shows the dialog, and the answer goes
// back through the door. Esc cancels, also from the list of options.
func TestWindowAnswersAnotherClient(t *testing.T) {
	d := openDesk(t, newDeskPlace(t))
	s := d.pauseUnder()
	result := make(chan *mcp.CallToolResult, 1)
	ask := func() {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "planner", Arguments: json.RawMessage(`{"decision_context":"Which part first?","plan":"1. store\n2. screens","options":[{"label":"Store","value":"store"},{"label":"Screens","value":"screens"}]}`)})
		if err != nil {
			t.Error(err)
		}
		result <- r
	}
	go ask()
	d.dialogOpens()
	answered := func() bool { return len(result) > 0 }
	d.press("1")
	d.insist("Escape", "the dialog closes", answered)
	if r := <-result; !strings.Contains(r.Content[0].(*mcp.TextContent).Text, `"status":"cancelled"`) {
		t.Errorf("after Esc, the client gets %v", r.Content)
	}
	d.sheetCloses()
	go ask()
	d.dialogOpens()
	d.press("2", "d")
	d.insist("ctrl+Return", "the dialog is answered", answered)
	r := <-result
	text := r.Content[0].(*mcp.TextContent).Text
	if r.IsError || !strings.Contains(text, `"choice":"screens"`) || !strings.Contains(text, `"thinkingMode":"deep"`) || !strings.Contains(text, `"action":"execute"`) {
		t.Errorf("the client gets %s", text)
	}
	_ = s.Close()
	d.close()
}

// The model of a conversation asks by the same dialog, through goated's own server. The
// dialog stands in the conversation, and Enter keeps the dangerous answer away.
func TestWindowAnswersItsOwnModel(t *testing.T) {
	p := newDeskPlace(t)
	s := p.gemini()
	s.Script(
		geminitest.Calls(geminitest.Call("pause__confirm", map[string]any{"question": "Delete it?", "isDangerous": true})),
		geminitest.Text("Then I go on."),
	)
	d := openDesk(t, p, "--with", "pause")
	d.say("ask me")
	d.until("the dialog stands in the conversation", func() bool {
		return d.shows(lightWarning)+d.shows(darkWarning) > 1000 && d.shows(darkGround)+d.shows(lightGround) > 1000
	})
	time.Sleep(600 * time.Millisecond) // at first it takes no answer
	d.insist("Return", "the dialog is answered", func() bool { return len(s.Requests()) > 1 })
	d.turn(1)
	if body := string(s.Requests()[1].Body); !strings.Contains(body, `\"confirmed\":false`) {
		t.Errorf("the model gets %s", body)
	}
	d.close()
	s.Done()
}

// galleryPause takes a planner in a conversation.
func galleryPause(t *testing.T, theme string) {
	p := galleryPlace(t)
	s := p.gemini()
	option := func(label, value, description string) map[string]any {
		return map[string]any{"label": label, "value": value, "description": description}
	}
	s.Script(geminitest.Turn(geminitest.Call("pause__planner", map[string]any{
		"decision_context": "Which part should come first?",
		"visual_output":    "The app must work without a network. The store and the screens can be built in either order.",
		"plan":             "1. Keep trips in `sqlite`, one file per trip\n2. Queue changes while offline\n3. Send the queue when the network is back\n\n**Risk:** two devices can change the same trip.",
		"options": []any{option("Store first", "store", "Safest. Nothing to see for two days."), option("Screens first", "screens", "You can try it today, with made-up data."),
			option("One trip, end to end", "trip", "Thin, but complete.")},
	}), geminitest.Usage(1530, 140, 0)), geminitest.Turn(geminitest.Text("I stop here."), geminitest.Usage(1600, 9, 0)))
	g := openGallery(t, p, `{"welcomed":true,"theme":"`+theme+`"}`, "--with", "pause")
	g.say("Add the offline mode. Ask me about the order.")
	g.until("the model was asked", func() bool { return len(s.Requests()) > 0 })
	g.toastless() // the dialog has come by then
	g.press("2")
	g.take("pause-" + theme)
	g.press("Escape")
	g.turn(1)
	g.close()
	s.Done()
}
