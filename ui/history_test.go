package ui_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"context"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/internal/store"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// archive returns an empty history and the path of its file.
func archive(t testing.TB) (*store.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

// A listener is a model that repeats the last message and remembers what it read.
type listener struct {
	mu   sync.Mutex
	last []string
}

func (l *listener) answer(ctx context.Context, history []*genai.Content, yield func(string, error) bool) {
	var all []string
	for _, c := range history {
		for _, p := range c.Parts {
			all = append(all, p.Text)
		}
	}
	l.mu.Lock()
	l.last = all
	l.mu.Unlock()
	samplechat.Echo(ctx, history, yield)
}

// read returns what the model read with the last message.
func (l *listener) read() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// keeping returns a window with a history and a model that repeats messages.
func keeping(t testing.TB, s *store.Store) *desk {
	t.Helper()
	l := &listener{}
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(l.answer)}})
	d.model = l
	return d
}

// act chooses an item in the menu of a message.
func (d *desk) act(message, item string) {
	d.T.Helper()
	d.MenuAt(d.message(message))
	d.Press(item)
}

// message returns the position of a message in the transcript.
func (d *desk) message(text string) fyne.Position {
	d.T.Helper()
	for nth := 0; ; nth++ {
		at, size, _ := d.Place(text, nth)
		if size.IsZero() {
			d.T.Fatalf("the transcript does not show %q, but %q", text, d.transcript())
		}
		if at.X > sidebarWidth && at.Y > 60 {
			return at.AddXY(4, 8)
		}
	}
}

// shows waits until the transcript shows exactly these messages.
func (d *desk) shows(messages ...string) {
	d.T.Helper()
	d.until(fmt.Sprintf("the transcript shows %q", messages), func() bool { return slices.Equal(d.messages(), messages) })
}

// messages returns the visible messages and answers.
func (d *desk) messages() (all []string) {
	for _, text := range d.transcript() {
		if !strings.HasSuffix(text, "tokens") && !strings.Contains(text, "tokens · ") && !strings.HasPrefix(text, "What can I help with?") {
			all = append(all, text)
		}
	}
	return all
}

// The messages are there when goated opens again, and the conversation can continue.
func TestHistoryIsReopened(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("remember the tide tables")
	before := d.transcript()
	d.run("Tokens and cost of this conversation")
	spent := d.Find("This conversation used")
	d.window.Close()

	again := keeping(t, s)
	again.until("the conversation is shown", func() bool { return slices.Equal(again.transcript(), before) })
	again.run("Tokens and cost of this conversation")
	if got := again.Find("This conversation used"); got != spent || !strings.Contains(got, "$") {
		t.Errorf("it took %q, and was %q", got, spent)
	}
	again.says("and now")
	if got, want := again.model.read(), []string{"remember the tide tables", "You said: remember the tide tables", "and now"}; !slices.Equal(got, want) {
		t.Errorf("the model reads %q", got)
	}
}

func TestDeleteAndBringBack(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("keep me")
	d.run("Delete the conversation")
	d.until("the conversation is gone", func() bool { return d.title() == "New chat" })
	if list, _ := s.Conversations(t.Context()); len(list) != 0 {
		t.Errorf("the history has %d conversations", len(list))
	}
	d.Press("Undo")
	d.until("the conversation is back", func() bool { return d.title() == "keep me" })
}

// The most recently used conversation is first, even if the clock goes back by ten years.
func TestOrderWithoutTheClock(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.clock = time.Now()
	d.says("first")
	d.newChat()
	d.clock = d.clock.AddDate(-10, 0, 0)
	d.says("second")
	list := d.sidebar()
	if slices.Index(list, "second") > slices.Index(list, "first") {
		t.Errorf("the sidebar has %q", list)
	}
	again := keeping(t, s)
	again.until("the last one is shown", func() bool { return again.title() == "second" })
}

// The key that undoes a deletion closes the offer to undo it, and shows what it restored. The
// offer used to stay and cover a restored message that was out of sight, so the key seemed to
// do nothing.
func TestUndoByKeyShowsWhatIsBack(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says(strings.Repeat("a long message ", 150))
	d.says("the last one")
	d.act("the last one", "Delete the message and its answer")
	d.until("the deletion can be undone", func() bool { return d.Reads("Undo") && !d.Reads("the last one") })
	d.undelete()
	d.until("the offer is closed", func() bool { return !d.Reads("Undo") })
	d.sees("the last one")
}
