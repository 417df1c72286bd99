package inspector_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/internal/inspect"
	"goated/ui/inspector"
	"goated/ui/internal/pagetest"
)

// A desk is a window that contains only the page of the inspector.
type desk struct {
	*pagetest.Desk
	page   *inspector.Page
	rec    *inspect.Recorder
	saved  []byte
	picked string // the file that the user chooses
	ids    int
}

func newDesk(t testing.TB, dark bool, size fyne.Size) *desk {
	t.Helper()
	d := deskOf(t, new(inspect.Recorder), dark, size)
	d.Until("the page is shown", func() bool { return d.Reads("Waiting for messages") })
	return d
}

func deskOf(t testing.TB, rec *inspect.Recorder, dark bool, size fyne.Size) *desk {
	t.Helper()
	d := &desk{Desk: pagetest.New(t, dark, size), rec: rec}
	d.page = inspector.New(d.Shell, inspector.Hooks{
		Recorder: d.rec, Name: func(id string) string { return strings.ToUpper(id[:1]) + id[1:] }, Start: func(id string) []string { return []string{"--server", "./" + id + ".py"} },
		Definition: func(server, tool string) []byte { return []byte(strings.Repeat("x", 1200)) },
		Save:       func(_ string, data []byte) { d.saved = data },
		LookFor:    func(_ string, found func(string), _ ...string) { found(d.picked) },
	})
	d.Show(d.page.Page)
	d.page.Open()
	return d
}

// call adds a call with its answer and returns the id of the call.
func (d *desk) call(server, tool, args, result string, took time.Duration) int {
	d.ids++
	d.Now = d.Now.Add(317 * time.Millisecond)
	d.add(server, true, d.Now, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":"p"}}}`, d.ids, tool, args))
	if result != "" {
		d.add(server, false, d.Now.Add(took), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, d.ids, result))
	}
	return d.ids
}

func (d *desk) add(server string, sent bool, at time.Time, data string) {
	d.rec.Add(inspect.Frame{Server: server, Sent: sent, Time: at, Data: []byte(data), Size: len(data)})
}
