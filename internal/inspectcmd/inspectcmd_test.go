package inspectcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goated/client"
	"goated/internal/inspect"
)

// run runs the command with servers that send these messages.
func run(t *testing.T, ctx context.Context, events []client.TraceEvent, args ...string) (out, aside string, err error) {
	t.Helper()
	tap := NewTap(pflag.NewFlagSet("", pflag.ContinueOnError))
	cmd := New(tap, func(cmd *cobra.Command, use func()) error {
		report := tap.Servers().Report
		for _, e := range events {
			report(e)
		}
		use()
		return nil
	})
	var o, a bytes.Buffer
	cmd.SetOut(&o)
	cmd.SetErr(&a)
	cmd.SetArgs(args)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	err = cmd.ExecuteContext(ctx)
	return o.String(), a.String(), err
}

// calls returns n calls of a tool, each with its response. The last one failed.
func calls(n int) (all []client.TraceEvent) {
	at := time.Unix(1_700_000_000, 0)
	add := func(d int, data string) {
		at = at.Add(2 * time.Millisecond)
		e := client.TraceEvent{Server: "dice", Time: at, Data: []byte(data), Size: len(data), Direction: client.Sent}
		if d == 1 {
			e.Direction = client.Received
		}
		all = append(all, e)
	}
	for i := range n {
		add(0, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"roll","arguments":{"sides":%d,"x":"a\u202eb"}}}`, i, i))
		add(1, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[],"isError":%v}}`, i, i == n-1))
	}
	return all
}

