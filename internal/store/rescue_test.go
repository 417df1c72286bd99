package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/waittest"
)

// Closing while another process has locked the database takes little time, even for writers that
// already wait. The error contains the name of the file with the unsaved turns, and the next start
// imports it.
func TestCloseWhileLocked(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "a [history] of ?.db")
	s, err := open(ctx, path, time.Now, shortTiming(time.Hour)) // only PrepareExit ends a wait
	if err != nil {
		t.Fatal(err)
	}
	waits := make(chan struct{}, 1)
	s.base.wait.after = func(d time.Duration) <-chan time.Time {
		select {
		case waits <- struct{}{}:
		default:
		}
		return time.After(d)
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
	release := lockDatabase(t, s)
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
	waittest.Receive(t, "a write waits for the lock", waits)
	began := time.Now()
	s.PrepareExit()
	waittest.Return(t, "the writes give up", all.Wait)
	closed := s.Close()
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("closing took %v", took)
	}
	if !errors.Is(closed, ErrLocked) || !strings.Contains(closed.Error(), path+rescueInfix) {
		t.Errorf("Close returns %v", closed)
	}
	release()

	for start := range 2 {
		s, err = Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if imported := s.Warning() != nil && strings.Contains(s.Warning().Error(), "are back"); imported != (start == 0) {
			t.Errorf("start %d: the warning is %v", start, s.Warning())
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
			t.Errorf("start %d: %q is left", start, left)
		}
	}
}

// A damaged rescue file stays, with a warning. A file that was imported but could not be removed is not
// imported twice.
func TestRescueIsImportedOnce(t *testing.T) {
	t.Parallel()
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
	release := lockDatabase(t, s)
	s.base.wait.lock = 0
	if _, err := s.Begin(ctx, c.ID, "", words("a question")); !errors.Is(err, ErrPending) {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, ErrLocked) {
		t.Fatal(err)
	}
	release()
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
			t.Errorf("the warning is %v", s.Warning())
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(bad); err != nil {
			t.Error(err)
		}
	}
}

// Rescue files stay while the disk has no space for their contents, or if ctx has ended. A one-line
// warning reports that. A file left by a killed process is removed, but not a file that is being
// written.
func TestRescueWaitsForSpace(t *testing.T) {
	t.Parallel()
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
			t.Errorf("files %q, %v", found, err)
		}
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	fill(true)
	for _, try := range []struct {
		ctx  context.Context
		want error
	}{{ctx, ErrFull}, {over, context.Canceled}} {
		if w := s.base.db.importRescued(try.ctx); !errors.Is(w, try.want) || strings.Contains(w.Error(), "\n") || !strings.Contains(w.Error(), "1.json and 1 more file") || !strings.Contains(w.Error(), "next start") {
			t.Errorf("the warning is %v", w)
		}
		left("1.json", "2.json", "4.json.part")
	}
	fill(false)
	if w := s.base.db.importRescued(ctx); w == nil || strings.Contains(w.Error(), "\n") || !strings.Contains(w.Error(), "are back") {
		t.Errorf("the warning is %v", w)
	}
	left("4.json.part")
}

// An event that the database refuses is not rescued later.
func TestRefusedEventIsNotRescued(t *testing.T) {
	t.Parallel()
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
		t.Errorf("the rescue has %v", got)
	}
}

// Close rescues text that it cannot write because the database is damaged.
func TestCloseDamagedDatabaseRescues(t *testing.T) {
	t.Parallel()
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
	// Destroy everything that will be read from now on.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = out.WriteAt(make([]byte, info.Size()-4096), 4096)
	if err := errors.Join(err, out.Close(), os.Truncate(path+"-wal", 0)); err != nil {
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
		t.Errorf("Close returns %v", closed)
	}
	if s, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if w := fmt.Sprint(s.Warning()); !strings.Contains(w, quarantineInfix) || !strings.Contains(w, "are back") {
		t.Errorf("the warning is %v", w)
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
