package dialogsocket

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"goated/internal/waittest"
	"goated/servers/pause/dialog"
)

// giveUp asks, and cancels as soon as the dialog is open. It returns the request of the open
// dialog.
func giveUp(t *testing.T, c *Client, u *user, caller dialog.Caller, q dialog.Question) Request {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := make(chan Request, 1)
	go func() { asked <- <-u.asked; cancel() }()
	if _, err := c.Ask(ctx, caller, q); !errors.Is(err, context.Canceled) {
		t.Fatalf("a caller that gave up got %v", err)
	}
	r := waittest.Receive(t, "the user is asked", asked)
	if waits := waittest.Receive(t, "the user is told that the caller gave up", r.Waits); waits {
		t.Error("the dialog says that its caller waits")
	}
	return r
}

// keeps waits until goated stores n answers and no dialog is open. An answer is stored before its
// dialog ends, and a caller that asks in between gets it from the dialog.
func (s *Server) keeps(t *testing.T, n int) {
	t.Helper()
	waittest.Until(t, fmt.Sprintf("%d kept answers and no open dialog", n), func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.answers.mu.Lock()
		defer s.answers.mu.Unlock()
		return len(s.answers.kept) == n && len(s.prompts) == 0
	})
}

// The dialog stays open after its caller has given up. Its answer is available when the same
// question comes again, even after a restart of goated. It is given only once.
func TestAnswerAfterTheCallerGaveUp(t *testing.T) {
	folder, u := t.TempDir(), newUser()
	s := listenAt(t, Options{Folder: folder, Ask: u.ask})
	giveUp(t, clientAt(t, folder), u, someone, question)
	select {
	case err := <-u.ended:
		t.Fatalf("the dialog closes when its caller gives up: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	u.answers <- dialog.Answer{Text: "Ada"}
	s.keeps(t, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	u = newUser()
	again := listenAt(t, Options{Folder: folder, Ask: u.ask})
	got, err := clientAt(t, folder).Ask(t.Context(), someone, question)
	if err != nil || got.Text != "Ada" || len(u.asked) > 0 {
		t.Fatalf("%+v, %v, asked %d times", got, err, len(u.asked))
	}
	again.keeps(t, 0) // goated has noticed that it was received
	u.answers <- dialog.Answer{Text: "Grace"}
	if got, err = clientAt(t, folder).Ask(t.Context(), someone, question); err != nil || got.Text != "Grace" {
		t.Errorf("an answer is given twice: %+v, %v", got, err)
	}
}

// If a caller asks again while the dialog is still open, it gets the answer of that dialog.
func TestAskingAgainTakesTheOpenDialog(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	c := clientAt(t, s.o.Folder)
	r := giveUp(t, c, u, someone, question)
	go func() {
		if waits := <-r.Waits; !waits {
			t.Error("the dialog does not hear that its caller asks again")
		}
		u.answers <- dialog.Answer{Text: "Ada"}
	}()
	if got, err := c.Ask(t.Context(), someone, question); err != nil || got.Text != "Ada" || len(u.asked) > 0 {
		t.Errorf("%+v, %v, asked %d times more", got, err, len(u.asked))
	}
}

// Another request must not get certain answers silently. The user has to confirm a yes to something
// dangerous, the choice of a plan, and every answer older than an hour.
func TestKeptAnswersAreConfirmed(t *testing.T) {
	yes, no := true, false
	options := []dialog.Option{{Label: "A", Value: "a"}}
	for name, test := range map[string]struct {
		question dialog.Question
		answer   dialog.Answer
		age      time.Duration
		asks     bool
	}{
		"a dangerous yes":       {&dialog.Confirm{Question: "Delete build/?", IsDangerous: true}, dialog.Answer{Confirmed: &yes}, 0, true},
		"a yes against default": {&dialog.Confirm{Question: "Send it?", DefaultToNo: &yes}, dialog.Answer{Confirmed: &yes}, 0, true},
		"a dangerous yes, text": {&dialog.Confirm{Question: "Delete build/?", IsDangerous: true}, dialog.Answer{SwitchToText: true, Text: "yes"}, 0, true},
		"a dangerous no":        {&dialog.Confirm{Question: "Delete build/?", IsDangerous: true}, dialog.Answer{Confirmed: &no}, 0, false},
		"a harmless yes":        {&dialog.Confirm{Question: "Begin?"}, dialog.Answer{Confirmed: &yes}, 0, false},
		"a plan":                {&dialog.Planner{DecisionContext: "How?", Options: options}, dialog.Answer{Choice: "a"}, 0, true},
		"a plan in words":       {&dialog.Planner{DecisionContext: "How?", Options: options}, dialog.Answer{SwitchToText: true, Text: "slowly"}, 0, true},
		"a new text":            {question, dialog.Answer{Text: "Ada"}, 59 * time.Minute, false},
		"an old text":           {question, dialog.Answer{Text: "Ada"}, 61 * time.Minute, true},
		"an old choice":         {&dialog.SingleChoice{Question: "Which?", Options: options}, dialog.Answer{Choice: "a"}, 61 * time.Minute, true},
	} {
		t.Run(name, func(t *testing.T) {
			if err := test.question.Check(); err != nil {
				t.Fatal(err)
			}
			u := newUser()
			s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
			c := clientAt(t, s.o.Folder)
			giveUp(t, c, u, someone, test.question)
			u.answers <- test.answer
			s.keeps(t, 1)
			s.answers.mu.Lock()
			for k, a := range s.answers.kept {
				a.Time = a.Time.Add(-test.age)
				s.answers.kept[k] = a
			}
			s.answers.mu.Unlock()
			if test.asks {
				u.answers <- test.answer
			}
			if _, err := c.Ask(t.Context(), someone, test.question); err != nil {
				t.Fatal(err)
			}
			switch {
			case len(u.asked) > 0 != test.asks:
				t.Fatalf("the user is asked %d times", len(u.asked))
			case test.asks:
				if r := waittest.Receive(t, "the user is asked", u.asked); r.Former == nil || r.Former.Text != test.answer.Text || r.Former.Choice != test.answer.Choice {
					t.Errorf("the dialog begins with %+v", r.Former)
				}
			}
		})
	}
}

// No caller gets an answer for which another caller waits: not another program, not another live
// session of the same program, and not a program without a name.
func TestKeptAnswersStayWithTheirCaller(t *testing.T) {
	for name, test := range map[string]struct {
		first, second dialog.Caller
		former        bool
	}{
		"another program": {someone, dialog.Caller{Name: "other", Folder: "/project"}, false},
		"another folder":  {someone, dialog.Caller{Name: "editor", Folder: "/other"}, false},
		"another session": {someone, someone, true},
		"without names":   {dialog.Caller{}, dialog.Caller{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser()
			s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
			giveUp(t, clientAt(t, s.o.Folder), u, test.first, question) // it stays connected
			u.answers <- dialog.Answer{Text: "of the first"}
			s.keeps(t, 1)
			u.answers <- dialog.Answer{Text: "of the second"}
			got, err := clientAt(t, s.o.Folder).Ask(t.Context(), test.second, question)
			if err != nil || got.Text != "of the second" {
				t.Fatalf("%+v, %v", got, err)
			}
			if r := waittest.Receive(t, "the user is asked", u.asked); (r.Former != nil) != test.former {
				t.Errorf("the dialog begins with %+v", r.Former)
			}
		})
	}
}

// After a restart of goated, the same request gets its answer without a second dialog, because its
// caller has waited all the time.
func TestTheSameRequestGetsItsAnswer(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	yes := true
	dangerous := &dialog.Confirm{Question: "Delete?", IsDangerous: true}
	kept := keptAnswer{Answer: dialog.Answer{Confirmed: &yes}, origin: origin{"1/editor", `"7"`}, Time: time.Now()}
	d := &openRequest{client: &client{name: "1/editor"}, id: []byte(`"7"`)}
	if !s.reusesAnswer(kept, d, dangerous) {
		t.Error("the request that was answered is asked again")
	}
	if d.id = []byte(`"8"`); s.reusesAnswer(kept, d, dangerous) {
		t.Error("another request gets the answer")
	}
}

// A program with short timeouts cannot cover the screen, because its oldest dialogs close.
func TestOnlyTheNewestGivenUpDialogsStay(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	c := clientAt(t, s.o.Folder)
	for i := range maxGivenUp + 2 {
		giveUp(t, c, u, someone, &dialog.TextInput{Question: fmt.Sprint("Question ", i), MaxLength: 10})
	}
	for range 2 {
		if err := waittest.Receive(t, "an older dialog closes", u.ended); !errors.Is(err, ErrCallerMovedOn) {
			t.Errorf("a dialog ends with %v", err)
		}
	}
}

// An abandoned dialog stays open until its program exits, even if that asks nothing else for a long
// time.
func TestGivenUpDialogOutlivesTheIdleConnection(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask, Grace: time.Millisecond})
	c := clientAt(t, s.o.Folder)
	c.Idle = time.Millisecond
	giveUp(t, c, u, someone, question)
	select {
	case err := <-u.ended:
		t.Fatalf("the dialog ends with %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	c.Close()
	if err := waittest.Receive(t, "the dialog closes", u.ended); !errors.Is(err, ErrCallerLeft) {
		t.Errorf("the dialog ends with %v", err)
	}
}

// If the caller exits or cancels while its answer is written to the disk, the request ends and the
// answer stays stored.
func TestAnswerMeetsTheEndOfItsCaller(t *testing.T) {
	for name, leave := range map[string]func(*Client){
		"it leaves":  func(c *Client) { c.Close() },
		"it cancels": func(*Client) {},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser()
			s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask, Grace: time.Millisecond})
			c := clientAt(t, s.o.Folder)
			c.Base = time.Hour // it does not reconnect
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() { defer close(ended); _, _ = c.Ask(ctx, someone, question) }()
			waittest.Receive(t, "the user is asked", u.asked)
			s.answers.writing.Lock() // simulates a slow disk
			write := sync.OnceFunc(s.answers.writing.Unlock)
			defer write()
			u.answers <- dialog.Answer{Text: "Ada"}
			waittest.Until(t, "the answer is being written to the disk", func() bool {
				s.answers.mu.Lock()
				defer s.answers.mu.Unlock()
				return len(s.answers.kept) == 1
			})
			if name == "it cancels" {
				cancel()
			}
			leave(c)
			waittest.Until(t, "goated has noticed", func() bool {
				s.mu.Lock()
				defer s.mu.Unlock()
				for p := range s.prompts {
					if p.owner != nil {
						return false
					}
				}
				return true
			})
			write()
			s.keeps(t, 1)
			cancel()
			waittest.Receive(t, "the question ends", ended)
			waittest.Until(t, "the request ends", func() bool { return s.tracker.Metrics().Active == 0 })
			if all := s.tracker.History(); len(all) != 1 {
				t.Errorf("the request ends %d times: %+v", len(all), all)
			}
		})
	}
}

// A program cannot use the name of another process.
func TestProcessOfAConnection(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	near, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	if got := processOf(far); got == "" || got == "unix" {
		t.Errorf("the process is %q", got)
	}
}
