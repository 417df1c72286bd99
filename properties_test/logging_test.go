package properties_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goated/client"
	"goated/internal/waittest"
)

// failAfter is the timeout for the calls that must exceed it.
const failAfter = 150 * time.Millisecond

// A failure is a way in which an MCP operation fails.
type failure struct {
	name  string
	kind  error
	onBox bool // requires the server "box"
	do    func(t rapid.TB, h *client.Host) error
}

// failures holds every kind of failure that needs no long wait.
var failures = []failure{
	{"extension", client.ErrExtension, false, connecting(client.Config{Path: "/x.rb"})},
	{"missing", client.ErrNotFound, false, connecting(client.Config{Path: "/no/such/x.py"})},
	{"below a file", client.ErrNotFound, false, connecting(client.Config{Path: "/dev/null/x.py"})},
	{"no program", client.ErrStart, false, connecting(client.Config{Path: "/no/such/program", Bundled: true})},
	{"crash", client.ErrStart, false, connecting(box("bad", "crash"))},
	{"refuses", client.ErrProtocol, false, connecting(box("bad", "refuses"))},
	{"circles", client.ErrProtocol, false, connecting(box("bad", "circles"))},
	{"unknown", client.ErrToolNotFound, false, calling("box__unknown", nil)},
	{"unknown lookup", client.ErrToolNotFound, false, func(_ rapid.TB, h *client.Host) error {
		_, err := h.Lookup("box__unknown")
		return err
	}},
	{"tool error", client.ErrTool, true, calling("box__fail", map[string]any{"why": "no ink"})},
	{"tool tells", client.ErrTool, true, calling("box__fail", map[string]any{"why": "environment"})},
	{"silent error", client.ErrTool, true, calling("box__fail", nil)},
	{"rpc error", client.ErrTool, true, calling("box__refuse", nil)},
	{"bad arguments", client.ErrTool, true, calling("box__ok", map[string]any{"n": "x"})},
	{"timeout", client.ErrCallTimeout, true, calling("box__hang", nil)},
	{"dies", client.ErrDisconnected, true, calling("box__die", nil)},
}

func connecting(c client.Config) func(rapid.TB, *client.Host) error {
	return func(_ rapid.TB, h *client.Host) error {
		_, err := h.Connect(context.Background(), c)
		return err
	}
}

func calling(tool string, args map[string]any) func(rapid.TB, *client.Host) error {
	return func(_ rapid.TB, h *client.Host) error {
		_, err := h.Call(context.Background(), tool, args, nil)
		return err
	}
}

// A capture is a [slog.Handler] that keeps all records.
type capture struct {
	attrs []slog.Attr
	log   *captured
}

type captured struct {
	mu      sync.Mutex
	records []map[string]string // attributes, plus the level and the message
}

func (c *capture) Enabled(context.Context, slog.Level) bool { return true }
func (c *capture) WithGroup(string) slog.Handler            { return c }
func (c *capture) WithAttrs(a []slog.Attr) slog.Handler {
	return &capture{attrs: slices.Concat(c.attrs, a), log: c.log}
}

func (c *capture) Handle(_ context.Context, r slog.Record) error {
	record := map[string]string{"level": r.Level.String(), "text": r.Message}
	add := func(a slog.Attr) bool {
		record[a.Key] = a.Value.String()
		return true
	}
	for _, a := range c.attrs {
		add(a)
	}
	r.Attrs(add)
	c.log.mu.Lock()
	defer c.log.mu.Unlock()
	c.log.records = append(c.log.records, record)
	return nil
}

// errors returns the error records, and a record that contains secret, if there is one.
func (c *captured) errors(secret string) (errs []map[string]string, leaked string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.records {
		if r["level"] == slog.LevelError.String() || r["kind"] != "" {
			errs = append(errs, r)
		}
		if text := fmt.Sprint(r); strings.Contains(text, secret) {
			leaked = text
		}
	}
	return errs, leaked
}

func (c *captured) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.records = nil
}

