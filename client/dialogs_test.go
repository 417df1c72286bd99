//go:build unix

package client_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
)

// Only a host that can draw the dialogs of the pause server offers them, and only to bundled
// servers. The terminal has only forms.
func TestDialogsAreOfferedWhereTheyAreDrawn(t *testing.T) {
	for name, tt := range map[string]struct{ bundled, draws, offered bool }{
		"the window":   {true, true, true},
		"the terminal": {true, false, false},
		"a stranger":   {false, true, false},
	} {
		var offered atomic.Bool
		h := client.New(client.Options{
			Elicit: func(context.Context, client.Asker, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "cancel"}, nil
			},
			Process: client.ProcessOptions{Dialogs: tt.draws},
			Trace: client.TraceOptions{Report: func(e client.TraceEvent) {
				if strings.Contains(string(e.Data), client.DialogExtension) {
					offered.Store(true)
				}
			}},
		})
		t.Cleanup(h.Close)
		c := misbehave(t, "plain")
		if c.Bundled = tt.bundled; !tt.bundled {
			c.Command, c.Path = c.Path, ""
		}
		if _, err := h.Connect(t.Context(), c); err != nil {
			t.Fatal(name, err)
		}
		if offered.Load() != tt.offered {
			t.Errorf("%s: offered is %v", name, offered.Load())
		}
	}
}
