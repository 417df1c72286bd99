package store_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
)

// conversed is how many conversations the task "converse" records.
const conversed = 10

// start prepares a process of this program that runs a task.
func start(task, path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STORE_TASK="+task, "STORE_CHILD="+path)
	cmd.Stderr = new(bytes.Buffer)
	return cmd
}

// child runs the task of such a process.
func child(task, path string) error {
	ctx := context.Background()
	runtime.LockOSThread() // strace counts the calls of this thread
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	if s.Warning() != nil && task != "quarantine" {
		return s.Warning()
	}
	switch task {
	case "open":
		return s.Close()
	case "converse", "quarantine":
		for range conversed {
			if _, err := converse(ctx, s, 2, func(ack) {}); err != nil {
				return err
			}
		}
		return s.Close()
	case "send":
		out := json.NewEncoder(os.Stdout)
		return errors.Join(send(ctx, s, func(a ack) { _ = out.Encode(a) }), s.Close())
	}
	out := json.NewEncoder(os.Stdout) // writes each line at once
	for {
		if _, err := converse(ctx, s, 5, func(a ack) { _ = out.Encode(a) }); err != nil {
			return err
		}
	}
}

// An ack describes the data of a turn that the store has acknowledged.
type ack struct {
	Conversation, Turn string
	Number             int // of the turn
	Events             int
	Contents           int
	Ended              bool
	Waited             bool // some of it had to wait in memory
}

func eventsOf(number int) []agent.Event {
	return []agent.Event{
		agent.TextDelta{Text: fmt.Sprintf("Let me see about %d.", number)},
		agent.ToolCalled{ID: "call-1", Name: "f", Args: map[string]any{"n": json.Number(strconv.Itoa(number))}},
		agent.ToolReturned{ID: "call-1", Error: fmt.Sprintf("it is not %d", number)},
		agent.TextDelta{Text: fmt.Sprintf("There is no %d.", number)},
		agent.TurnEnded{Reason: agent.Done, Steps: 2},
	}
}

func contentsOf(number int) []*genai.Content {
	return []*genai.Content{
		{Role: genai.RoleUser, Parts: say(fmt.Sprint("ask ", number))},
		{Role: genai.RoleModel, Parts: []*genai.Part{{FunctionCall: &genai.FunctionCall{Name: "f"}, ThoughtSignature: []byte{1}}}},
		{Role: genai.RoleUser, Parts: []*genai.Part{{FunctionResponse: &genai.FunctionResponse{Name: "f", Response: map[string]any{"n": json.Number(strconv.Itoa(number))}}}}},
	}
}

// converse records turns and reports each acknowledgement at once.
func converse(ctx context.Context, s *store.Store, turns int, report func(ack)) (string, error) {
	c, err := s.Create(ctx)
	if err != nil {
		return "", err
	}
	parent := ""
	for number := range turns {
		r, err := s.Begin(ctx, c.ID, parent, say(fmt.Sprint("ask ", number)))
		if err != nil {
			return "", err
		}
		parent = r.ID
		a := ack{Conversation: c.ID, Turn: r.ID, Number: number}
		report(a)
		for i, e := range eventsOf(number) {
			if err := r.Record(ctx, e); err != nil {
				return "", err
			}
			if _, text := e.(agent.TextDelta); !text {
				a.Events = i + 1
				report(a)
			}
		}
		if err := r.Contents(ctx, contentsOf(number)); err != nil {
			return "", err
		}
		a.Contents = len(contentsOf(number))
		report(a)
		if err := r.End(ctx, nil); err != nil {
			return "", err
		}
		a.Ended = true
		report(a)
	}
	return c.ID, nil
}

