package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"google.golang.org/genai"

	"goated/agent"
)

// besiege has another process, to all appearances, keep the database locked until
// the returned function is called.
func besiege(t *testing.T, s *Store) (leave func()) {
	t.Helper()
	other, err := sql.Open("sqlite", source(s.base.path))
	if err != nil {
		t.Fatal(err)
	}
	lock, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	leave = sync.OnceFunc(func() { _, _ = lock.Rollback(), other.Close() })
	t.Cleanup(leave)
	return leave
}

// Closing while another process keeps the database locked takes little time, says
// what is not saved and where it is, and the next start has it. What waits already
// does not wait as long as it would have.
func TestClosingWhileLocked(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "a [history] of ?.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := s.Begin(ctx, c.ID, "", words("a first question"))
	if err != nil {
		t.Fatal(err)
	}
	if err := begun.Record(ctx, agent.ToolReturned{Error: "on the disk"}); err != nil {
		t.Fatal(err)
	}
	leave := besiege(t, s)
	s.base.wait.limit = time.Hour // without Hurry, nothing would end
	var all sync.WaitGroup
	all.Go(func() {
		err := errors.Join(begun.Record(ctx, agent.TextDelta{Text: "its "}), begun.Record(ctx, agent.TextDelta{Text: "answer"}),
			begun.Contents(ctx, []*genai.Content{{Role: "model", Parts: words("its answer")}}), begun.End(ctx, errors.New("cut off")))
		if !errors.Is(err, ErrPending) {
			t.Errorf("recording: %v", err)
		}
	})
	all.Go(func() {
		if next, err := s.Begin(ctx, c.ID, begun.ID, words("a second question")); next == nil || !errors.Is(err, ErrPending) && !errors.Is(err, ErrLocked) {
			t.Errorf("beginning: %v", err)
		}
	})
	time.Sleep(300 * time.Millisecond) // they wait
	began := time.Now()
	s.Hurry()
	all.Wait()
	closed := s.Close()
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
	if !errors.Is(closed, ErrLocked) || !strings.Contains(closed.Error(), path+rescueInfix) {
		t.Errorf("it says %v", closed)
	}
	leave()

	for start := range 2 {
		s, err = Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if told := s.Warning() != nil && strings.Contains(s.Warning().Error(), "are back"); told != (start == 0) {
			t.Errorf("start %d warns of %v", start, s.Warning())
		}
		all := ""
		list, err := s.Conversations(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			data := new(strings.Builder)
			if err := s.ExportJSON(ctx, data, c.ID); err != nil {
				t.Fatal(err)
			}
			all += data.String()
		}
		for _, want := range []string{"a first question", "on the disk", "its answer", "cut off", "a second question"} {
			if !strings.Contains(all, want) {
				t.Errorf("start %d: %q is lost:\n%s", start, want, all)
			}
		}
		if len(list) != 2 {
			t.Errorf("start %d: %d conversations", start, len(list))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*unsaved*")); len(left) > 0 {
			t.Errorf("start %d leaves %q", start, left)
		}
	}
}

