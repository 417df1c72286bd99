// Package operations runs long-running operations (google.longrunning, AIP-151). Callers can query
// the progress and the result of an operation by its name, and cancel it.
//
// The package owns the goroutines of the operations. It must not know what they do.
package operations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/emptypb"
)

// The limits of operations.
const (
	MaxRunning = 64
	MaxKept    = 256              // including ended operations
	Kept       = 10 * time.Minute // how long the result of an ended operation remains available
	MaxWait    = 10 * time.Minute // maximum timeout of one WaitOperation
)

// A Work performs an operation. It may call update at any time to report progress. Its error has a
// code of package status.
type Work func(ctx context.Context, update func(metadata proto.Message)) (result proto.Message, err error)

// A Store holds operations and implements google.longrunning.Operations. Create one with New. The
// caller must close it. It is safe for concurrent use.
type Store struct {
	longrunningpb.UnimplementedOperationsServer

	ctx    context.Context // parent of the contexts of all operations
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu   sync.Mutex
	next int
	list []*operation // oldest first
}

type operation struct {
	store  *Store
	state  *longrunningpb.Operation // guarded by the store's mu
	header metadata.MD              // guarded by the store's mu
	cancel context.CancelCauseFunc
	done   chan struct{}
	ended  time.Time
}

// New returns an empty store.
func New() *Store {
	s := &Store{}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// errCancelled is the cause when an operation is cancelled.
var errCancelled = status.Error(codes.Canceled, "the operation was cancelled")

// Start starts an operation, which outlives the call that starts it. metadata may be nil.
func (s *Store) Start(kind string, metadata proto.Message, work Work) (*longrunningpb.Operation, error) {
	meta, err := pack(metadata)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ctx.Err(); err != nil {
		cancel(nil)
		return nil, status.Error(codes.Unavailable, "the backend is closing")
	}
	s.forget()
	running := 0
	for _, o := range s.list {
		if !o.state.Done {
			running++
		}
	}
	if running >= MaxRunning {
		cancel(nil)
		return nil, status.Errorf(codes.ResourceExhausted, "%d operations run already; wait for one or cancel it", running)
	}
	s.next++
	o := &operation{store: s, cancel: cancel, done: make(chan struct{}),
		state: &longrunningpb.Operation{Name: fmt.Sprintf("operations/%s-%d", kind, s.next), Metadata: meta}}
	s.list = append(s.list, o)
	s.all.Go(func() { o.run(ctx, work) })
	return clone(o.state), nil
}

// operationKey is the context key of an operation in the context of its work.
type operationKey struct{}

// SetHeader sets one header of all replies about the operation whose work has the context ctx. The
// values replace earlier values of this header. Outside an operation, it adds them to the header of
// the call's reply, like [grpc.SetHeader]. Without a call it does nothing.
func SetHeader(ctx context.Context, key string, values ...string) {
	changeHeader(ctx, key, values, func(md metadata.MD) {
		md.Delete(key) // Set without values changes nothing
		md.Append(key, values...)
	})
}

// AddHeader is like SetHeader, but keeps earlier values. It adds no value twice to an operation.
func AddHeader(ctx context.Context, key, value string) {
	changeHeader(ctx, key, []string{value}, func(md metadata.MD) {
		if !slices.Contains(md.Get(key), value) {
			md.Append(key, value)
		}
	})
}

// changeHeader changes the headers of the operation whose work has the context ctx. Outside an operation,
// it adds values to the reply of the call.
func changeHeader(ctx context.Context, key string, values []string, change func(metadata.MD)) {
	o, ok := ctx.Value(operationKey{}).(*operation)
	if !ok {
		_ = grpc.SetHeader(ctx, metadata.MD{key: values}) // fails only if there is no call
		return
	}
	o.store.mu.Lock()
	defer o.store.mu.Unlock()
	if o.header == nil {
		o.header = metadata.MD{}
	}
	change(o.header)
}

// attempt runs the work. A panic fails the operation, but not the process.
func attempt(ctx context.Context, work Work, update func(proto.Message)) (result proto.Message, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = status.Errorf(codes.Internal, "the backend failed: %v", p)
		}
	}()
	return work(ctx, update)
}