func TestMessagesArePrintedAndCounted(t *testing.T) {
	out, _, err := run(t, t.Context(), calls(4))
	if err != nil || strings.Count(out, "→ dice") != 4 || strings.Count(out, "← dice") != 4 || strings.Count(out, "2.0 ms ok") != 3 || strings.Count(out, "tool error") != 1 {
		t.Errorf("%v\n%s", err, out)
	}
	if fields := strings.Fields(out[strings.LastIndex(out, "roll  "):]); strings.Join(fields[:6], " ") != "roll dice 4 1 75.0 %" {
		t.Errorf("%q", fields)
	}
	out, _, err = run(t, t.Context(), calls(4), "--errors")
	if err != nil || strings.Count(out, "dice   ") == 0 || strings.Contains(out, " ok") || !strings.Contains(out, "\n1 of 8 messages\n") {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = run(t, t.Context(), calls(4), "--tool", "rol") // it used to report that no tool was called
	if err != nil || out != "\n0 of 8 messages\nThese filters match no tool that was called.\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

// The call during which a server exited was printed without an outcome, and did not count as an
// error.
func TestACallThatEndsItsServerIsPrinted(t *testing.T) {
	events := calls(2)
	at := events[3].Time
	events = append(events[:3], client.TraceEvent{Server: "dice", Direction: client.Received, Time: at, Data: []byte("Server exited: exit status 7"), Size: 28, End: client.Lost})
	for _, args := range [][]string{nil, {"--errors"}} {
		out, _, err := run(t, t.Context(), events, args...)
		if err != nil || strings.Count(out, "no answer: the connection ended") != 1 || strings.Count(out, "the connection ended: Server exited: exit status 7") != 1 {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
		if fields := strings.Fields(out[strings.LastIndex(out, "roll  "):]); strings.Join(fields[:6], " ") != "roll dice 2 1 50.0 %" {
			t.Errorf("%q", fields)
		}
	}
}

// A server that rejected server/discover with HTTP 400 and a JSON-RPC error was shown with "no
// answer", and --errors showed it.
func TestAnAnsweredRequestHasAnAnswer(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	events := []client.TraceEvent{
		{Server: "web", Direction: client.Sent, Time: at, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`)},
		{Server: "web", Direction: client.Received, Time: at, Data: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no session"}}`)},
		{Server: "web", Direction: client.Received, Time: at, Data: []byte("no session"), Unanswered: "1"},
	}
	for args, want := range map[string]string{"": "2 messages", "--errors": "0 of 2 messages"} {
		out, _, err := run(t, t.Context(), events, strings.Fields(args)...)
		if err != nil || strings.Contains(out, "no answer") || !strings.Contains(out, "\n"+want+"\n") {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}

// goated can read the output of --json again, and its commands have the arguments.
func TestJSONIsReadAgain(t *testing.T) {
	out, _, err := run(t, t.Context(), calls(2), "--json")
	if err != nil || !json.Valid([]byte(out)) || strings.ContainsRune(out, '\u202e') {
		t.Fatalf("%v\n%s", err, out)
	}
	file := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	again, _, err := run(t, t.Context(), nil, file, "--json")
	if err != nil || again != out {
		t.Errorf("%v\n%s\nbecomes\n%s", err, out, again)
	}
	commands, _, err := run(t, t.Context(), nil, file, "--commands", "--errors")
	if err != nil || commands != `goated call roll --args '{"sides":1,"x":"a\u202eb"}'`+"\n" {
		t.Errorf("%v %s", err, commands)
	}
	for args, says := range map[string]string{
		"/no/such": "no such file", file + " --follow": "--follow waits", "--json --commands": "not both",
	} {
		if _, _, err := run(t, t.Context(), nil, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// A file waits for a slow terminal, so that no line of it is dropped.
func TestAFileWaitsForTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold, done := make(chan struct{}), make(chan struct{})
		var aside bytes.Buffer
		p := newPrinter(held(hold), &aside)
		p.blocks = true
		go func() {
			defer close(done)
			for range queued + 10 {
				p.print("x")
			}
		}()
		synctest.Wait() // the queue is full
		close(hold)
		<-done
		p.end()
		if aside.Len() > 0 {
			t.Errorf("%q", aside.String())
		}
	})
}

// With --follow, the command ends when its context ends, and still prints the figures.
func TestFollowEndsWithCtrlC(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out, _, err := run(t, ctx, calls(1), "--follow"); err != nil || !strings.Contains(out, "TOOL") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A terminal that does not read blocks no server.
func TestASlowTerminalBlocksNothing(t *testing.T) {
	hold := make(chan struct{})
	var aside bytes.Buffer
	p := newPrinter(held(hold), &aside)
	for range queued + 10 {
		p.print("x")
	}
	close(hold)
	p.end()
	if !strings.Contains(aside.String(), "messages are not printed") {
		t.Errorf("%q", aside.String())
	}
}

type held chan struct{}

func (h held) Write(p []byte) (int, error) {
	<-h
	return len(p), nil
}

// Without --trace nothing listens: the host traces nothing, and the model has no extra transport.
func TestNothingListensUnasked(t *testing.T) {
	var none *Tap
	for _, tap := range []*Tap{none, new(Tap)} {
		if tap.Servers().Report != nil || tap.Model("Gemini", "key") != nil || tap.Check() != nil || tap.Save() != nil {
			t.Error("a tap listens unasked")
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = none.Servers() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestTraceIsStored(t *testing.T) {
	dir := t.TempDir()
	tap := &Tap{file: filepath.Join(dir, "t.json")}
	for _, e := range calls(3) {
		tap.Servers().Report(e)
	}
	if err := errors.Join(tap.Check(), tap.Save(), tap.Save()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(tap.file)
	list, _ := os.ReadDir(dir)
	if err != nil || info.Mode().Perm() != 0o600 || len(list) != 1 {
		t.Errorf("%v, %v, %v", info, list, err)
	}
	for _, file := range []string{filepath.Join(dir, "no", "t.json"), dir, filepath.Join(tap.file, "x")} {
		if err := (&Tap{file: file}).Check(); err == nil || !strings.Contains(err.Error(), "--trace "+file) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// A window's recorder listens to servers and to the model only while it is on.
func TestAWindowListensOnDemand(t *testing.T) {
	live := new(inspect.Recorder)
	tap := &Tap{Live: live}
	o := tap.Servers()
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"ok":true}`) }))
	defer model.Close()
	ask := func() {
		resp, err := tap.Model("Endpoint", "key").Post(model.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m"}`))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	if o.Listening() {
		t.Error("the recorder listens before it is on")
	}
	ask()
	live.Record(true)
	if !o.Listening() {
		t.Error("the recorder does not listen")
	}
	for _, e := range calls(1) {
		o.Report(e)
	}
	ask()
	got := live.Log().Entries(inspect.Filter{})
	if len(got) != 2 || got[0].Tool != "roll" || got[1].Server != "Endpoint" || got[1].Outcome != inspect.OK {
		t.Errorf("%+v", got)
	}
}

// An answer to no known request has no latency and no outcome. It was shown as "0.0 ms ok".
func TestAnswersToNoRequestAreNotOK(t *testing.T) {
	data := `{"jsonrpc":"2.0","id":9999,"result":{"content":[]}}`
	out, _, err := run(t, t.Context(), []client.TraceEvent{{Server: "dice", Time: time.Unix(1_700_000_000, 0), Data: []byte(data), Size: len(data), Direction: client.Received}})
	if err != nil || !strings.Contains(out, "answer to no known request") || strings.Contains(out, " ok") || strings.Contains(out, " ms") {
		t.Errorf("%v\n%s", err, out)
	}
}
