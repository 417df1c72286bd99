package ui_test

import (
	"testing"
	"time"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/ui"
	"goated/ui/view"
)

// The cards of a conversation and the questions about calls showed the ID that goated makes
// from a server's name. Settings > Approvals showed the ID of an earlier name. The window now
// names a server as on the Tools page.
func TestAServerHasOneName(t *testing.T) {
	o := ui.Options{Policy: granted(t, "write")}
	o.Settings = config.Settings{}.WithStart(config.Launch{Name: "My Files", Path: "/home/ada/files.py"}, true)
	d := newDesk(t, o)
	call := agent.ToolCalled{ID: "1", Name: "my-files__write", Server: "my-files", Tool: "write"}
	c := conversationOf(view.Chat{}.Say("write").Apply(call))
	c.Cancel = func() {}
	d.window.ShowChats(0, c)
	if !d.Reads("My Files") || d.Reads("my-files") {
		t.Errorf("the card of a saved server shows %q", d.Texts())
	}
	d.window.ShowServers(client.Snapshot{Servers: []client.Server{{ID: "my-files", Name: "Ada’s files", Status: client.Connected}}})
	if !d.Reads("Ada’s files") {
		t.Errorf("after the server has another name, the card shows %q", d.Texts())
	}
	d.window.ShowQuestion(c, agent.Pending{Call: call})
	if !d.Reads("Ada’s files · asked by gemini-flash-latest, in this conversation") {
		t.Errorf("the question shows %q", d.Texts())
	}
	d.run("Granted approvals")
	if !d.Reads("My Files · /home/ada/files.py · since " + time.Now().Format("2 January 2006")) {
		t.Errorf("the approvals show %q", d.Texts())
	}
}
