//go:build unix

package ui

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fyne.io/fyne/v2/test"

	"goated/internal/config"
	"goated/internal/store"
	"goated/ui/chats"
	"goated/ui/internal/samples"
	"goated/ui/kit"
	"goated/ui/richtext"
)

// alone runs a test again in a process of its own, and reports whether this is it.
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

// stuff makes the disk of this process one that takes no byte more, until the
// function that it returns is called.
func stuff(t *testing.T) (free func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ) // which comes with the error
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

// What is said while the disk takes nothing is answered, stays in the window,
// which says so, and is saved when there is room, in its order.
func TestWhatTheDiskDoesNotTakeWaits(t *testing.T) {
	if !alone(t) {
		return
	}
	s, path := archive(t)
	d := newDesk(t, Options{History: s, Agent: AgentOptions{NewSession: samples.Sessions(samples.Model(samples.Echo))}})
	d.show()
	d.chats.Send("before")
	d.until("the turn is kept", func() bool { return d.idle() && len(d.chats.Conversation().Thread.Turns) == 1 })
	free := stuff(t)
	for _, text := range []string{"one", "two"} {
		d.chats.Send(text)
		d.until("it is answered", d.idle)
	}
	d.until("the window says so", func() bool { return !d.chats.Cautions.Sign.Root.Hidden && d.reads(d.chats.Cautions.Unsaved) })
	if !strings.Contains(d.chats.Cautions.Unsaved, "keeps the conversation in memory") || !d.chats.Cautions.Sign.More.Hidden {
		t.Errorf("it says %q", d.chats.Cautions.Unsaved)
	}
	d.chats.NewChat()
	d.chats.Send("a new conversation")
	d.until("it is answered", d.idle)
	if n := len(d.chats.Chats); n != 2 || d.chats.Conversation().Chat.Len() != 2 || d.chats.Chats[0].Chat.Len()+d.chats.Chats[1].Chat.Len() != 8 {
		t.Errorf("%d conversations, %d items", n, d.chats.Conversation().Chat.Len())
	}
	free()
	d.until("it is saved", func() bool { return d.chats.Cautions.Unsaved == "" && d.chats.Cautions.Sign.Root.Hidden })
	d.until("and can be edited", func() bool {
		return len(d.chats.Chats[0].Thread.Turns)+len(d.chats.Chats[1].Thread.Turns) == 4
	})
	d.Close()
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
		t.Fatalf("%+v, %v", list, err) // whichever was written last
	}
	kept, err := s.Thread(t.Context(), list[before].ID)
	var said []string
	for _, turn := range kept.Turns {
		text, _ := chats.SplitMessage(turn.User)
		said = append(said, text)
		if turn.Ended.IsZero() || len(turn.Events) == 0 {
			t.Errorf("%q has no end", text)
		}
	}
	if err != nil || strings.Join(said, ", ") != "before, one, two" {
		t.Errorf("kept is %v, %v", said, err)
	}
}

