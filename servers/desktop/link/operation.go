package link

import (
	"context"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// Run calls a method that returns a long-running operation and waits for its response, but at most
// for limit. It calls progress, which may be nil, when the operation's metadata changes. Run
// cancels the operation if it stops waiting before the operation ends.
func (l *Link) Run(ctx context.Context, method string, req, reply proto.Message, limit time.Duration, progress func(*anypb.Any)) error {
	op := new(longrunningpb.Operation)
	if err := l.Call(ctx, method, req, op); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	operations := longrunningpb.NewOperationsClient(l.conn)
	var last *anypb.Any
	var header metadata.MD
	defer func() { addGaps(ctx, header) }() // of the last reply
	for wait := 10 * time.Millisecond; !op.GetDone(); wait = min(wait*3/2, 250*time.Millisecond) {
		if m := op.GetMetadata(); progress != nil && m != nil && !proto.Equal(m, last) {
			progress(m)
			last = m
		}
		pause := time.NewTimer(wait)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			l.cancel(operations, op.GetName())
			return l.failure(ctx.Err(), method)
		}
		one, stop := context.WithTimeout(ctx, l.timeout)
		header = nil
		next, err := operations.GetOperation(one, &longrunningpb.GetOperationRequest{Name: op.GetName()}, grpc.Header(&header))
		stop()
		if err != nil {
			// ctx may not have ended yet. The service has the same deadline and may end the call
			// first.
			l.cancel(operations, op.GetName())
			return l.failure(err, method)
		}
		op = next
	}
	if e := op.GetError(); e != nil {
		return l.explain(codes.Code(e.GetCode()), e.GetMessage(), method)
	}
	if err := op.GetResponse().UnmarshalTo(reply); err != nil {
		f := l.explain(codes.Internal, "", method)
		f.Message = "the server's answer to " + method + " has another type: " + err.Error()
		return f
	}
	return nil
}

// cancel cancels an operation that no caller waits for any longer. It is best effort.
func (l *Link) cancel(operations longrunningpb.OperationsClient, name string) {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	_, _ = operations.CancelOperation(ctx, &longrunningpb.CancelOperationRequest{Name: name})
}