// kill -9 at any moment loses no acknowledged data. GOATED_KILLS sets the number of kills.
func TestKill(t *testing.T) {
	t.Parallel()
	rounds := 6
	if n, err := strconv.Atoi(os.Getenv("GOATED_KILLS")); err == nil {
		rounds = n
	}
	dir := t.TempDir()
	const together = 25 // processes that use one file, one after another
	var turns, lost, corrupt atomic.Int64
	var all sync.WaitGroup
	work := func(first int) error {
		path := filepath.Join(dir, strconv.Itoa(first))
		acked := make(map[string]ack) // by turn
		for range min(together, rounds-first) {
			acks, err := killed(path)
			if err != nil {
				corrupt.Add(1)
				return err
			}
			for _, a := range acks {
				acked[a.Turn] = a
			}
			found, err := verify(path, acked)
			if err != nil {
				corrupt.Add(1)
				return err
			}
			lost.Add(int64(len(acked) - found))
		}
		turns.Add(int64(len(acked)))
		return nil
	}
	var next atomic.Int64
	for range 2 {
		all.Go(func() {
			for first := next.Add(together) - together; first < int64(rounds); first = next.Add(together) - together {
				if err := work(int(first)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if all.Wait(); lost.Load() > 0 {
		t.Errorf("%d turns were lost", lost.Load())
	}
	t.Logf("%d kills: %d turns acknowledged, %d of them lost, %d files could not be opened", rounds, turns.Load(), lost.Load(), corrupt.Load())
}

// killed runs a child that records, kills it, and returns its acknowledgements.
func killed(path string) ([]ack, error) {
	cmd := start("record", path)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	var all []ack
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var a ack
		if json.Unmarshal(lines.Bytes(), &a) != nil {
			break // an incomplete line
		}
		if len(all) == 0 {
			time.AfterFunc(time.Duration(rand.IntN(80_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
		all = append(all, a)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
		return nil, fmt.Errorf("the child exited without a signal: %w\n%s", err, cmd.Stderr)
	}
	return all, nil
}

// verify counts the acknowledged turns that are present with all of their acknowledged data, and reads
// everything else.
func verify(path string, acked map[string]ack) (found int, err error) {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err == nil {
		err = s.Warning()
	}
	if err != nil {
		return 0, err
	}
	list, err := s.Conversations(ctx)
	if err != nil {
		return 0, err
	}
	for _, c := range list {
		th, err := s.Thread(ctx, c.ID)
		if err != nil {
			return 0, err
		}
		if err := acceptable(th.History()); err != nil {
			return 0, err
		}
		for _, turn := range th.Turns {
			a, ok := acked[turn.ID]
			if !ok {
				continue
			}
			found++
			events, contents := eventsOf(a.Number), contentsOf(a.Number)
			if len(turn.Events) < a.Events || len(turn.Contents) < a.Contents || turn.Ended.IsZero() && a.Ended {
				return 0, fmt.Errorf("acknowledged %+v, found %+v", a, turn)
			}
			if !reflect.DeepEqual(turn.Events, events[:len(turn.Events)]) && len(turn.Events) > 0 {
				return 0, fmt.Errorf("events %+v", turn.Events)
			}
			if !reflect.DeepEqual(turn.Contents, contents[:len(turn.Contents)]) && len(turn.Contents) > 0 {
				return 0, fmt.Errorf("%d contents differ", len(turn.Contents))
			}
		}
	}
	if err := s.Close(); err != nil {
		return 0, err
	}
	return found, checkIntegrity(path)
}

// checkIntegrity returns the result of SQLite's integrity checks on a file.
func checkIntegrity(path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return errors.New(verdict)
	}
	_, err = db.Exec("INSERT INTO search (search) VALUES ('integrity-check')")
	return err
}

// send is the task that runs under strace. It records one message and its answer on one thread, so that
// strace can count calls. It waits for data that waits in memory.
func send(ctx context.Context, s *store.Store, report func(ack)) error {
	c, err := s.Create(ctx)
	if err != nil {
		return err
	}
	r, err := s.Begin(ctx, c.ID, "", say("ask 0"))
	if r == nil {
		return err
	}
	a := ack{Conversation: c.ID, Turn: r.ID}
	done := func(err error, add func()) error {
		switch {
		case errors.Is(err, store.ErrPending):
			a.Waited = true
		case err != nil:
			return err
		case add != nil && !a.Waited:
			add()
			report(a)
		}
		return nil
	}
	if err := done(err, func() {}); err != nil {
		return err
	}
	for i, e := range eventsOf(0) {
		var add func()
		if _, text := e.(agent.TextDelta); !text {
			add = func() { a.Events = i + 1 }
		}
		if err := done(r.Record(ctx, e), add); err != nil {
			return err
		}
	}
	if err := done(r.Contents(ctx, contentsOf(0)), func() { a.Contents = len(contentsOf(0)) }); err != nil {
		return err
	}
	if err := done(r.End(ctx, nil), func() { a.Ended = true }); err != nil {
		return err
	}
	for reason := range s.Pending(ctx) {
		if reason == nil {
			break
		}
	}
	a.Events, a.Contents, a.Ended = len(eventsOf(0)), len(contentsOf(0)), true
	report(a)
	return nil
}
