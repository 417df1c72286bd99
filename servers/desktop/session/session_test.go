package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"goated/servers/desktop/macosusesdk"
)

const readCommitted = macosusesdk.BeginTransactionRequest_ISOLATION_LEVEL_READ_COMMITTED

// A clock is a clock that only the test advances.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newStore() (*Store, *clock) {
	c := &clock{time.Unix(1_000_000, 0)}
	return New(c.now), c
}

func code(t testing.TB, err error, want codes.Code) {
	t.Helper()
	if status.Code(err) != want {
		t.Errorf("%v, want %v", err, want)
	}
}

// A rollback restores the state of the desktop at the revision, no matter what was done.
func TestRollbackRestores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := newStore()
		x, err := s.Create("", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		begun, err := s.Begin(x.Name, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		state := make([]int, 3) // state of the windows
		states := [][]int{slices.Clone(state)}
		for range rapid.IntRange(0, 10).Draw(t, "operations") {
			i, was := rapid.IntRange(0, 2).Draw(t, "window"), 0
			if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				s.Record("", Operation{Type: "MoveWindow", Err: errors.New("failed"), Undo: func(context.Context) error { return errors.New("never") }})
				continue
			}
			was, state[i] = state[i], rapid.Int().Draw(t, "value")
			states = append(states, slices.Clone(state))
			s.Record("", Operation{Type: "MoveWindow", Resource: fmt.Sprint(i), Undo: func(context.Context) error { state[i] = was; return nil }})
		}
		keep := rapid.IntRange(0, len(states)-1).Draw(t, "revision")
		revision := strconv.Itoa(keep)
		if keep == 0 && rapid.Bool().Draw(t, "by name") {
			revision = begun.TransactionId // the tool's name for the start of the transaction
		}
		tx, err := s.Rollback(t.Context(), x.Name, revision, begun.TransactionId)
		if err != nil || tx.State != macosusesdk.Transaction_STATE_ROLLED_BACK || int(tx.OperationsCount) != keep {
			t.Fatal(tx, err)
		}
		if !slices.Equal(state, states[keep]) {
			t.Fatalf("%v, want %v", state, states[keep])
		}
	})
}

func TestRollbackSaysWhatStays(t *testing.T) {
	s, _ := newStore()
	x, _ := s.Create("a", "", nil)
	begun, _ := s.Begin(x.Name, 0, 0)
	undone := false
	s.Record("", Operation{Type: "MoveWindow", Undo: func(context.Context) error { undone = true; return nil }})
	s.Record("", Operation{Type: "PressKey", Resource: "applications/7"})
	_, err := s.Rollback(t.Context(), x.Name, "", begun.TransactionId)
	code(t, err, codes.FailedPrecondition)
	if !undone {
		t.Error("the other operation was not undone")
	}
	if got, _ := s.Get(x.Name); got.State != macosusesdk.Session_STATE_ACTIVE {
		t.Errorf("the session is %v", got.State)
	}
}