// Property 7: "For any error that occurs during MCP operations (connection, initialization, tool
// execution), the system SHALL log the complete error details including error type, message, and
// stack trace to the console." Each error is logged exactly once, and never with a secret. All
// checks share one server per host. A check that ended the server starts it again.
func TestProperty7ErrorLogging(t *testing.T) {
	const canary = "canary-7-of-the-log"
	t.Setenv("GEMINI_API_KEY", canary)
	kept := &captured{}
	log := slog.New(&capture{log: kept})
	patient := newHost(t, client.Options{Logger: log}) // a busy server may need longer than failAfter to exit
	hasty := newHost(t, client.Options{Logger: log, Timeouts: client.Timeouts{Call: failAfter}})
	running := func(h *client.Host) bool {
		return slices.ContainsFunc(h.Snapshot().Servers, func(s client.Server) bool {
			return s.ID == "box" && s.Status == client.Connected
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 3).Draw(t, "failures") {
			f := rapid.SampledFrom(failures).Draw(t, "failure")
			h := patient
			if f.kind == client.ErrCallTimeout {
				h = hasty
			}
			if f.onBox && !running(h) {
				connect(t, h, box("box", "plain"))
			}
			kept.reset()
			err := f.do(t, h)
			if err == nil {
				t.Fatalf("%s: no error", f.name)
			}
			want := []string{fmt.Sprint(f.kind, ": ", err)}
			if f.kind == client.ErrDisconnected { // the server's exit is a separate error
				exit := client.Error{Kind: client.ErrExited, Err: fmt.Errorf("exit status 7: box: last words")}
				want = append(want, fmt.Sprint(client.ErrExited, ": ", exit.Error()))
				waittest.Until(t, "the server is given up", func() bool { return !running(h) })
				waittest.Until(t, "two errors", func() bool { errs, _ := kept.errors(canary); return len(errs) >= 2 })
			}
			errs, leaked := kept.errors(canary)
			if leaked != "" || strings.Contains(err.Error(), canary) {
				t.Fatalf("%s: a secret is logged: %s %s", f.name, leaked, err)
			}
			var got []string
			for _, r := range errs {
				got = append(got, r["kind"]+": "+r["message"])
				if !strings.Contains(r["stack"], "goated/client.") || !strings.Contains(r["stack"], ".go:") {
					t.Fatalf("%s: logged with the stack %q", f.name, r["stack"])
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: logged\n%q, want\n%q\n%v", f.name, got, want, errs)
			}
		}
	})
}

// Property 7, for kinds that are not in seed 003. One server has a tool that is off and two tools
// with the same name.
func TestProperty7OtherKinds(t *testing.T) {
	kept := &captured{}
	h := newHost(t, client.Options{Logger: slog.New(&capture{log: kept})})
	c := box("box", "plain")
	c.Off = []string{"ok"}
	connect(t, h, c)
	changed, err := h.Lookup("box__fail")
	if err != nil {
		t.Fatal(err)
	}
	other := *changed.Tool
	other.Description = "It did something else when the user approved it."
	changed.Tool = &other
	for _, f := range []failure{
		{"not reached", client.ErrReach, false, connecting(client.Config{URL: "http://127.0.0.1:1/mcp"})},
		{"off", client.ErrOff, true, calling("box__ok", nil)},
		{"changed", client.ErrChanged, true, func(t rapid.TB, h *client.Host) error {
			_, err := h.CallEntry(context.Background(), changed, nil, nil)
			return err
		}},
		{"uncallable", client.ErrUncallable, true, func(t rapid.TB, h *client.Host) error {
			if err := calling("box__offer", map[string]any{"names": []string{"twin", "twin"}})(t, h); err != nil {
				t.Fatal(err)
			}
			waittest.Until(t, "the host has read the new list", func() bool {
				return slices.ContainsFunc(h.Snapshot().Servers, func(s client.Server) bool { return len(s.Uncallable) > 0 })
			})
			return calling("box__twin", nil)(t, h)
		}},
	} {
		kept.reset()
		err := f.do(t, h)
		if !errors.Is(err, f.kind) {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		errs, _ := kept.errors("canary")
		if len(errs) != 1 || errs[0]["kind"] != f.kind.Error() || errs[0]["message"] != err.Error() || !strings.Contains(errs[0]["stack"], "goated/client.") {
			t.Errorf("%s: logged %v for %v", f.name, errs, err)
		}
	}
}

// Property 7, for the kind of error that takes a while.
func TestProperty7ConnectTimeout(t *testing.T) {
	kept := &captured{}
	h := newHost(t, client.Options{Logger: slog.New(&capture{log: kept}), Timeouts: client.Timeouts{Connect: 200 * time.Millisecond}})
	_, err := h.Connect(t.Context(), box("bad", "hang"))
	checkError(t, err, client.ErrConnectTimeout)
	if errs, _ := kept.errors("canary"); len(errs) != 1 || errs[0]["message"] != err.Error() || errs[0]["stack"] == "" {
		t.Errorf("logged %v for %v", errs, err)
	}
}
