//go:build unix

package client_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/waittest"
	"goated/internal/wording"
)

// A fault is one thing that a server does wrong, and the expected result.
type fault struct {
	number string // in docs/faults.md
	mode   string // for testdata/misbehave, with its argument
	o      client.Options
	not    string        // the error of connecting; empty: it succeeds
	says   string        // the answer of the tool "one"; empty: its call fails
	fails  string        // the error of calling it; empty: it succeeds
	kind   error         // the kind of either error
	within time.Duration // the limit of the call; 0 means 10 s
	lives  bool          // the session continues: another tool answers
	over   bool          // the session is over, although the call was answered
	fast   bool          // it needs fast reading, so the race detector is too slow
	then   func(testing.TB, client.Server)
}

const small = 1 << 20

// faults are the faults of a server at the protocol level. Each makes at most one call fail,
// with a clear sentence.
var faults = []fault{
	{number: "F00 no fault", says: "done", lives: true, then: clean},
	{number: "F01, F02 lines that are no messages", mode: "junk", says: "done", lives: true, then: stray(3)},
	{number: "F02 only such lines", mode: "banner", not: "MCP protocol error: the server writes something other than MCP messages to its stdout, last: I am not a message", kind: client.ErrProtocol},
	{number: "F02 from some time on", mode: "noise", fails: "Server disconnected during execution", kind: client.ErrDisconnected,
		then: failedWith("MCP protocol error: the server writes something other than MCP messages to its stdout, last: I am not a message")},
	{number: "F03 CRLF and byte order marks", mode: "crlf", says: "done", lives: true, then: func(t testing.TB, s client.Server) {
		if s.Noise.CRLF < 3 || s.Noise.BOM != 1 || s.Noise.Lines != 0 {
			t.Errorf("counted %+v", s.Noise)
		}
	}},
	{number: "F03 UTF-16", mode: "utf16", o: client.Options{Timeouts: client.Timeouts{Connect: time.Second}}, not: "Connection timeout after 1 second", kind: client.ErrConnectTimeout,
		then: cause(diagnose.NotMCP)},
	{number: "F04 no newline at the end", mode: "eof", says: "done"},
	{number: "F05 a byte at a time", mode: "split", says: "dön€", lives: true},
	{number: "F06 one byte less than the limit", mode: "size 1048575", o: client.Options{MaxFrame: small}, says: "xxxx", lives: true},
	{number: "F06 the limit", mode: "size 1048576", o: client.Options{MaxFrame: small}, says: "xxxx", lives: true},
	{number: "F06 one byte more", mode: "size 1048577", o: client.Options{MaxFrame: small}, fails: "Tool execution failed: the server's message is too large: more than 1 MiB", kind: client.ErrTool, lives: true},
	{number: "F06 the id at the end", mode: "sizeend 3000000", o: client.Options{MaxFrame: small}, fails: "Tool execution failed: the server's message is too large: more than 1 MiB", kind: client.ErrTool, lives: true},
	{number: "F06 no id", mode: "sizeless 3000000", o: client.Options{MaxFrame: small}, fails: "Tool execution failed: the server's message is too large: more than 1 MiB", kind: client.ErrTool, lives: true},
	{number: "F07 a line without end", mode: "endless", o: client.Options{MaxFrame: small}, fails: "Tool execution failed: the server's message is too large: more than 1 MiB", kind: client.ErrTool,
		then: failedWith("MCP protocol error: the server sends a message that does not end")},
	{number: "F08 200,000 levels", mode: "deep 200000", fails: "Tool execution failed: the server's message is nested more than 512 levels deep", kind: client.ErrTool, lives: true},
	{number: "F08 500 levels", mode: "deep 500", says: "", lives: true},
	{number: "F09 a key twice", mode: "twice", fails: "Tool execution failed: the server's message has a duplicate key", kind: client.ErrTool, lives: true},
	{number: "F08 600 levels, and the id behind", mode: "deepend", fails: "Tool execution failed: the server's message is nested more than 512 levels deep", kind: client.ErrTool, lives: true},
	{number: "F09 a key twice, and the id behind", mode: "twiceend", fails: "Tool execution failed: the server's message has a duplicate key", kind: client.ErrTool, lives: true},
	{number: "F09 a key twice, once in escapes", mode: "escaped", fails: "Tool execution failed: the server's message has a duplicate key", kind: client.ErrTool, lives: true},
	{number: "F09 a key in capital letters", mode: "variant", fails: "Tool execution failed: the server's message has a key that differs only in case from another key or from one of the protocol's", kind: client.ErrTool, lives: true},
	{number: "F09 bytes that are no text", mode: "badutf8", says: "a\uFFFDb", lives: true},
	{number: "F10 answers to nothing, and twice", mode: "badid", says: "done", lives: true, then: func(t testing.TB, s client.Server) {
		if s.Noise.Unasked != 3 {
			t.Errorf("%d answers to nothing, not 3", s.Noise.Unasked)
		}
	}},
	{number: "F10 the id as a fraction", mode: "fraction", says: "done", lives: true},
	{number: "F10 neither result nor error", mode: "neither", fails: "Tool execution failed: the server's message has neither a result nor an error", kind: client.ErrTool, lives: true},
	{number: "F10 both", mode: "both", fails: "Tool execution failed: the server's message has both a result and an error", kind: client.ErrTool, lives: true},
	{number: "F10 no version", mode: "noversion", fails: `Tool execution failed: the server's message does not say "jsonrpc": "2.0"`, kind: client.ErrTool, lives: true},
	{number: "F10 the id as a text", mode: "wrongmail", o: client.Options{Timeouts: client.Timeouts{Connect: time.Second}}, not: "Connection timeout after 1 second", kind: client.ErrConnectTimeout},
	{number: "F11 answers before the question", mode: "early", says: "done", lives: true},
	{number: "F12 a request that we do not know", mode: "asks", says: "This server asked for an answer of your model (sampling). goated does not do that.", lives: true},
	{number: "F12 busy on 2026-07-28", mode: "postpones", says: "done", lives: true},
	{number: "F12 busy on 2026-07-28, and no questions", mode: "postpones ,\"inputRequests\":{}", says: "done", lives: true},
	{number: "F12 a request on 2026-07-28", mode: "modern", says: "-32601", then: func(t testing.TB, s client.Server) {
		if !slices.Contains(s.Stderr, "stdout: a request that MCP 2026-07-28 does not have: ping") {
			t.Errorf("the log has %q", s.Stderr)
		}
	}},
	{number: "F12 a thousand questions at once", mode: "interrogates", o: client.Options{Elicit: mutely}, fails: "Server disconnected during execution", kind: client.ErrDisconnected,
		then: failedWith("MCP protocol error: the server has more than 64 open requests at once")},
	{number: "F12 a hundred questions of one id", mode: "repeats", o: client.Options{Elicit: slowly}, says: "decline", lives: true, then: func(t testing.TB, s client.Server) {
		if !slices.Contains(s.Stderr, "stdout: the server used the id of a request that goated has not answered yet: elicitation/create") {
			t.Errorf("the log has %q", s.Stderr)
		}
	}},
	{number: "F13 a batch where there are none", mode: "batch", says: "single", lives: true, then: stray(1)},
	{number: "F13 a batch where there are", mode: "oldbatch", says: "batched", lives: true, then: clean},
	{number: "F14 a byte a second", mode: "slow", o: client.Options{Timeouts: client.Timeouts{Call: 700 * time.Millisecond}}, fails: "Tool execution timeout after 0.7 seconds", kind: client.ErrCallTimeout, within: 900 * time.Millisecond},
	{number: "F14 when connecting", mode: "drip", o: client.Options{Timeouts: client.Timeouts{Connect: time.Second}}, not: "Connection timeout after 1 second", kind: client.ErrConnectTimeout},
	{number: "F15 stdin is not read", mode: "unread", o: client.Options{Timeouts: client.Timeouts{Call: 700 * time.Millisecond}}, fails: "Tool execution timeout after 0.7 seconds", kind: client.ErrCallTimeout, within: 900 * time.Millisecond},
	{number: "F16 stdout is closed", mode: "closes-stdout", fails: "Server disconnected during execution", kind: client.ErrDisconnected, within: 300 * time.Millisecond,
		then: failedWith("MCP protocol error: the server closed its stdout")},
	{number: "F17 stdin is closed with the last request", mode: "closes-stdin", says: "done", over: true, then: failedWith("MCP protocol error: the server closed its stdin")},
	{number: "F17 and the answer comes later", mode: "closes-stdin-answers-later", says: "done", over: true, then: failedWith("Server exited: it exited without output")},
	{number: "F17 stdin is closed when nothing is asked", mode: "closes-stdin-when-idle", says: "done", over: true, then: failedWith("MCP protocol error: the server closed its stdin")},
	{number: "F18 16 MiB of stderr", mode: "stderr 16", says: "done", lives: true, then: func(t testing.TB, s client.Server) {
		if n := len(strings.Join(s.Stderr, "")); n == 0 || n > 64<<10 {
			t.Errorf("%d bytes of stderr are kept", n)
		}
	}},
	{number: "F19 a million blank lines", mode: "blank", says: "done", lives: true, then: func(t testing.TB, s client.Server) {
		if s.Noise.Blank != 1000000 || s.Noise.Lines != 0 {
			t.Errorf("counted %+v", s.Noise)
		}
	}},
	{number: "F19 blank lines without end", mode: "flood", fails: "Server disconnected during execution", kind: client.ErrDisconnected, within: time.Minute, then: flooded("blank lines")},
	{number: "F19 a notification that nobody knows, without end", mode: `flood {"jsonrpc":"2.0","method":"notifications/x"}`, fails: "Server disconnected during execution", kind: client.ErrDisconnected, within: time.Minute, fast: true, then: flooded("notifications/x")},
	{number: "F19 a notification that nobody wants, without end", mode: `flood {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a"}}`, fails: "Server disconnected during execution", kind: client.ErrDisconnected, within: time.Minute, fast: true, then: flooded("notifications/resources/updated")},
	{number: "F02 such lines with messages between, without end", mode: "flood " + strings.Repeat("oops|", 500) + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}`, fails: "Server disconnected during execution", kind: client.ErrDisconnected, within: time.Minute, fast: true, then: notRestarted},
	{number: "F21 hangs at discover and initialize", mode: "hang", o: client.Options{Timeouts: client.Timeouts{Connect: time.Second}}, not: "Connection timeout after 1 second", kind: client.ErrConnectTimeout, then: cause(diagnose.NoAnswer)},
	{number: "F21 silent at discover", mode: "silent", says: "done", lives: true},
	{number: "F21 slow at discover, and then refuses initialize", mode: "slowmodern", says: "done"},
	{number: "F21 exits at discover", mode: "exits", says: "done", lives: true},
	{number: "F21 refuses initialize", mode: "refuses", not: "MCP protocol error: not today", kind: client.ErrProtocol, then: cause(diagnose.Refused)},
	{number: "F22 exit 0", mode: "exit0", not: "Failed to start server: it exited without output", kind: client.ErrStart, then: cause(diagnose.EndedEarly)},
	{number: "F22 exit 1", mode: "exit1", not: "Failed to start server: exit status 1: it is broken", kind: client.ErrStart, then: func(t testing.TB, s client.Server) {
		var e *client.Error
		if !errors.As(s.Err, &e) || len(e.Stderr) != 20 || e.Stderr[19] != "it is broken" || e.Report.Exit != "exit status 1" {
			t.Errorf("the card has %+v", e)
		}
	}},
	{number: "F22 SIGSEGV", mode: "crash", not: "Failed to start server: signal: segmentation fault", kind: client.ErrStart, then: cause(diagnose.Crashed)},
	{number: "F22 killed", mode: "oom", not: "Failed to start server: signal: killed", kind: client.ErrStart, then: cause(diagnose.Killed)},
	{number: "F23 dies in a call", mode: "die", fails: "Server disconnected during execution: exit status 7: last words", kind: client.ErrDisconnected, within: 300 * time.Millisecond, then: failedWith("Server exited: exit status 7: last words")},
	{number: "F27 stopped", mode: "stop", o: client.Options{Timeouts: client.Timeouts{Call: 700 * time.Millisecond}}, fails: "Tool execution timeout after 0.7 seconds", kind: client.ErrCallTimeout, within: 900 * time.Millisecond},
	{number: "F32 the same page again", mode: "circles", not: "MCP protocol error: the server's list of tools repeats its pages", kind: client.ErrProtocol, then: cause(diagnose.ProtocolError)},
	{number: "F32 pages without end", mode: "pages", not: "MCP protocol error: the server's list of tools has more than 200 pages, and all of them are empty", kind: client.ErrProtocol, then: cause(diagnose.ProtocolError)},
	{number: "F32 pages with a tool each, without end", mode: "manypages", says: "done", lives: true, then: listed(200, "goated uses only the first 200 pages of this server's list of tools")},
	{number: "F32 10,000 tools", mode: "monster", says: "done", lives: true, then: listed(5000, "goated uses only the first 5000 tools of this server")},
	{number: "F32 fat pages", mode: "fatpages", o: client.Options{MaxFrame: small}, says: "done", lives: true, then: listed(4, "goated uses only the first 1 MiB of this server's list of tools")},
	{number: "F33 a storm of changes", mode: "storm 50000", says: "done", lives: true, then: calm},
	{number: "F33 a change after each list", mode: "relist", says: "done", lives: true},
	{number: "F33 changes before the list", mode: "listfirst", says: "done", lives: true},
	{number: "F34 a name twice", mode: "duplicates", fails: "Tool 'm__one' can't be called. The server offers 2 tools named", kind: client.ErrUncallable, lives: true},
	{number: "F36, F37 a schema that leads astray", mode: "schema 9", says: "done", lives: true},
	{number: "F37 an output schema that refers to itself", mode: "cyclic", says: "done", lives: true},
	{number: "F37 a question whose schema refers to itself", mode: "cyclicform requestedSchema", o: client.Options{Elicit: accepting}, says: `"action":"accept"`, lives: true},
	{number: "F37 the same behind an escape", mode: `cyclicform requested\u0053chema`, o: client.Options{Elicit: accepting}, says: "requested schema cannot be read", lives: true},
	{number: "F37 the same on 2026-07-28", mode: `postpones ,"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?","requested\u0053chema":{"type":"object","allOf":[{"$ref":"#"}]}}}}`,
		o: client.Options{Elicit: accepting}, fails: "Tool execution failed: ", kind: client.ErrTool, lives: true},
	{number: "F40 an image that is none", mode: "image", fails: "Tool execution failed: ", kind: client.ErrTool, lives: true},
	{number: "F40 a content that nobody knows", mode: "unknown", fails: "Tool execution failed: ", kind: client.ErrTool, lives: true},
	{number: "F41 no answer within the limit", mode: "hangcall", o: client.Options{Timeouts: client.Timeouts{Call: 700 * time.Millisecond}}, fails: "Tool execution timeout after 0.7 seconds", kind: client.ErrCallTimeout, within: 900 * time.Millisecond, lives: true},
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.number, func(t *testing.T) {
			t.Parallel()
			if f.fast && slowdown > 1 {
				t.Skip("the race detector reads too slowly for this fault")
			}
			h := host(t, f.o)
			_, err := h.Connect(t.Context(), misbehave(t, strings.Fields(f.mode)...))
			if f.not != "" {
				if err == nil || !strings.HasPrefix(err.Error(), f.not) || !errors.Is(err, f.kind) {
					t.Fatalf("connecting says %q, not %q", err, f.not)
				}
				if wording.Advice(err) == "" {
					t.Error("and gives no advice")
				}
			} else {
				if err != nil {
					t.Fatal(err)
				}
				f.call(t, h)
			}
			if f.then != nil {
				f.then(t, h.Snapshot().Servers[0])
			}
			began := time.Now()
			h.Close()
			if took := time.Since(began); late(took, 2500*time.Millisecond) {
				t.Errorf("closing took %v", took)
			}
		})
	}
}

// call calls the faulty tool and then another tool.
func (f fault) call(t *testing.T, h *client.Host) {
	began := time.Now()
	r, err := h.Call(t.Context(), "m__one", nil, func(*mcp.ProgressNotificationParams) {})
	limit := f.within
	if limit == 0 {
		limit = 10 * time.Second
	}
	if took := time.Since(began); late(took, limit) {
		t.Errorf("the call took %v", took)
	}
	switch {
	case f.fails != "":
		if err == nil || !strings.HasPrefix(err.Error(), f.fails) || !errors.Is(err, f.kind) {
			t.Errorf("the call says %q, not %q", err, f.fails)
		}
	case err != nil:
		t.Fatalf("the call says %v", err)
	case f.says != "" && !strings.Contains(said(t, r), f.says):
		t.Errorf("it answers %.200q, not %q", said(t, r), f.says)
	}
	if !f.lives {
		waittest.Until(t, "the server failed, or the fault does not end it", func() bool {
			s := h.Snapshot().Servers[0]
			return s.Status == client.Failed && s.Err != nil || !f.over && f.says != "" || errors.Is(f.kind, client.ErrCallTimeout)
		})
		return
	}
	if r, err := h.Call(t.Context(), "m__stat", nil, nil); err != nil || !strings.HasPrefix(said(t, r), "calls=") {
		t.Errorf("the next call fails: %v", err)
	}
}

func mutely(ctx context.Context, _ client.Asker, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// slowly acts like a user who declines after 300 ms.
func slowly(context.Context, client.Asker, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	time.Sleep(300 * time.Millisecond)
	return &mcp.ElicitResult{Action: "decline"}, nil
}

// accepting acts like a user who immediately fills in each form.
func accepting(context.Context, client.Asker, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"a": "b"}}, nil
}

func clean(t testing.TB, s client.Server) {
	if s.Noise != (client.Noise{}) {
		t.Errorf("counted %+v", s.Noise)
	}
}

func stray(n int) func(testing.TB, client.Server) {
	return func(t testing.TB, s client.Server) {
		if s.Noise.Lines != n || s.Noise.Last == "" {
			t.Errorf("counted %+v, not %d lines", s.Noise, n)
		}
	}
}

func failedWith(want string) func(testing.TB, client.Server) {
	return func(t testing.TB, s client.Server) {
		if s.Status != client.Failed || s.Err == nil || s.Err.Error() != want {
			t.Errorf("the card says %q (%v), not %q", s.Err, s.Status, want)
		}
	}
}

// flooded checks that the server failed because it sent too much of what.
func flooded(what string) func(testing.TB, client.Server) {
	return func(t testing.TB, s client.Server) {
		failedWith("MCP protocol error: the server floods its stdout with data that goated did not request, last: "+what)(t, s)
		cause(diagnose.Flood)(t, s)
		notRestarted(t, s)
	}
}

// notRestarted checks that the host does not restart the server.
func notRestarted(t testing.TB, s client.Server) {
	if !client.Quarantined(s.Err) || !s.RetryAt.IsZero() {
		t.Errorf("the server is not in quarantine: %v, again at %v", s.Err, s.RetryAt)
	}
}

func cause(want diagnose.Cause) func(testing.TB, client.Server) {
	return func(t testing.TB, s client.Server) {
		var e *client.Error
		if !errors.As(s.Err, &e) || e.Report == nil || e.Report.Cause != want {
			t.Fatalf("the card has %+v, not %q", s.Err, want)
		}
		if d := e.Report; wording.CauseText(d.Diagnosis) == "" || wording.Remedy(d.Diagnosis) == "" || len(d.Command) == 0 {
			t.Errorf("the card is %+v", d)
		}
	}
}

// listed checks that a server with a longer list than goated accepts has the first tools of
// that list.
func listed(tools int, note string) func(testing.TB, client.Server) {
	return func(t testing.TB, s client.Server) {
		if len(s.Tools) != tools || !slices.Contains(s.Stderr, note) {
			t.Errorf("it has %d tools, not %d, and says %q", len(s.Tools), tools, s.Stderr)
		}
	}
}

// calm checks the list of tools after a storm of changes.
func calm(t testing.TB, s client.Server) {
	if len(s.Tools) != 2 {
		t.Errorf("%d tools", len(s.Tools))
	}
}