func TestSessionsLiveAndExpire(t *testing.T) {
	s, c := newStore()
	x, err := s.Create("work", "Work", map[string]string{"k": "v"})
	if err != nil || x.Name != "sessions/work" || x.State != macosusesdk.Session_STATE_ACTIVE || x.Metadata["k"] != "v" {
		t.Fatal(x, err)
	}
	x.Metadata["k"] = "changed outside"
	_, err = s.Create("work", "", nil)
	code(t, err, codes.AlreadyExists)
	for _, bad := range []string{"../x", "a/b", " ", "ä"} {
		_, err = s.Create(bad, "", nil)
		code(t, err, codes.InvalidArgument)
	}
	c.at = c.at.Add(59 * time.Minute)
	s.Record("", Operation{Type: "ClickElement", Resource: "the button Send", Within: "applications/7/elements/e1"})
	s.Record("sessions/work", Operation{Type: "CreateObservation", Resource: "clicks", Within: "applications/8/observations/o1"})
	s.Record("sessions/work", Operation{Type: "CreateInput", Within: "applications/-"})
	s.Record("sessions/other", Operation{Type: "Never"})
	c.at = c.at.Add(59 * time.Minute)
	snap, err := s.Snapshot("sessions/work")
	if err != nil || snap.Session.Metadata["k"] != "v" || len(snap.History) != 3 || !slices.Equal(snap.Applications, []string{"applications/7", "applications/8"}) || len(snap.Observations) != 1 {
		t.Fatal(snap, err)
	}
	begun, err := s.Begin("sessions/work", 0, 30*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	c.at = c.at.Add(61 * time.Minute)
	got, err := s.Get("sessions/work")
	if err != nil || got.State != macosusesdk.Session_STATE_EXPIRED || got.TransactionId != "" {
		t.Fatal(got, err)
	}
	_, err = s.Commit("sessions/work", begun.TransactionId)
	code(t, err, codes.FailedPrecondition)
	c.at = c.at.Add(kept)
	_, err = s.Get("sessions/work")
	code(t, err, codes.NotFound)
}

func TestTransactionsOfSeveralSessions(t *testing.T) {
	s, c := newStore()
	a, _ := s.Create("a", "", nil)
	b, _ := s.Create("b", "", nil)
	first, err := s.Begin(a.Name, 0, time.Minute)
	if err != nil || first.Session.State != macosusesdk.Session_STATE_IN_TRANSACTION {
		t.Fatal(first, err)
	}
	_, err = s.Begin(a.Name, 0, 0)
	code(t, err, codes.FailedPrecondition)
	_, err = s.Begin(b.Name, readCommitted, 0)
	code(t, err, codes.FailedPrecondition)
	_, err = s.Commit(a.Name, "tx-other")
	code(t, err, codes.FailedPrecondition)
	_, err = s.Rollback(t.Context(), a.Name, "1", first.TransactionId)
	code(t, err, codes.InvalidArgument)
	code(t, s.Delete(a.Name, false), codes.FailedPrecondition)
	c.at = c.at.Add(time.Minute) // the transaction fails and its changes are kept
	if _, err := s.Begin(a.Name, readCommitted, 0); err != nil {
		t.Error(err)
	}
	if _, err := s.Begin(b.Name, readCommitted, 0); err != nil {
		t.Error(err)
	}
	_, err = s.Begin(b.Name, readCommitted, time.Hour)
	code(t, err, codes.InvalidArgument)
	code(t, s.Delete(a.Name, true), codes.OK)
	code(t, s.Delete(a.Name, true), codes.NotFound)
	if got := s.List(); len(got) != 1 || got[0].Name != b.Name {
		t.Error(got)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	s, _ := newStore()
	for range MaxSessions {
		if _, err := s.Create("", "", nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.Create("", "", nil)
	code(t, err, codes.ResourceExhausted)
	for range MaxHistory + 10 {
		s.Record("sessions/s1", Operation{Type: "Click"})
	}
	if snap, _ := s.Snapshot("sessions/s1"); len(snap.History) != MaxHistory {
		t.Errorf("%d operations are kept", len(snap.History))
	}
}

// The data in sessions is limited, no matter what clients send.
func TestSessionsAreSmall(t *testing.T) {
	s, _ := newStore()
	large := strings.Repeat("日", MaxBytes)
	_, err := s.Create("", large, nil)
	code(t, err, codes.InvalidArgument)
	_, err = s.Create("", "", map[string]string{"k": large})
	code(t, err, codes.InvalidArgument)
	x, err := s.Create("", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Record("", Operation{Type: "OpenApplication", Resource: large, Err: errors.New(large)})
	snap, err := s.Snapshot(x.Name)
	if err != nil || proto.Size(snap) > 4<<10 {
		t.Errorf("a snapshot of %d bytes, %v", proto.Size(snap), err)
	}
}

// If a transaction's timeout has passed, nothing is undone, and the error reports it. The tool's
// description used to promise a rollback.
func TestALateTransactionStaysDone(t *testing.T) {
	s, c := newStore()
	x, err := s.Create("late", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := s.Begin(x.GetName(), 0, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	undone := false
	s.Record("", Operation{Type: "MoveWindow", Undo: func(context.Context) error { undone = true; return nil }})
	c.at = c.at.Add(time.Hour / 2)
	_, err = s.Rollback(t.Context(), x.GetName(), "", begun.GetTransactionId())
	if undone || err == nil || !strings.Contains(err.Error(), "what was done in it stays done") {
		t.Errorf("undone: %t, %v", undone, err)
	}
}
