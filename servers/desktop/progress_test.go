package desktop

import (
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/waittest"
)

// A client may end a call that is silent for a minute. So a long wait reports that it is still
// running, each time with a larger progress.
func TestALongCallIsNotSilent(t *testing.T) {
	f := newFake(t)
	m, s := newServer(Options{Getenv: f.environ, Log: io.Discard})
	s.beat = time.Millisecond
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
