package desktop

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"goated/internal/waittest"
	pb "goated/servers/desktop/macosusesdk"
)

// A client may end a call that is silent for a minute. So a long wait reports that it is still
// running, each time with a larger progress.
func TestALongCallIsNotSilent(t *testing.T) {
	f := newFake(t)
	m, s := newServer(Options{Getenv: f.environ, Log: io.Discard})
	s.progressInterval = time.Millisecond
	ours, theirs := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = m.Run(ctx, theirs) }() // ctx ends it
	defer func() { cancel(); waittest.Receive(t, "the server ends", ended) }()
	heard := make(chan float64, 1000)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			select {
			case heard <- r.Params.Progress:
			default:
			}
		},
	}).Connect(ctx, ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	call, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		p := &mcp.CallToolParams{Name: "wait", Arguments: json.RawMessage(`{"seconds":60}`)}
		p.SetProgressToken("t")
		_, _ = client.CallTool(call, p) // the test cancels it
	}()
	before := 0.0
	for range 3 {
		now := waittest.Receive(t, "the call says that it runs", heard)
		if now <= before {
			t.Errorf("the progress %g follows %g", now, before)
		}
		before = now
	}
	stop()
	waittest.Receive(t, "the call ends", done)
}

// A macro reports each action as progress.
func TestMacroReportsProgress(t *testing.T) {
	f := newFake(t)
	var mu sync.Mutex
	var messages []string
	s := connect(t, Options{Getenv: f.environ}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			messages = append(messages, r.Params.Message)
		},
	})
	step := int32(0)
	f.operation = func(op *longrunningpb.Operation) *longrunningpb.Operation {
		if step++; step > 3 {
			return op
		}
		metadata, err := anypb.New(&pb.ExecuteMacroMetadata{CurrentAction: step, TotalActions: 3})
		if err != nil {
			t.Error(err)
		}
		return &longrunningpb.Operation{Name: op.GetName(), Metadata: metadata}
	}
	params := &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"macro": "m"}}
	params.SetProgressToken("p")
	if r, err := s.CallTool(t.Context(), params); err != nil || r.IsError {
		t.Fatal(r, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(messages, ", "); got != "Action 1 of 3, Action 2 of 3, Action 3 of 3" {
		t.Error(got)
	}
	f.on("ExecuteMacro", func(proto.Message) (proto.Message, error) {
		return &pb.ExecuteMacroResponse{ActionsExecuted: 2, Error: "the window is gone"}, nil
	})
	text, data, failed := do(t, s, "run", `{"macro":"m"}`)
	if !failed || !strings.Contains(text, "It did not work: the window is gone (FAILED_PRECONDITION)") || data["actions_executed"] != 2.0 {
		t.Error(text, data)
	}
}