// The window reports a history that can't be opened, with a button that tries again. The
// turns go on meanwhile; once it opens, all of them are in it, after what was
// there, and what was there is in the sidebar.
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
	before.Close()
	if err := errors.Join(s.Close(), os.Rename(dir, dir+"-away"), os.WriteFile(dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	s = store.Start(t.Context(), path)
	defer s.Close()
	d := newDesk(t, Options{History: s, Agent: AgentOptions{NewSession: samples.Sessions(samples.Model(samples.Echo))}})
	d.show()
	said := func() bool {
		_, ok := find(d, func(p *kit.Paragraph) bool {
			return strings.HasPrefix(richtext.PlainText(p.Spans), "goated can't save now: ")
		})
		return ok && !d.chats.Cautions.Sign.Root.Hidden && d.chats.Cautions.Sign.More.Hidden
	}
	d.until("the window says so", said)
	for _, text := range []string{"one", "two"} {
		d.chats.Send(text)
		d.until("it is answered", d.idle)
	}
	d.chats.NewChat()
	d.chats.Composer.Input.SetText("a draft")
	if len(d.shell.Toasts.List.Objects) > 0 {
		t.Error("it is reported twice")
	}
	again := d.button("Try again")
	test.Tap(again)
	if !again.Disabled() {
		t.Error("it can be pressed while it is tried")
	}
	d.until("it was in vain", func() bool { return d.reads("The history still can't be opened.") && said() && !again.Disabled() })
	if err := errors.Join(os.Remove(dir), os.Rename(dir+"-away", dir)); err != nil {
		t.Fatal(err)
	}
	test.Tap(again)
	d.until("it is open and all is saved", func() bool {
		return d.chats.Cautions.Sign.Root.Hidden && d.chats.Cautions.Unsaved == "" && d.chats.Cautions.Unopened == nil && len(d.chats.Chats) == 3
	})
	d.until("the draft is kept", func() bool {
		all, err := s.Conversations(t.Context())
		return err == nil && len(all) == 3 && all[0].Draft == "a draft"
	})
	var order []string
	for _, c := range d.chats.Chats {
		order = append(order, c.Heading())
	}
	if order[0] != "before" || order[1] != "one" {
		t.Errorf("the sidebar has, from below, %q", order)
	}
	d.chats.Choose(1)
	d.until("and can be edited", func() bool { return len(d.chats.Conversation().Thread.Turns) == 2 })
	d.says("three")
	d.Close()
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
	kept, err := reopened.Thread(t.Context(), list[0].ID)
	var texts []string
	for _, turn := range kept.Turns {
		text, _ := chats.SplitMessage(turn.User)
		texts = append(texts, text)
		if turn.Ended.IsZero() || len(turn.Events) == 0 {
			t.Errorf("%q has no end", text)
		}
	}
	if err != nil || strings.Join(texts, ", ") != "one, two, three" {
		t.Errorf("kept is %q, %v", texts, err)
	}
}

// Warnings stay until they are put away.
func TestWarnings(t *testing.T) {
	d := newDesk(t, Options{Warnings: []error{errors.New("the log can't be written"), errors.New("conversations are not kept")}})
	d.show()
	if !d.reads("The log can't be written.\nConversations are not kept.") {
		t.Error("they are not shown")
	}
	test.Tap(d.button("Dismiss"))
	if !d.chats.Cautions.Sign.Root.Hidden {
		t.Error("they stay")
	}
}

// The window reports a failure to save the settings once, and tries again.
func TestSettingsWriterTriesAgain(t *testing.T) {
	var saved []string
	told := 0
	full := true
	k := newSettingsWriter(func(s config.Settings) error {
		if full {
			return errors.New("the disk is full")
		}
		saved = append(saved, s.Theme)
		return nil
	}, func(error) { told++ })
	for _, theme := range []string{"dark", "light"} {
		k.Put(struct{}{}, config.Settings{Theme: theme})
		k.Flush(t.Context())
	}
	full = false
	k.Flush(t.Context()) // as in the end
	if told != 1 || len(saved) != 1 || saved[0] != "light" {
		t.Errorf("told %d times, saved %v", told, saved)
	}
}

func TestPictureCaution(t *testing.T) {
	matchGolden(t, "barred", false, func(d *desk) {
		d.chats.Chats[0].Chat = someChat()
		d.chats.Refresh()
		d.chats.Cautions.Bar(store.ErrReadOnly, func() {})
	})
	for _, dark := range []bool{false, true} {
		matchGolden(t, "caution", dark, func(d *desk) {
			d.chats.Chats[0].Chat = someChat()
			d.chats.Refresh()
			d.chats.Cautions.Warn(errors.New("the settings can't be read, so goated uses the defaults and does not save changes: reading /home/ada/.config/goated/settings.json: permission denied"))
			d.chats.Cautions.Pending(store.ErrFull)
		})
	}
}
