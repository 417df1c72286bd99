package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

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

// dialogOpens waits until a dialog covers the page: the page is darker behind it.
func (d *desk) dialogOpens() {
	d.t.Helper()
	d.until("the dialog opens", func() bool { return d.shows(darkGround)+d.shows(lightGround) < 1000 })
	d.still()
}

// A model in another MCP client asks, the window shows the dialog, and the answer goes
// back through the door.
func TestWindowAnswersAnotherClient(t *testing.T) {
	d := openDesk(t, newDeskPlace(t))
	s := d.pauseUnder()
	result := make(chan *mcp.CallToolResult, 1)
	go func() {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "planner", Arguments: json.RawMessage(`{"decision_context":"Which part first?","plan":"1. store\n2. screens","options":[{"label":"Store","value":"store"},{"label":"Screens","value":"screens"}]}`)})
		if err != nil {
			t.Error(err)
		}
		result <- r
	}()
	d.dialogOpens()
	d.press("2", "d")
	d.press("ctrl+Return")
	r := <-result
	text := r.Content[0].(*mcp.TextContent).Text
	if r.IsError || !strings.Contains(text, `"choice":"screens"`) || !strings.Contains(text, `"thinkingMode":"deep"`) || !strings.Contains(text, `"action":"execute"`) {
		t.Errorf("the client gets %s", text)
	}
	_ = s.Close()
	d.close()
}

// The model of a conversation asks by the same dialog, through goated's own server.
func TestWindowAnswersItsOwnModel(t *testing.T) {
	p := newDeskPlace(t)
	s := p.gemini()
	s.Script(
		geminitest.Calls(geminitest.Call("pause__confirm", map[string]any{"question": "Go on?", "yesLabel": "Continue"})),
		geminitest.Text("Then I go on."),
	)
	d := openDesk(t, p, "--with", "pause")
	d.say("ask me")
	d.dialogOpens()
	d.press("y")
	d.turn(1)
	if body := string(s.Requests()[1].Body); !strings.Contains(body, `\"confirmed\":true`) {
		t.Errorf("the model gets %s", body)
	}
	d.close()
	s.Done()
}
