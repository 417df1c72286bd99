package operations_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"goated/servers/desktop/operations"
)

func TestOperationsRunWaitAndCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := operations.New()
		defer s.Close()
		ctx := t.Context()
		sleep := func(d time.Duration) operations.Work {
			return func(ctx context.Context, update func(proto.Message)) (proto.Message, error) {
				update(wrapperspb.String("half"))
				select {
				case <-time.After(d):
					return wrapperspb.String("done"), nil
				case <-ctx.Done():
					return nil, context.Cause(ctx)
				}
			}
		}
		short, err := s.Start("sleep", wrapperspb.String("begun"), sleep(time.Second))
		if err != nil || short.Done {
			t.Fatal(short, err)
		}
		got, err := s.WaitOperation(ctx, &longrunningpb.WaitOperationRequest{Name: short.Name, Timeout: durationpb.New(time.Millisecond)})
		if err != nil || got.Done {
			t.Fatalf("after its timeout: %v, %v", got, err)
		}
		meta := new(wrapperspb.StringValue)
		if err := got.Metadata.UnmarshalTo(meta); err != nil || meta.Value != "half" {
			t.Errorf("progress %v, %v", meta, err)
		}
		got, err = s.WaitOperation(ctx, &longrunningpb.WaitOperationRequest{Name: short.Name})
		result := new(wrapperspb.StringValue)
		if err != nil || !got.Done || got.GetResponse().UnmarshalTo(result) != nil || result.Value != "done" {
			t.Fatalf("at its end: %v, %v", got, err)
		}
		long, err := s.Start("sleep", nil, sleep(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.DeleteOperation(ctx, &longrunningpb.DeleteOperationRequest{Name: long.Name}); status.Code(err) != codes.FailedPrecondition {
			t.Errorf("a running operation was deleted: %v", err)
		}
		if _, err := s.CancelOperation(ctx, &longrunningpb.CancelOperationRequest{Name: long.Name}); err != nil {
			t.Fatal(err)
		}
		got, err = s.WaitOperation(ctx, &longrunningpb.WaitOperationRequest{Name: long.Name})
		if err != nil || codes.Code(got.GetError().GetCode()) != codes.Canceled {
			t.Errorf("cancelled: %v, %v", got, err)
		}
		all, err := s.ListOperations(ctx, &longrunningpb.ListOperationsRequest{Name: "operations"})
		if err != nil || len(all.Operations) != 2 {
			t.Errorf("%v, %v", all, err)
		}
		if _, err := s.DeleteOperation(ctx, &longrunningpb.DeleteOperationRequest{Name: long.Name}); err != nil {
			t.Error(err)
		}
		if _, err := s.GetOperation(ctx, &longrunningpb.GetOperationRequest{Name: long.Name}); status.Code(err) != codes.NotFound {
			t.Errorf("a deleted operation: %v", err)
		}
		for range operations.MaxRunning {
			if _, err := s.Start("sleep", nil, sleep(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Start("sleep", nil, sleep(time.Hour)); status.Code(err) != codes.ResourceExhausted {
			t.Errorf("one too many: %v", err)
		}
	})
}

// headers records the header of a reply.
type headers struct {
	grpc.ServerTransportStream
	got metadata.MD
}

func (h *headers) SetHeader(md metadata.MD) error {
	h.got = metadata.Join(h.got, md)
	return nil
}

// The replies about an operation have the last values that its work sets for a header, and each value
// that it adds. Other replies have none of them.
func TestTheHeaderOfAnOperation(t *testing.T) {
	s := operations.New()
	defer s.Close()
	call := func(name string) metadata.MD {
		t.Helper()
		h := new(headers)
		o, err := s.WaitOperation(grpc.NewContextWithServerTransportStream(t.Context(), h), &longrunningpb.WaitOperationRequest{Name: name})
		if err != nil || !o.GetDone() {
			t.Fatal(o, err)
		}
		return h.got
	}
	with, err := s.Start("look", nil, func(ctx context.Context, _ func(proto.Message)) (proto.Message, error) {
		operations.AddHeader(ctx, "note", "a")
		operations.SetHeader(ctx, "gap", "first", "second")
		operations.AddHeader(ctx, "note", "b")
		operations.SetHeader(ctx, "gap", "last")
		operations.AddHeader(ctx, "note", "a")
		return wrapperspb.String("done"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	without, err := s.Start("look", nil, func(ctx context.Context, _ func(proto.Message)) (proto.Message, error) {
		operations.SetHeader(ctx, "gap", "first")
		operations.SetHeader(ctx, "gap")
		return wrapperspb.String("done"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := call(with.Name), call(without.Name); !slices.Equal(a.Get("gap"), []string{"last"}) || !slices.Equal(a.Get("note"), []string{"a", "b"}) || b.Len() > 0 {
		t.Errorf("%q, %q", map[string][]string(a), map[string][]string(b))
	}
	h := new(headers)
	ctx := grpc.NewContextWithServerTransportStream(t.Context(), h)
	operations.SetHeader(ctx, "gap", "here")
	operations.AddHeader(ctx, "note", "there")
	if gap, note := h.got.Get("gap"), h.got.Get("note"); !slices.Equal(gap, []string{"here"}) || !slices.Equal(note, []string{"there"}) {
		t.Errorf("outside of an operation %q, %q", gap, note)
	}
	operations.SetHeader(t.Context(), "gap", "nowhere")
}

// A panic fails its operation, but not the process.
func TestPanicFailsTheOperation(t *testing.T) {
	s := operations.New()
	defer s.Close()
	o, err := s.Start("fails", nil, func(context.Context, func(proto.Message)) (proto.Message, error) { panic("a bug") })
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.WaitOperation(t.Context(), &longrunningpb.WaitOperationRequest{Name: o.Name})
	if err != nil || codes.Code(got.GetError().GetCode()) != codes.Internal || got.GetError().GetMessage() != "the backend failed: a bug" {
		t.Errorf("%v, %v", got, err)
	}
}
