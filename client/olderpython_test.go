//go:build unix

package client_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// An asked is the question that the server of [TestServerOfTheOlderPythonSDK] asks the user.
type asked struct {
	from    client.Asker
	message string
}

// The test covers everything that goated does with a server of version 1 of the Python SDK,
// which most servers use. The server starts once for all subtests, because each start takes a
// second of processor time. The last subtest disconnects it.
func TestServerOfTheOlderPythonSDK(t *testing.T) {
	t.Parallel()
	const limit = 2 * time.Second
	asks := make(chan asked)
	answers := make(chan *mcp.ElicitResult)
	h := host(t, client.Options{
		Env:      append(servertest.EnvironV1(t), "GEMINI_API_KEY=canary-1", "AWS_SECRET_ACCESS_KEY=canary-2"),
		Timeouts: client.Timeouts{Call: limit},
		Elicit: func(ctx context.Context, from client.Asker, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			asks <- asked{from, p.Message}
			select {
			case answer := <-answers:
				return answer, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
	})
	dir := t.TempDir()
	id := connect(t, h, client.Config{Path: servertest.Script("fast.py"), Env: []string{"MINE=yes"}, Grant: sandbox.Grant{Write: []string{dir}}})

	// Only the listed variables reach a server, and above all no key.
	t.Run("environment", func(t *testing.T) {
		r, err := h.Call(t.Context(), "fast__environment", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		env := said(t, r)
		if strings.Contains(env, "canary") || !strings.Contains(env, `"MINE": "yes"`) || !strings.Contains(env, `"PATH"`) {
			t.Errorf("environment of a server: %s", env)
		}
	})

	t.Run("list changed", func(t *testing.T) {
		if _, err := h.Call(t.Context(), "fast__grow", map[string]any{"name": "sprout"}, nil); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "the new tool is in the registry", func() bool { return len(h.FindByName("sprout")) == 1 })
		if err := h.Check(); err != nil {
			t.Error(err)
		}
	})

	// Log lines belong to a call while it is the only one running on its server. Otherwise they
	// belong to no call.
	t.Run("log lines", func(t *testing.T) {
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
	})

	// A flood of progress is reported only a few times. Its last report is not lost, and
	// neither is what arrives after the answer.
	t.Run("flood", func(t *testing.T) {
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
	})

	// A user may take longer to answer than a call may take.
	t.Run("elicitation", func(t *testing.T) {
		var result *mcp.CallToolResult
		ended := make(chan error, 1)
		go func() {
			var err error
			result, err = h.Call(t.Context(), "fast__ask", nil, nil)
			ended <- err
		}()
		if q := waittest.Receive(t, "the server asks", asks); q.from.Name != "fast" || !strings.HasSuffix(q.from.Start, "fast.py") || q.message != "What is your favourite colour?" {
			t.Errorf("%+v", q)
		}
		time.Sleep(limit + limit/4)
		answers <- &mcp.ElicitResult{Action: "accept", Content: map[string]any{"colour": "sage"}}
		if err := waittest.Receive(t, "the call ends", ended); err != nil || said(t, result) != "accept sage" {
			t.Errorf("%v %v", result, err)
		}
	})

	// The server's own error. The message matches row 9 of the seed's table.
	t.Run("failed call", func(t *testing.T) {
		r, err := h.Call(t.Context(), "fast__fail", map[string]any{"why": "no ink"}, nil)
		if want := "Tool execution failed: Error executing tool fail: no ink"; !errors.Is(err, client.ErrTool) || err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		if r == nil || !r.IsError {
			t.Errorf("the tool's own answer is lost: %+v", r)
		}
	})

	// A call that takes too long is cancelled on the server. Progress extends its time limit, but
	// not forever. The messages match row 8 of the seed's table.
	t.Run("time limit", func(t *testing.T) {
		h.SetTimeouts(0, 700*time.Millisecond)
		defer h.SetTimeouts(0, limit)
		late := func(tool string, args map[string]any, want string) {
			t.Helper()
			if _, err := h.Call(t.Context(), tool, args, nil); !errors.Is(err, client.ErrCallTimeout) || err.Error() != want {
				t.Errorf("got %v, want %q", err, want)
			}
		}
		mark := filepath.Join(dir, "mark")
		late("fast__slow", map[string]any{"mark": mark}, "Tool execution timeout after 0.7 seconds")
		waittest.Until(t, "the server cancels the call", func() bool { _, err := os.Stat(mark); return err == nil })
		began := time.Now()
		late("fast__count", map[string]any{"to": 1000, "pause": 0.05}, "Tool execution timeout after 7 seconds")
		if took := time.Since(began); took < 6*time.Second || took > 20*time.Second {
			t.Errorf("it took %v", took)
		}
		late("fast__count", map[string]any{"to": 2, "pause": 5}, "Tool execution timeout after 0.7 seconds")
	})

	// Disconnecting ends a running call with ErrDisconnected.
	t.Run("disconnect", func(t *testing.T) {
		ended := make(chan error, 1)
		go func() {
			_, err := h.Call(context.Background(), "fast__ask", nil, nil)
			ended <- err
		}()
		waittest.Receive(t, "the server asks", asks)
		if err := h.Disconnect(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if err := waittest.Receive(t, "the call ends", ended); !errors.Is(err, client.ErrDisconnected) {
			t.Errorf("the call ended with %v", err)
		}
	})
}
