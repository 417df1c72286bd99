//go:build unix

package client_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
)

// A witness records reports of progress and log lines.
type witness struct {
	mu   sync.Mutex
	told []*mcp.ProgressNotificationParams
}

func (w *witness) report(p *mcp.ProgressNotificationParams) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, p)
}

func (w *witness) lines() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, p := range w.told {
		if p.Message != "" {
			out = append(out, strings.Split(p.Message, "\n")...)
		}
	}
	return out
}

func (w *witness) last() *mcp.ProgressNotificationParams {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.told) == 0 {
		return &mcp.ProgressNotificationParams{}
	}
	return w.told[len(w.told)-1]
}

// The reference server reports each step, which extends its call beyond the time limit.
func TestProgressOfTheReferenceServer(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Timeouts: client.Timeouts{Call: 700 * time.Millisecond}})
	connect(t, h, client.Config{Path: servertest.Everything(), Name: "everything"})
	var w witness
	r, err := h.Call(t.Context(), "everything__trigger-long-running-operation", map[string]any{"duration": 1.2, "steps": 4}, w.report)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(said(t, r), "Long running operation completed") {
		t.Errorf("said %q", said(t, r))
	}
	if len(w.told) != 4 {
		t.Fatalf("told %d times of 4", len(w.told))
	}
	for i, p := range w.told {
		if p.Total != 4 || i > 0 && p.Progress <= w.told[i-1].Progress {
			t.Errorf("report %d is %v of %v", i, p.Progress, p.Total)
		}
	}
}

// A server of the newest protocol sends log lines only for a call that requests them.
func TestLogLinesOfTheNewestProtocol(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Data: servertest.GoData(t)})
	connect(t, h, client.Config{Path: servertest.Script("simple.go")})
	var w witness
	if _, err := h.Call(t.Context(), "simple__tell", map[string]any{"a": 7, "b": 0}, w.report); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.lines(), []string{`{"a":7}`}) {
		t.Errorf("it logged %q", w.lines())
	}
}
