package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/geminitest"
	"goated/internal/servertest"
	"goated/internal/store"
	"goated/internal/waittest"
)

// history opens the history of a place, like a window that is open.
func (p *place) history() *store.Store {
	p.t.Helper()
	s, err := store.Open(p.t.Context(), filepath.Join(p.home, "D", "history.db"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			p.t.Error(err)
		}
	})
	return s
}

// last returns the most recently used conversation.
func (p *place) last(s *store.Store) store.Thread {
	p.t.Helper()
	list, err := s.Conversations(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	found, err := chat.Find(list, chat.Last)
	if err != nil {
		p.t.Fatal(err)
	}
	thread, err := s.Thread(p.t.Context(), found.ID)
	if err != nil {
		p.t.Fatal(err)
	}
	return thread
}

// hold locks a file like another process would, until unlock is called.
func hold(t *testing.T, path string) (unlock func()) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(path)
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	return func() { _ = lock.Close() }
}

// with adds the flag for the data folder of history to args.
func (p *place) with(args ...string) []string {
	return slices.Concat([]string{"--data", filepath.Join(p.home, "D")}, args)
}

// A terminal chat is saved in the history of the window, which is open at the same time. The next
// start lists it, and sends its messages to the model.
func TestChatIsSavedAndResumed(t *testing.T) {
	p := newPlace(t)
	api := p.gemini()
	api.Script(geminitest.Text("Hello, Ada."), geminitest.Text("Your name is Ada."), geminitest.Text("Ada."))
	s := p.history()
	if out, aside, code := p.run(p.with("chat", "--no-bundled", "-p", "I am Ada")...); code != 0 || strings.Contains(aside, "goated: ") {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	thread := p.last(s)
	if len(thread.Turns) != 1 || thread.Conversation.Title != "I am Ada" || thread.Turns[0].Ended.IsZero() {
		t.Fatalf("the window sees %+v", thread)
	}
	out, _, code := p.run(p.with("chats", "--json")...)
	var list []struct {
		ID, Short, Title string
		Messages         int
		Pinned           bool
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 0 || len(list) != 1 || list[0].ID != thread.Conversation.ID || list[0].Messages != 1 {
		t.Fatalf("status %d, %v\n%s", code, err, out)
	}
	for _, ref := range []string{list[0].Short, chat.Last} {
		if out, aside, code := p.run(p.with("chat", "--no-bundled", "--resume", ref, "-p", "Who am I?")...); code != 0 || !strings.Contains(out, "Ada.") {
			t.Fatalf("--resume %s: status %d\n%s%s", ref, code, out, aside)
		}
	}
	if contents := api.Requests()[2].Contents; len(contents) != 5 || contents[0].Parts[0].Text != "I am Ada" || contents[3].Parts[0].Text != "Your name is Ada." {
		t.Errorf("the model gets %d contents", len(contents))
	}
	if thread = p.last(s); len(thread.Turns) != 3 || thread.Turns[2].Parent != thread.Turns[1].ID {
		t.Errorf("the window sees %d turns", len(thread.Turns))
	}
	if out, _, _ := p.run(p.with("chats")...); !strings.Contains(out, list[0].Short+"  just now   3         I am Ada\n") {
		t.Errorf("the table is\n%s", out)
	}
	api.Done()
}

// A chat in the terminal follows what another goated process adds to its conversation. It shows the
// additions, and its next message does not become another version of them.
func TestChatFollowsTheOtherGoated(t *testing.T) {
	p := newPlace(t)
	api := p.gemini()
	api.Script(geminitest.Text("Hello, Ada."), geminitest.Text("I note the cat."), geminitest.Text("A cat."))
	s := p.history()
	if out, aside, code := p.run(p.with("chat", "--no-bundled", "-p", "I am Ada")...); code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	screen, end := p.screen(p.with("chat", "--no-bundled", "--resume", "last")...)
	screen.wait("Hello, Ada.")
	screen.wait("› ")
	if out, aside, code := p.run(p.with("chat", "--no-bundled", "--resume", "last", "-p", "I have a cat")...); code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	_, _ = io.WriteString(screen.tty, "What do I have?\r")
	screen.wait("Another window or terminal continued this conversation. Your message comes after that:")
	screen.wait("› I have a cat")
	screen.wait("I note the cat.")
	screen.wait("A cat.")
	screen.wait("\x1b[?2004h› ")
	_, _ = io.WriteString(screen.tty, "\x04")
	if code := end(); code != 0 {
		t.Errorf("status %d", code)
	}
	if thread := p.last(s); len(thread.Turns) != 3 || len(thread.Turns[1].Siblings) != 1 || len(thread.History()) != 6 {
		t.Errorf("the conversation forked: %+v", thread.Turns)
	}
	if contents := api.Requests()[2].Contents; len(contents) != 5 {
		t.Errorf("the model gets %d contents", len(contents))
	}
	api.Done()
}

// A resumed chat begins with the end of the conversation. At its end it prints how to continue it.
func TestResumedChatShowsTheLastMessages(t *testing.T) {
	p := newPlace(t)
	for i, args := range [][]string{{"chat"}, {"chat", "--resume", "last"}, {"chat", "--resume", "last"}, {"chat", "--resume", "last"}} {
		if out, aside, code := p.run(p.with(append(args, "-p", "list the files in ."+strings.Repeat("/", i))...)...); code != 0 {
			t.Fatalf("status %d\n%s%s", code, out, aside)
		}
	}
	screen, end := p.screen(p.with("chat", "--resume", "last")...)
	screen.wait("Continuing “list the files in .”, last used just now.")
	screen.wait("One earlier turn is not shown.")
	screen.wait("› list the files in .///")
	screen.wait("✓ List a project directory")
	screen.wait("hello.txt")
	screen.wait("› ")
	_, _ = io.WriteString(screen.tty, "\x04")
	screen.wait("To continue it: goated chat --resume ")
	if code := end(); code != 0 {
		t.Errorf("status %d", code)
	}
}

// If a chat is killed while a tool runs, the history contains its message and its call, and a model
// accepts what the next chat sends.
func TestKilledChatIsResumed(t *testing.T) {
	p := newPlace(t)
	long := `/trigger-long-running-operation {"duration": 60, "steps": 4}`
	cmd := p.command(t.Context(), p.with("chat", "--yes", "--server", servertest.Everything(), "-p", long)...)
	aside, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for buffer := make([]byte, 4096); ; {
		n, err := aside.Read(buffer)
		if strings.Contains(string(buffer[:n]), "⚙ Trigger Long Running Operation") {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// The tool starts when its call and the decision are on the disk. Until then, the printed call
	// may only be in memory.
	s := p.history()
	waittest.Until(t, "the decision is saved", func() bool {
		return slices.ContainsFunc(p.last(s).Turns[0].Events, func(e agent.Event) bool { _, ok := e.(agent.ToolDecided); return ok })
	})
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	turn := p.last(s).Turns[0]
	called := slices.ContainsFunc(turn.Events, func(e agent.Event) bool { _, ok := e.(agent.ToolCalled); return ok })
	if turn.User[0].Text != long || !called || chat.Failure(turn) == nil {
		t.Fatalf("saved of the killed chat: %+v", turn)
	}
	api := p.gemini()
	api.Script(geminitest.Text("It was interrupted."))
	if out, aside, code := p.run(p.with("chat", "--no-bundled", "--resume", "last", "-p", "What happened?")...); code != 0 || !strings.Contains(out, "It was interrupted.") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if contents := api.Requests()[0].Contents; len(contents) < 3 || contents[2].Parts[0].FunctionResponse == nil {
		t.Errorf("the model gets %d contents", len(contents))
	}
	api.Done()
}

// Two terminals continue one conversation at the same time. Both turns are saved, as two versions
// or one after the other.
func TestTwoTerminalsContinueOneConversation(t *testing.T) {
	p := newPlace(t)
	if out, aside, code := p.run(p.with("chat", "-p", "list the files in .")...); code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if out, aside, code := p.run(p.with("chat", "--resume", "last", "-p", "list the files in .")...); code != 0 || strings.Contains(aside, "not saved") {
				t.Errorf("status %d\n%s%s", code, out, aside)
			}
		})
	}
	both.Wait()
	s := p.history()
	thread := p.last(s)
	end := thread.Turns[len(thread.Turns)-1]
	if n := len(thread.Turns) + len(end.Siblings) - 1; n != 3 || end.Ended.IsZero() {
		t.Errorf("%d turns are saved: %+v", n, thread.Turns)
	}
	if list, err := s.Conversations(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%d conversations, %v", len(list), err)
	}
}

// If a conversation cannot be resumed, goated exits with advice before it starts a server.
func TestResumeSaysWhatToDo(t *testing.T) {
	p := newPlace(t)
	refused := func(want string, args ...string) {
		t.Helper()
		if out, aside, code := p.run(p.with(args...)...); code != 1 || out != "" || !strings.Contains(aside, want) {
			t.Errorf("%q: status %d, %q\n%s", args, code, out, aside)
		}
	}
	refused(`"goated chat" starts one`, "chat", "--resume", "last", "-p", "hi")
	refused(`"goated chats" lists them`, "chat", "--resume", "nothing", "-p", "hi")
	refused(`"goated chats" lists them`, "chat", "--resume", "", "-p", "hi")
	refused("Use --resume or --no-history, not both", "chat", "--resume", "last", "--no-history", "-p", "hi")
}

// With --no-history nothing is saved, and listing creates no file.
func TestNoHistoryLeavesNothing(t *testing.T) {
	p := newPlace(t)
	if out, aside, code := p.run(p.with("chat", "--no-history", "-p", "list the files in .")...); code != 0 {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run(p.with("chats")...); code != 0 || out != "" || !strings.Contains(aside, "No conversation is saved yet") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, _, code := p.run(p.with("chats", "--json")...); code != 0 || out != "[]\n" {
		t.Errorf("status %d\n%s", code, out)
	}
	if left, _ := filepath.Glob(filepath.Join(p.home, "D", "history*")); left != nil {
		t.Errorf("left %q", left)
	}
}

// goated renames a damaged history, and saves the chat in a new one. It tells the user where the
// old one is.
func TestChatWithADamagedHistory(t *testing.T) {
	p := newPlace(t)
	path := filepath.Join(p.home, "D", "history.db")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("this is no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, aside, code := p.run(p.with("chat", "-p", "list the files in .")...)
	if code != 0 || !strings.Contains(out, "hello.txt") || strings.Count(aside, path+".corrupt-") != 1 {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if thread := p.last(p.history()); len(thread.Turns) != 1 {
		t.Errorf("%d turns are saved", len(thread.Turns))
	}
}

// While another process opens the history, the chat continues in memory. The turn is available at
// the next start.
func TestChatWithALockedHistory(t *testing.T) {
	p := newPlace(t)
	unlock := hold(t, filepath.Join(p.home, "D", "history.db.lock"))
	start := time.Now()
	out, aside, code := p.run(p.with("chat", "-p", "list the files in .")...)
	if code != 0 || !strings.Contains(out, "hello.txt") || !strings.Contains(aside, store.ErrLocked.Error()) {
		t.Errorf("status %d after %v\n%s%s", code, time.Since(start), out, aside)
	}
	unlock()
	if thread := p.last(p.history()); len(thread.Turns) != 1 || thread.Turns[0].User[0].Text != "list the files in ." {
		t.Errorf("saved: %+v", thread.Turns)
	}
}
