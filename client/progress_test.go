//go:build unix

package client_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
)

// A witness keeps what is reported.
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

// The reference server tells each step, and its call outlives the limit by it.
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

// Log lines are the call's while it runs alone on its server, and nobody's when
// it does not.
func TestLogLines(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: servertest.EnvironV1(t)})
	connect(t, h, client.Config{Path: servertest.Script("fast.py")})
	count := func(w *witness, args map[string]any) {
		if _, err := h.Call(t.Context(), "fast__count", args, w.report); err != nil {
			t.Error(err)
		}
	}
	var alone witness
	count(&alone, map[string]any{"to": 3, "pause": 0.05})
	if want := []string{"at 1", "warning: counted 1", "at 2", "warning: counted 2", "at 3", "warning: counted 3"}; !slices.Equal(alone.lines(), want) {
		t.Errorf("alone: %q", alone.lines())
	}
	var a, b witness
	var wg sync.WaitGroup
	wg.Go(func() { count(&a, map[string]any{"to": 2, "pause": 0.4}) })
	wg.Go(func() { count(&b, map[string]any{"to": 2, "pause": 0.4}) })
	wg.Wait()
	for _, w := range []*witness{&a, &b} {
		if !slices.Contains(w.lines(), "at 2") || w.last().Progress != 2 {
			t.Errorf("side by side: %q", w.lines())
		}
	}
	if n := len(a.lines()) + len(b.lines()); n > 6 {
		t.Errorf("log lines of two calls were given to one: %q, %q", a.lines(), b.lines())
	}
}

// A flood is reported a few times, its end is not lost, and what comes after the
// answer is.
func TestProgressFloodAndLateness(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: servertest.EnvironV1(t)})
	connect(t, h, client.Config{Path: servertest.Script("fast.py")})
	var w witness
	began := time.Now()
	if _, err := h.Call(t.Context(), "fast__count", map[string]any{"to": 1000, "late": true}, w.report); err != nil {
		t.Fatal(err)
	}
	n, most := len(w.told), int(time.Since(began).Seconds()*30)+2
	if n == 0 || n > most {
		t.Errorf("%d reports in %v", n, time.Since(began))
	}
	if w.last().Progress < 1000 {
		t.Errorf("the end of the flood is lost: %+v", w.last())
	}
	time.Sleep(300 * time.Millisecond)
	if _, err := h.Call(t.Context(), "fast__echo", map[string]any{"message": "still there"}, nil); err != nil {
		t.Error(err)
	}
	if len(w.told) != n {
		t.Error("a report came after the answer")
	}
}

// Progress buys time, but not for ever.
func TestTimeoutCountsFromTheLastProgress(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: servertest.EnvironV1(t), Timeouts: client.Timeouts{Call: 800 * time.Millisecond}})
	connect(t, h, client.Config{Path: servertest.Script("fast.py")})
	began := time.Now()
	_, err := h.Call(t.Context(), "fast__count", map[string]any{"to": 1000, "pause": 0.05}, nil)
	if want := "Tool execution timeout after 8 seconds"; !errors.Is(err, client.ErrCallTimeout) || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
	if took := time.Since(began); took < 7*time.Second || took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	_, err = h.Call(t.Context(), "fast__count", map[string]any{"to": 2, "pause": 5}, nil)
	if want := "Tool execution timeout after 0.8 seconds"; !errors.Is(err, client.ErrCallTimeout) || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// A server of the newest protocol logs only for a call that asks for it.
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
