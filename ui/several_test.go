package ui_test

import (
	"os/exec"
	"strings"
	"testing"

	"goated/client"
	"goated/ui"
)

// A server of a pasted configuration that lacks its token was only among the recent ones: no list named
// it, and nothing asked for the token.
func TestAServerThatLacksItsTokenIsSaved(t *testing.T) {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skip("there is no python3")
	}
	k := newTokens(t)
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.FocusField(scriptField)
	d.Paste(`{"mcpServers":{"echo":{"command":"` + strings.TrimSpace(string(out)) + `","args":["` + echoServer(t) + `"]},
		"web":{"url":"` + k.URL + `/mcp","headers":{"Authorization":"Bearer <YOUR_TOKEN>"}},"rests":{"url":"` + k.URL + `/rests","disabled":true}}}`)
	d.Press("Add and start")
	d.until("two are off", func() bool {
		off := 0
		for _, l := range d.saved.get().Launch {
			if l.Off {
				off++
			}
		}
		return off == 2 && len(d.saved.get().Launch) == 3
	})
	d.until("one runs", func() bool {
		s := d.host.Snapshot().Servers
		return len(s) == 1 && s[0].Status == client.Connected
	})
	d.Press("Tools")
	d.sees("Needs a value")
	d.sees("web")
	d.sees("rests")
	d.sees("Needs you 1")
	if got := k.got(); got != "" {
		t.Errorf("a server that is off was asked: %s", got)
	}
	d.Press("Add server")
	d.sees("RECENT")
	d.sees("web")
}
