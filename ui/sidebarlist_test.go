package ui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/ui"
	"goated/ui/internal/samplechat"
	"goated/ui/view"
)

// A past conversation has a title and the time of its last use.
type past struct {
	title string
	used  time.Time
}

// archiveOf returns a history with conversations.
func archiveOf(t *testing.T, list []past) *store.Store {
	t.Helper()
	s, _ := archive(t)
	var all []map[string]any
	for i, p := range list {
		all = append(all, map[string]any{"id": fmt.Sprint("past-", i), "title": p.title, "renamed": true, "created": p.used, "updated": p.used})
	}
	data, err := json.Marshal(map[string]any{"format": "goated conversations", "version": 1, "conversations": all})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Import(t.Context(), strings.NewReader(string(data)), nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// lists checks the days and the conversations of the sidebar, from the top.
func (d *desk) lists(when string, want ...string) {
	d.T.Helper()
	at := slices.Index(d.sidebar(), want[0])
	var got []string
	for _, text := range d.sidebar()[max(at, 0):] {
		if slices.Contains(want, text) {
			got = append(got, text)
		}
	}
	if !slices.Equal(got, want) {
		d.T.Fatalf("%s the sidebar has %q, not %q", when, d.sidebar(), want)
	}
}

func TestSidebarIsByDay(t *testing.T) {
	now := time.Date(2024, 11, 21, 23, 59, 30, 0, time.Local)
	var all []past
	for _, ago := range []int{70, 3, 1, 0} {
		all = append(all, past{fmt.Sprintf("%d days ago", ago), now.AddDate(0, 0, -ago).Add(-time.Hour)})
	}
	d := keeping(t, archiveOf(t, all))
	d.clock = now
	d.until("the conversations are read", func() bool { return d.title() == "0 days ago" })
	d.lists("at first", "Today", "0 days ago", "Yesterday", "1 days ago", "Previous 7 days", "3 days ago", "September", "70 days ago")
	// A minute later it is the next day.
	d.clock = d.clock.Add(time.Minute)
	d.comeBack()
	d.lists("after midnight", "Yesterday", "0 days ago", "Previous 7 days", "1 days ago", "3 days ago", "September", "70 days ago")
	if slices.Contains(d.sidebar(), "Today") {
		t.Errorf("after midnight the sidebar has %q", d.sidebar())
	}
	// Using a conversation moves it to the top, below the pinned ones.
	d.Press("70 days ago")
	d.until("the conversation is read", d.window.Settled)
	d.says("one thing more")
	d.Menu("1 days ago")
	d.Press("Pin")
	d.sees("Pinned")
	d.lists("after it was used", "Pinned", "1 days ago", "Today", "70 days ago", "Yesterday", "0 days ago", "Previous 7 days", "3 days ago")
	if got := d.title(); got != "70 days ago" {
		t.Errorf("another conversation is shown: %q", got)
	}
}

// many returns a history with n conversations, used an hour apart until now.
func many(t *testing.T, n int, now time.Time) *store.Store {
	t.Helper()
	var all []past
	for i := range n {
		all = append(all, past{fmt.Sprintf("Conversation %d", i), now.Add(-time.Duration(i+1) * time.Hour)})
	}
	return archiveOf(t, all)
}

// sidebarMiddle is a position on the list of conversations.
var sidebarMiddle = fyne.NewPos(sidebarWidth/2, 420)

// Each row opens its own conversation, wherever the user scrolls. The sidebar scrolls to a
// conversation that is opened by a key, because rows far out of sight do not exist.
func TestSidebarOpensAnyOfManyConversations(t *testing.T) {
	now := time.Date(2024, 11, 21, 9, 0, 0, 0, time.Local)
	d := keeping(t, many(t, 300, now))
	d.clock = now
	d.until("the conversations are read", func() bool { return d.title() == "Conversation 0" })
	for _, down := range []float32{0, 4000, 3521, 1e9, -20} {
		d.ScrollAt(sidebarMiddle, -down)
		var rows []string
		for _, text := range d.sidebar() {
			if at, size, seen := d.Place(text); seen && strings.HasPrefix(text, "Conversation ") && at.Y > 300 && at.Y+size.Height < 600 {
				rows = append(rows, text)
			}
		}
		if len(rows) == 0 {
			t.Fatalf("no row is in sight: %q", d.sidebar())
		}
		d.Press(rows[0])
		if got := d.title(); got != rows[0] {
			t.Fatalf("%q opens %q", rows[0], got)
		}
	}
	d.ScrollAt(sidebarMiddle, 1e9)
	d.Ctrl(fyne.KeyK)
	d.Type("Conversation 299")
	d.Key(fyne.KeyReturn)
	if d.title() != "Conversation 299" || !slices.Contains(d.sidebar(), "Conversation 299") {
		t.Errorf("the shown conversation %q is out of sight: %q", d.title(), d.sidebar())
	}
}

// The preview is the last message or answer, without Markdown marks.
func TestSidebarShowsWhatWasSaidLast(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowChat(view.Chat{}.Say("Check the report").Apply(agent.TextDelta{Text: "Latency is the **only** target: `212 ms`\n\n1. Profile it"}), false)
	if !slices.Contains(d.sidebar(), "Latency is the only target: 212 ms 1. Profile it") {
		t.Errorf("the sidebar shows %q", d.sidebar())
	}
}

// The sidebar shows the name of the tool in a question exactly as its server writes it. It used
// to treat underscores and bars as Markdown.
func TestSidebarNamesTheToolThatAsks(t *testing.T) {
	d, _ := calling(t, ui.Options{}, callOf("Files", &mcp.Tool{Name: "__read|all__"}, nil))
	d.send("go")
	d.sees("Wants to run __read|all__")
}

// A conversation that is used in the background moves to the top of the sidebar. This does not
// scroll the sidebar to the shown conversation.
func TestSidebarStaysWhenAnotherConversationMoves(t *testing.T) {
	gate, asked := make(chan struct{}), make(chan string, 10)
	model := samplechat.Model(func(ctx context.Context, history []*genai.Content, yield func(string, error) bool) {
		text := history[len(history)-1].Parts[0].Text
		asked <- text
		if text == "slow" {
			select {
			case <-gate:
			case <-ctx.Done():
			}
		}
		samplechat.Echo(ctx, history, yield)
	})
	now := time.Date(2024, 11, 21, 9, 0, 0, 0, time.Local)
	d := shown(t, ui.Options{History: many(t, 300, now), Agent: ui.AgentOptions{NewSession: sessions(model)}})
	d.clock = now
	d.until("the conversations are read", func() bool { return d.title() == "Conversation 0" })
	chats := []struct{ title, message string }{{"Conversation 2", "slow"}, {"Conversation 3", "quick"}, {"Conversation 5", "also quick"}}
	for _, c := range chats {
		d.Press(c.title)
		d.until(c.message+" is sent", func() bool {
			if len(asked) == 0 && !d.busy() {
				d.send(c.message) // stays in the composer while the conversation is loaded
			}
			return len(asked) > 0
		})
		if got := <-asked; got != c.message {
			t.Fatalf("the model is asked %q", got)
		}
		if c.message == "slow" {
			d.send("and then") // waits for the end of the running turn
		} else {
			d.idle() // the end of a turn moves its conversation, too
		}
	}
	d.lists("before the turn", "Conversation 5", "Conversation 3", "Conversation 2", "Conversation 0")
	d.ScrollAt(sidebarMiddle, -8000)
	texts, row := d.sidebar(), d.sidebar()[len(d.sidebar())/2]
	before, _, seen := d.Place(row)
	close(gate)
	d.until("the next turn begins", func() bool { return len(asked) > 0 })
	if at, _, _ := d.Place(row); !seen || at != before || !slices.Equal(d.sidebar(), texts) {
		t.Errorf("%q moved from %v to %v, and the sidebar shows %q, not %q", row, before, at, d.sidebar(), texts)
	}
	d.ScrollAt(sidebarMiddle, 1e9)
	d.lists("after the turn", "Conversation 2", "Conversation 5", "Conversation 3", "Conversation 0")
	if got := d.title(); got != "Conversation 5" {
		t.Errorf("another conversation is shown: %q", got)
	}
}
