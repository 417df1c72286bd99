package dialogsocket

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"goated/internal/waittest"
	"goated/servers/pause/dialog"
)

// A user answers dialogs in a test.
type user struct {
	asked   chan Request
	answers chan dialog.Answer
	ended   chan error // the reasons why dialogs closed without an answer
}

func newUser() *user {
	return &user{make(chan Request, 1000), make(chan dialog.Answer, 1000), make(chan error, 1000)}
}

func (u *user) ask(ctx context.Context, r Request) (dialog.Answer, error) {
	r.Shown()
	u.asked <- r
	select {
	case a := <-u.answers:
		a.Time = time.Unix(1, 0).UTC()
		return a, nil
	case <-ctx.Done():
		u.ended <- context.Cause(ctx)
		return dialog.Answer{}, context.Cause(ctx)
	}
}

func listenAt(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func clientAt(t *testing.T, folder string) *Client {
	t.Helper()
	c := &Client{Folder: folder, Base: time.Millisecond}
	t.Cleanup(c.Close)
	return c
}

var question = &dialog.TextInput{Question: "Name?", MaxLength: dialog.DefaultLength}

var someone = dialog.Caller{Name: "editor", Folder: "/project"}

func TestAnswerReachesItsCaller(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	c := clientAt(t, s.o.Folder)
	u.answers <- dialog.Answer{Text: "Ada", Attachments: []dialog.Attachment{{Name: "a.png", Type: "image/png", Data: []byte{1, 2, 3}}}}
	got, err := c.Ask(t.Context(), someone, question)
	if err != nil || got.Text != "Ada" || string(got.Attachments[0].Data) != "\x01\x02\x03" {
		t.Fatalf("%+v, %v", got, err)
	}
	waittest.Until(t, "the acknowledgement", func() bool { return s.Tracker().Metrics().Active == 0 })
	if m := s.Tracker().Metrics(); m.Completed != 1 || m.Active != 0 {
		t.Errorf("figures %+v", m)
	}
}

// A starting goated replaces the address file after it listens. A caller that read the previous
// goated's file must not be rejected permanently.
func TestCallerMeetsAStartingSocket(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	c := clientAt(t, s.o.Folder)
	address, err := c.address()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.o.Folder, addressFile)
	starting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := writeFile(path, address); err != nil {
			t.Error(err)
		}
		http.Error(w, "the token is wrong", http.StatusUnauthorized)
	}))
	defer starting.Close()
	old := Address{Network: "tcp", Address: starting.Listener.Addr().String(), Token: "that of the goated before"}
	if err := writeFile(path, old); err != nil {
		t.Fatal(err)
	}
	u.answers <- dialog.Answer{Text: "Ada"}
	if got, err := c.Ask(t.Context(), someone, question); err != nil || got.Text != "Ada" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCancelledDialogIsAnAnswer(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	u.answers <- dialog.Answer{Cancelled: true}
	got, err := clientAt(t, s.o.Folder).Ask(t.Context(), someone, question)
	if err != nil || !got.Cancelled || got.Time.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
	if m := s.Tracker().Metrics(); m.Cancelled != 1 {
		t.Errorf("figures %+v", m)
	}
}

// Each of 200 dialogs from 20 programs gets its own answer.
func TestAnswersOfManyCallers(t *testing.T) {
	var mu sync.Mutex
	open := 0
	all := make(chan struct{})
	s := listenAt(t, Options{Folder: t.TempDir(), process: func(c net.Conn) string { return c.RemoteAddr().String() + rand.Text() }, Ask: func(_ context.Context, r Request) (dialog.Answer, error) {
		r.Shown()
		mu.Lock()
		if open++; open == 200 {
			close(all)
		}
		mu.Unlock()
		<-all // all dialogs are open at the same time
		return dialog.Answer{Text: r.Caller.Name + " " + r.Question.Subject()}, nil
	}})
	var work sync.WaitGroup
	for i := range 20 {
		c := clientAt(t, s.o.Folder)
		for j := range 10 {
			work.Go(func() {
				name, subject := fmt.Sprint("program ", i), fmt.Sprint("question ", j)
				got, err := c.Ask(t.Context(), dialog.Caller{Name: name}, &dialog.TextInput{Question: subject, MaxLength: 100})
				if err != nil || got.Text != name+" "+subject {
					t.Errorf("%s of %s: %+v, %v", subject, name, got, err)
				}
			})
		}
	}
	waittest.Return(t, "all callers have their answers", work.Wait)
}

// After a lost connection, the user is not asked again, and the answer arrives over the next
// connection.
func TestReconnectAsksOnce(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask})
	c := clientAt(t, s.o.Folder)
	done := c.asks(t)
	waittest.Receive(t, "the user is asked", u.asked)
	c.cut(t)
	u.answers <- dialog.Answer{Text: "Ada"}
	if got := waittest.Receive(t, "the caller has the answer", done); got.Text != "Ada" {
		t.Errorf("%+v", got)
	}
	if len(u.asked) != 0 {
		t.Error("the user was asked twice")
	}
}

func TestDialogClosesWhenItsCallerLeaves(t *testing.T) {
	u := newUser()
	s := listenAt(t, Options{Folder: t.TempDir(), Ask: u.ask, Grace: time.Millisecond})
	c := &Client{Folder: s.o.Folder, Base: time.Hour} // it does not reconnect
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	t.Cleanup(func() { cancel(); waittest.Receive(t, "the question ends", done); c.Close() })
	go func() { defer close(done); _, _ = c.Ask(ctx, someone, question) }()
	waittest.Receive(t, "the user is asked", u.asked)
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	_ = l.ws.NetConn().Close()
	if err := waittest.Receive(t, "the dialog closes", u.ended); !errors.Is(err, ErrCallerLeft) {
		t.Errorf("the dialog ends with %v", err)
	}
}

// If goated is not running, the caller gets an error and never an answer.
func TestWithoutGoated(t *testing.T) {
	folder := t.TempDir()
	if _, err := clientAt(t, folder).Ask(t.Context(), someone, question); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	u := newUser()
	u.answers <- dialog.Answer{Text: "Ada"}
	c := clientAt(t, folder)
	c.Start = func(context.Context) error {
		listenAt(t, Options{Folder: folder, Ask: u.ask})
		return nil
	}
	if got, err := c.Ask(t.Context(), someone, question); err != nil || got.Text != "Ada" {
		t.Errorf("a goated that is started: %+v, %v", got, err)
	}
}

func TestFilesOfTheSocketAreTheUsers(t *testing.T) {
	s := listenAt(t, Options{Folder: filepath.Join(t.TempDir(), "dialogs"), Ask: newUser().ask})
	for name, want := range map[string]os.FileMode{"": 0o700, addressFile: 0o600, "dialogs.sock": 0o600} {
		info, err := os.Stat(filepath.Join(s.o.Folder, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%q has mode %v, %v", name, info.Mode(), err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.o.Folder, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if _, err := Listen(Options{Folder: t.TempDir(), Ask: newUser().ask, TCP: "0.0.0.0:0"}); err == nil {
		t.Error("the socket listens on all interfaces")
	}
}