func (o *operation) run(ctx context.Context, work Work) {
	defer o.cancel(nil)
	ctx = context.WithValue(ctx, operationKey{}, o)
	result, err := attempt(ctx, work, func(metadata proto.Message) {
		if meta, err := pack(metadata); err == nil {
			o.store.mu.Lock()
			o.state.Metadata = meta
			o.store.mu.Unlock()
		}
	})
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errCancelled) {
		err = errCancelled
	}
	var response *anypb.Any
	if err == nil {
		response, err = pack(result)
	}
	o.store.mu.Lock()
	defer o.store.mu.Unlock()
	o.state.Done, o.ended = true, time.Now()
	if err != nil {
		o.state.Result = &longrunningpb.Operation_Error{Error: status.Convert(err).Proto()}
	} else {
		o.state.Result = &longrunningpb.Operation_Response{Response: response}
	}
	close(o.done)
}

// forget drops operations that ended long ago. If there are still too many, it drops the oldest
// ended ones.
func (s *Store) forget() {
	s.list = slices.DeleteFunc(s.list, func(o *operation) bool { return o.state.Done && time.Since(o.ended) > Kept })
	for i := 0; len(s.list) >= MaxKept && i < len(s.list); {
		if s.list[i].state.Done {
			s.list = slices.Delete(s.list, i, i+1)
		} else {
			i++
		}
	}
}

func (s *Store) find(name string) (*operation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.list {
		if o.state.Name == name {
			return o, nil
		}
	}
	return nil, status.Errorf(codes.NotFound, "there is no operation %q; results are kept for %v", name, Kept)
}

// snapshot returns the current state of an operation as the reply to a call, and sets the call's
// header.
func (s *Store) snapshot(ctx context.Context, o *operation) *longrunningpb.Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = grpc.SetHeader(ctx, o.header) // fails only if there is no call
	return clone(o.state)
}

// GetOperation returns the current state of an operation.
func (s *Store) GetOperation(ctx context.Context, r *longrunningpb.GetOperationRequest) (*longrunningpb.Operation, error) {
	o, err := s.find(r.GetName())
	if err != nil {
		return nil, err
	}
	return s.snapshot(ctx, o), nil
}

// ListOperations lists the operations on a single page, oldest first.
func (s *Store) ListOperations(_ context.Context, r *longrunningpb.ListOperationsRequest) (*longrunningpb.ListOperationsResponse, error) {
	if r.GetPageToken() != "" {
		return nil, status.Error(codes.InvalidArgument, "the list of operations has one page")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := new(longrunningpb.ListOperationsResponse)
	for _, o := range s.list {
		if name := r.GetName(); name == "" || name == "operations" || strings.HasPrefix(o.state.Name, strings.TrimSuffix(name, "/")+"/") {
			out.Operations = append(out.Operations, clone(o.state))
		}
	}
	return out, nil
}

// WaitOperation waits until an operation ends or the timeout passes, and returns its state.
func (s *Store) WaitOperation(ctx context.Context, r *longrunningpb.WaitOperationRequest) (*longrunningpb.Operation, error) {
	o, err := s.find(r.GetName())
	if err != nil {
		return nil, err
	}
	limit := MaxWait
	if r.Timeout != nil {
		limit = min(limit, max(0, r.GetTimeout().AsDuration()))
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-o.done:
	case <-late.C:
	case <-ctx.Done():
		return nil, status.FromContextError(ctx.Err()).Err()
	}
	return s.snapshot(ctx, o), nil
}

// CancelOperation cancels an operation. It does not change an operation that has ended.
func (s *Store) CancelOperation(_ context.Context, r *longrunningpb.CancelOperationRequest) (*emptypb.Empty, error) {
	o, err := s.find(r.GetName())
	if err != nil {
		return nil, err
	}
	o.cancel(errCancelled)
	return new(emptypb.Empty), nil
}

// DeleteOperation drops the result of an ended operation.
func (s *Store) DeleteOperation(_ context.Context, r *longrunningpb.DeleteOperationRequest) (*emptypb.Empty, error) {
	o, err := s.find(r.GetName())
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !o.state.Done {
		return nil, status.Error(codes.FailedPrecondition, "the operation still runs; cancel it first")
	}
	s.list = slices.DeleteFunc(s.list, func(p *operation) bool { return p == o })
	return new(emptypb.Empty), nil
}

// Close cancels all operations and waits for them.
func (s *Store) Close() {
	s.mu.Lock()
	s.cancel()
	s.mu.Unlock()
	s.all.Wait()
}

func pack(m proto.Message) (*anypb.Any, error) {
	if m == nil {
		return nil, nil
	}
	a, err := anypb.New(m)
	if err != nil {
		return nil, status.Errorf(codes.Internal, "packing %T: %v", m, err)
	}
	return a, nil
}

func clone(o *longrunningpb.Operation) *longrunningpb.Operation {
	return proto.Clone(o).(*longrunningpb.Operation)
}
