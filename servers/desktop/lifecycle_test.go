package desktop

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"goated/internal/waittest"
	"goated/servers/stdio"
)

// The lifecycle of seed 002, line by line: initialize, tools, shutdown, exit.
func TestSeedLifecycle(t *testing.T) {
	f := newFake(t)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := New(Options{AllTools: true, Getenv: f.environ, Log: io.Discard}).Run(t.Context(), Lifecycle(&stdio.Transport{In: in, Out: out, Log: io.Discard}))
		_ = out.Close()
		ended <- err
	}()
	answers := bufio.NewReader(fromServer)
	for _, test := range []struct{ line, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"seed","version":"1"}}}`, `"protocolVersion":"2024-11-05"`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_applications","arguments":{}}}`, `Found 1 application:\n- the display_name (the name, PID 7)`},
		{`{"jsonrpc":"2.0","id":3,"method":"no/such"}`, `"code":-32601`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"nothing"}}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":5,"params":7}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":6,"method":"shutdown"}`, `{"jsonrpc":"2.0","id":6,"result":{}}`},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","method":"exit"}`, ""},
	} {
		if _, err := io.WriteString(toServer, test.line+"\n"); err != nil {
			t.Fatal(err)
		}
		if test.want == "" {
			continue
		}
		answer, err := answers.ReadString('\n')
		if err != nil || !strings.Contains(answer, test.want) {
			t.Fatalf("%s is answered by %s %v", test.line, answer, err)
		}
	}
	if err := waittest.Receive(t, "the server ends", ended); err != nil {
		t.Errorf("after exit: %v", err)
	}
	_ = toServer.Close()
}
