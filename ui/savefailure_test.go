//go:build unix

package ui_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/internal/store"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// alone runs a test again in a separate process, and reports whether the caller is in that
// process.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv("UI_ALONE") != "" {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "UI_ALONE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// fillDisk prevents files of this process from growing, as on a full disk, until the test calls
// free.
func fillDisk(t *testing.T) (free func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ) // the kernel sends it together with the error
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	limit := before
	limit.Cur = 1
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	free = func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(free)
	return free
}

// answered sends a message and waits for its answer, which may be unsaved.
func (d *desk) answered(text string) {
	d.T.Helper()
	d.send(text)
	d.until(text+" is answered", func() bool { return !d.busy() && slices.Contains(d.transcript(), "You said: "+text) })
}

// opens opens a conversation in the sidebar and waits until it is loaded.
func (d *desk) opens(title string) {
	d.T.Helper()
	d.Press(title)
	d.until(title+" is read", d.window.Settled)
}

// conversation returns the messages and answers without the warning above the composer.
func (d *desk) conversation() []string {
	return slices.DeleteFunc(d.messages(), func(text string) bool { return strings.HasPrefix(text, "Not saved yet: ") })
}

// told checks the turns of a saved conversation: what the user said, and that each turn has its
// end.
func told(t *testing.T, s *store.Store, id string, want ...string) {
	t.Helper()
	kept, err := s.Thread(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, turn := range kept.Turns {
		text := turn.User[len(turn.User)-1].Text
		texts = append(texts, text)
		if turn.Ended.IsZero() || len(turn.Events) == 0 {
			t.Errorf("%q has no end", text)
		}
	}
	if !slices.Equal(texts, want) {
		t.Errorf("the history has %q, not %q", texts, want)
	}
}

// While the disk is full, messages stay in memory and are answered. The window says so, and
// saves them in order as soon as there is room.
func TestFullDiskKeepsMessagesInMemory(t *testing.T) {
	if !alone(t) {
		return
	}
	s, path := archive(t)
	d := keeping(t, s)
	d.says("before")
	free := fillDisk(t)
	d.answered("one")
	d.answered("two")
	d.until("the window says so", func() bool { return d.Says("keeps the conversation in memory") })
	if d.Pressable("Dismiss") {
		t.Error("the user can dismiss the warning while messages are not saved")
	}
	d.act("two", "Edit and send again")
	if d.HasField(editField) || !d.Says("This message is not saved") {
		t.Error("the window does not say why a message cannot be edited")
	}
	d.newChat()
	d.answered("a new conversation")
	if got := d.conversation(); !slices.Equal(got, []string{"a new conversation", "You said: a new conversation"}) {
		t.Errorf("the new conversation shows %q", got)
	}
	d.Press("before")
	if got := d.conversation(); !slices.Equal(got, []string{"before", "You said: before", "one", "You said: one", "two", "You said: two"}) {
		t.Errorf("the other conversation shows %q", got)
	}
	free()
	d.sees("Everything is saved now.")
	if d.Says("in memory") {
		t.Error("the warning stays")
	}
	for _, title := range []string{"a new conversation", "before"} {
		d.opens(title) // so it can be edited
	}
	d.window.Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Conversations(t.Context())
	before := slices.IndexFunc(list, func(c store.Conversation) bool { return c.Title == "before" })
	if err != nil || len(list) != 2 || before < 0 || list[1-before].Title != "a new conversation" {
		t.Fatalf("%+v, %v", list, err) // either of the two may have been written last
	}
	told(t, s, list[before].ID, "before", "one", "two")
	told(t, s, list[1-before].ID, "a new conversation")
}

// A stopped turn can be retried while the disk is full. The button did nothing before, because
// the history did not contain the message.
func TestAStoppedTurnCanBeRetriedOnAFullDisk(t *testing.T) {
	if !alone(t) {
		return
	}
	s, _ := archive(t)
	var stories atomic.Int32
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
		if last := h[len(h)-1]; last.Parts[len(last.Parts)-1].Text == "a story" && stories.Add(1) < 3 {
			<-ctx.Done()
			yield("", ctx.Err())
			return
		}
		yield(fmt.Sprintf("I have %d messages", len(h)), nil)
	})}})
	d.says("before")
	free := fillDisk(t)
	d.send("between")
	d.until("between is answered", func() bool { return !d.busy() && d.Reads("I have 3 messages") })
	d.send("a story")
	for n := range int32(2) {
		d.until("the model is asked", func() bool { return stories.Load() == n+1 })
		d.Key(fyne.KeyEscape)
		d.until("the turn is stopped", func() bool { return !d.busy() && d.Reads("You stopped this turn.") })
		d.Press("Retry")
	}
	d.until("the message is answered", func() bool { return !d.busy() && d.Reads("I have 5 messages") })
	if got, want := d.conversation(), []string{"before", "I have 1 messages", "between", "I have 3 messages", "a story", "I have 5 messages"}; !slices.Equal(got, want) {
		t.Errorf("the conversation shows %q, not %q", got, want)
	}
	free()
	d.sees("Everything is saved now.")
	d.window.Close()
	list, err := s.Conversations(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	told(t, s, list[0].ID, "before", "between", "a story")
}

// The window reports a history that cannot be opened, with a button that tries again. The
// conversation can continue in the meantime. When the history opens, it receives all turns
// after its own, and the sidebar lists both.
func TestHistoryThatOpensLate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, "history.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	before := keeping(t, s)
	for range 3 {
		before.says("before")
	}
	before.window.Close()
	if err := errors.Join(s.Close(), os.Rename(dir, dir+"-away"), os.WriteFile(dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	s = store.Start(t.Context(), path)
	defer s.Close()
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(samplechat.Echo)}})
	warned := func() bool { return strings.HasPrefix(d.Find("goated can't save now: "), "goated can't save now: ") }
	d.until("the window says so", warned)
	d.answered("one")
	d.answered("two")
	d.newChat()
	d.write("a draft")
	if !warned() || d.Pressable("Dismiss") {
		t.Errorf("the warning went, or can be dismissed: %q", d.Texts())
	}
	if n := d.Icons("alert"); n != 1 {
		t.Errorf("the window reports it %d times", n)
	}
	d.Press("Try again")
	if d.Pressable("Try again") {
		t.Error("the button can be pressed while goated tries")
	}
	d.until("it was in vain", func() bool {
		return d.Reads("The history still can't be opened.") && warned() && d.Pressable("Try again")
	})
	if err := errors.Join(os.Remove(dir), os.Rename(dir+"-away", dir)); err != nil {
		t.Fatal(err)
	}
	d.Press("Try again")
	place := func(title string) int { return slices.Index(d.sidebar(), title) }
	d.until("it is open and all is saved", func() bool { return !d.Says("can't save") && !d.Says("Not saved yet") && place("before") > 0 })
	if d.Pressable("Try again") || place("one") < 0 || place("one") > place("before") {
		t.Errorf("the sidebar has %q", d.sidebar())
	}
	d.until("the draft is saved", func() bool {
		all, err := s.Conversations(t.Context())
		return err == nil && len(all) == 3 && all[0].Draft == "a draft"
	})
	d.opens("one") // so it can be edited
	d.says("three")
	d.window.Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	reopened, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer reopened.Close()
	list, err := reopened.Conversations(t.Context())
	if err != nil || len(list) != 3 || list[0].Title != "one" {
		t.Fatalf("%+v, %v", list, err)
	}
	told(t, reopened, list[0].ID, "one", "two", "three")
}