// A rescue that is damaged stays where it is, and that is told; one that was read
// and could not be removed is not read twice.
func TestRescuesAreReadOnce(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	besieged := besiege(t, s)
	s.base.wait.limit = 0
	if _, err := s.Begin(ctx, c.ID, "", words("a question")); !errors.Is(err, ErrPending) {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, ErrLocked) {
		t.Fatal(err)
	}
	besieged()
	found, err := filepath.Glob(path + rescueInfix + "*")
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	bad := path + rescueInfix + "1.json"
	for range 2 {
		if err := errors.Join(os.WriteFile(found[0], data, 0o600), os.WriteFile(bad, data[:len(data)/2], 0o600)); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(ctx, path); err != nil {
			t.Fatal(err)
		}
		list, err := s.Conversations(ctx)
		if err != nil || len(list) != 2 {
			t.Errorf("%d conversations, %v", len(list), err)
		}
		if s.Warning() == nil || !strings.Contains(s.Warning().Error(), bad) {
			t.Errorf("it warns of %v", s.Warning())
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(bad); err != nil {
			t.Error(err)
		}
	}
}

// Where there is no room for what was rescueInfix, or no time, it stays, and that is told
// in one line; what a kill left of a rescue is removed, what is being written is not.
func TestRescuesThatWait(t *testing.T) {
	ctx := t.Context()
	s, fill := full(t)
	big := strings.Repeat("much ", 100_000)
	doc := `{"format":"` + format + `","version":1,"conversations":[{"id":"","title":"rescued","draft":"` + big + `",
		"created":"2026-01-02T03:04:05Z","updated":"2026-01-02T03:04:05Z","turns":[]}]}`
	for _, name := range []string{"1.json", "2.json", "3.json.part", "4.json.part"} {
		if err := os.WriteFile(s.base.path+rescueInfix+name, []byte(doc), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	killed := time.Now().Add(-2 * partTime)
	if err := os.Chtimes(s.base.path+rescueInfix+"3.json.part", killed, killed); err != nil {
		t.Fatal(err)
	}
	left := func(names ...string) {
		t.Helper()
		found, err := filepath.Glob(s.base.path + rescueInfix + "*")
		for i := range found {
			found[i] = strings.TrimPrefix(found[i], s.base.path+rescueInfix)
		}
		if err != nil || !slices.Equal(found, names) {
			t.Errorf("left are %q, %v", found, err)
		}
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	fill(true)
	for _, try := range []struct {
		ctx  context.Context
		want error
	}{{ctx, ErrFull}, {over, context.Canceled}} {
		if w := s.base.db.importRescued(try.ctx); !errors.Is(w, try.want) || strings.Contains(w.Error(), "\n") || !strings.Contains(w.Error(), "1.json and 1 more") || !strings.Contains(w.Error(), "next start") {
			t.Errorf("it warns of %v", w)
		}
		left("1.json", "2.json", "4.json.part")
	}
	fill(false)
	if w := s.base.db.importRescued(ctx); w == nil || strings.Contains(w.Error(), "\n") || !strings.Contains(w.Error(), "are back") {
		t.Errorf("the warning is %v", w)
	}
	left("4.json.part")
}

// An event that the database refuses for what it is is not rescueInfix later.
func TestRefusedEventIsNotRescued(t *testing.T) {
	ctx := t.Context()
	s, _ := full(t)
	_, r := begun(t, s)
	if _, err := s.base.db.sql.Exec(`CREATE TRIGGER no BEFORE INSERT ON event WHEN new.body LIKE '%refused%' BEGIN SELECT raise(ABORT, 'no'); END`); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(ctx, agent.TextDelta{Text: "kept"}); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(ctx, agent.ToolReturned{Error: "refused"}); err == nil || errors.Is(err, ErrPending) {
		t.Fatal(err)
	}
	if got := r.draft.events; len(got) != 1 || got[0] != (agent.TextDelta{Text: "kept"}) {
		t.Errorf("a rescue has %v", got)
	}
}

// Opening does not wait for a locked database any longer than it is wanted.
func TestOpeningWhileLockedEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	besiege(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	o := Start(ctx, path)
	_, err = o.Conversations(t.Context())
	if took := time.Since(began); err == nil || took > 3*time.Second {
		t.Errorf("%v after %v", err, took)
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

// Who can't open the history since another process holds it is told so in a while,
// and what is said then waits; to close takes little time, also in the midst of an
// attempt, and what waited is there at the next start.
func TestStartWhileAnotherHoldsIt(t *testing.T) {
	for name, patience := range map[string]time.Duration{"told": 100 * time.Millisecond, "still waiting": time.Hour} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.db")
			lock := flock.New(path + ".lock")
			if err := lock.Lock(); err != nil {
				t.Fatal(err)
			}
			defer lock.Close()
			s := newStore(path, time.Now, patience)
			began := time.Now()
			s.start(t.Context())
			if patience < time.Hour {
				if _, err := s.Conversations(t.Context()); !errors.Is(err, ErrUnopened) || !errors.Is(err, ErrLocked) {
					t.Errorf("it is told %v", err)
				}
				if err := s.Retry(t.Context()); !errors.Is(err, ErrUnopened) || !errors.Is(err, ErrLocked) {
					t.Errorf("it is told again %v", err)
				}
				c, err := s.Create(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Begin(t.Context(), c.ID, "", words("a question")); !errors.Is(err, ErrPending) {
					t.Fatal(err)
				}
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("that took %v", took)
				}
			}
			began = time.Now()
			closed := s.Close()
			if took := time.Since(began); took > leaveTime+lastTime+3*time.Second {
				t.Errorf("closing took %v", took)
			}
			if patience == time.Hour {
				if closed != nil { // there was nothing to be kept
					t.Error(closed)
				}
				return
			}
			if closed == nil || !strings.Contains(closed.Error(), "read when goated starts again") {
				t.Errorf("it says %v", closed)
			}
			if err := lock.Unlock(); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if list, err := s.Conversations(t.Context()); err != nil || len(list) != 1 || list[0].Title != "a question" {
				t.Errorf("%+v, %v", list, err)
			}
		})
	}
}

// What was recorded and not written yet when the database turns out to be damaged
// is rescueInfix, too.
func TestClosingWhatIsDamagedRescues(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	r, err := s.Begin(ctx, c.ID, "", words("a question"))
	if err != nil {
		t.Fatal(err)
	}
	// All that is read from now on is no good.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	rot, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = rot.WriteAt(make([]byte, info.Size()-4096), 4096)
	if err := errors.Join(err, rot.Close(), os.Truncate(path+"-wal", 0)); err != nil {
		t.Fatal(err)
	}
	s.base.db.sql.SetMaxIdleConns(0)
	for _, text := range []string{"an answer ", "in pieces"} {
		if err := r.Record(ctx, agent.TextDelta{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	closed := s.Close()
	if closed == nil || !strings.Contains(closed.Error(), path+rescueInfix) {
		t.Errorf("it says %v", closed)
	}
	if s, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if w := fmt.Sprint(s.Warning()); !strings.Contains(w, quarantineInfix) || !strings.Contains(w, "are back") {
		t.Errorf("it warns of %v", w)
	}
	data := new(strings.Builder)
	all, err := s.Conversations(ctx)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if err := s.ExportJSON(ctx, data, all[0].ID); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a question", "an answer in pieces"} {
		if !strings.Contains(data.String(), want) {
			t.Errorf("%q is lost:\n%s", want, data)
		}
	}
}
