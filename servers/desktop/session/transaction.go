package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"goated/internal/truncate"
	"goated/servers/desktop/macosusesdk"
)

// A transaction contains the operations since it started.
type transaction struct {
	pb    *macosusesdk.Transaction
	alone bool // no other transaction may be open at the same time
	until time.Time
	steps []step // one for each successful operation
}

// A step is one operation of a transaction.
type step struct {
	what string
	undo func(context.Context) error // nil if it cannot be undone
}

// An Operation is a completed or failed operation on the desktop.
type Operation struct {
	Type     string // method, such as "MoveWindow"
	Resource string // what the operation acted on, in words
	Within   string // what the operation acted on, or the application of it, by its resource name; empty if it has none
	Err      error  // why it failed; nil if it succeeded
	// Undo restores what the operation changed. It is nil if that is impossible.
	Undo func(context.Context) error
}

// Record adds an operation to the history of a session. If name is empty, it adds the operation to
// every active session, because all sessions share one desktop.
func (s *Store) Record(name string, op Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	for _, x := range s.sessions {
		if name != "" && x.pb.Name != name || !x.ended.IsZero() {
			continue
		}
		rec := &macosusesdk.OperationRecord{OperationTime: timestamppb.New(s.now()), OperationType: op.Type, Resource: cut(op.Resource), Success: op.Err == nil, TransactionId: x.pb.TransactionId}
		if op.Err != nil {
			rec.Error = cut(op.Err.Error())
		}
		x.history = append(x.history, record{rec, cut(op.Within)})
		if over := len(x.history) - MaxHistory; over > 0 {
			x.history = append(x.history[:0:0], x.history[over:]...)
		}
		if x.tx != nil && op.Err == nil {
			x.tx.steps = append(x.tx.steps, step{op.Type + " " + cut(op.Resource), op.Undo})
			x.tx.pb.OperationsCount = int32(len(x.tx.steps))
		}
		x.touch(s.now())
	}
}

// cut limits the length of a text in the history.
func cut(s string) string { return truncate.Bytes(s, maxText) }

// Begin starts a transaction. The default isolation level is SERIALIZABLE, which allows no other
// transaction on the desktop. A timeout of 0 means [Transaction]. After the timeout, the
// transaction fails and its changes are kept.
func (s *Store) Begin(name string, level macosusesdk.BeginTransactionRequest_IsolationLevel, timeout time.Duration) (*macosusesdk.BeginTransactionResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.use(name)
	if err != nil {
		return nil, err
	}
	switch {
	case timeout < 0 || timeout > MaxTimeout:
		return nil, status.Errorf(codes.InvalidArgument, "the timeout is %v; it is at most %v", timeout, MaxTimeout)
	case timeout == 0:
		timeout = Transaction
	}
	if x.tx != nil {
		return nil, status.Errorf(codes.FailedPrecondition, "%s is in the transaction %s already", name, x.pb.TransactionId)
	}
	alone := level != macosusesdk.BeginTransactionRequest_ISOLATION_LEVEL_READ_COMMITTED
	for _, o := range s.sessions {
		if o.tx != nil && (alone || o.tx.alone) {
			return nil, status.Errorf(codes.FailedPrecondition, "%s is in a transaction, and one of the two is serializable; wait for it, or use READ_COMMITTED for both", o.pb.Name)
		}
	}
	now := s.now()
	id := "tx-" + rand.Text()[:12]
	x.tx = &transaction{alone: alone, until: now.Add(timeout), pb: &macosusesdk.Transaction{
		TransactionId: id, Session: name, State: macosusesdk.Transaction_STATE_ACTIVE, StartTime: timestamppb.New(now),
	}}
	x.pb.State, x.pb.TransactionId = macosusesdk.Session_STATE_IN_TRANSACTION, id
	return &macosusesdk.BeginTransactionResponse{TransactionId: id, Session: x.clone()}, nil
}

// close ends the session's transaction.
func (x *session) close(state macosusesdk.Transaction_State) *macosusesdk.Transaction {
	tx := x.tx
	x.tx, x.pb.TransactionId = nil, ""
	if x.pb.State == macosusesdk.Session_STATE_IN_TRANSACTION {
		x.pb.State = macosusesdk.Session_STATE_ACTIVE
	}
	tx.pb.State, tx.pb.UpdatedSession = state, x.clone()
	return proto.CloneOf(tx.pb)
}

// withTransaction returns the session that has the open transaction id. The caller holds mu.
func (s *Store) withTransaction(name, id string) (*session, error) {
	x, err := s.use(name)
	if err != nil {
		return nil, err
	}
	switch {
	case x.tx == nil:
		return nil, status.Errorf(codes.FailedPrecondition, "%s is in no transaction: it has ended, or its time is over; what was done in it stays done", name)
	case x.pb.TransactionId != id:
		return nil, status.Errorf(codes.FailedPrecondition, "%s is in the transaction %s, not in %q", name, x.pb.TransactionId, id)
	}
	return x, nil
}

// Commit ends a transaction and keeps its changes.
func (s *Store) Commit(name, id string) (*macosusesdk.Transaction, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.withTransaction(name, id)
	if err != nil {
		return nil, err
	}
	return x.close(macosusesdk.Transaction_STATE_COMMITTED), nil
}

// Rollback ends a transaction and undoes its operations, last one first. revision is the number of
// operations to keep; "", "0" and the transaction's id mean none. Operations that cannot be undone,
// such as key presses, stay. Then Rollback undoes as much as possible, and its error lists what
// remains (FAILED_PRECONDITION). The transaction has ended in any case.
func (s *Store) Rollback(ctx context.Context, name, revision, id string) (*macosusesdk.Transaction, error) {
	s.mu.Lock()
	x, err := s.withTransaction(name, id)
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	stay := 0
	if revision != "" && revision != id {
		if stay, err = strconv.Atoi(revision); err != nil || stay < 0 || stay > len(x.tx.steps) {
			s.mu.Unlock()
			return nil, status.Errorf(codes.InvalidArgument, "revision_id %q is not possible; it is the number of operations to keep, from 0 to %d", revision, len(x.tx.steps))
		}
	}
	steps := x.tx.steps[stay:]
	x.tx.pb.OperationsCount = int32(stay)
	tx := x.close(macosusesdk.Transaction_STATE_ROLLED_BACK)
	s.mu.Unlock() // undoing takes time and records operations itself

	var failed []error
	for i := len(steps) - 1; i >= 0; i-- {
		switch st := steps[i]; {
		case st.undo == nil:
			failed = append(failed, fmt.Errorf("%s cannot be undone", st.what))
		default:
			if err := st.undo(ctx); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", st.what, err))
			}
		}
	}
	if len(failed) > 0 {
		return tx, status.Errorf(codes.FailedPrecondition, "%d of %d operations stay done: %v", len(failed), len(steps), errors.Join(failed...))
	}
	return tx, nil
}
