// Command misbehave is an MCP server without an SDK. Its first argument names the one thing
// that it does wrong. Without an argument, it does everything right.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		RequestID json.RawMessage `json:"requestId"`
		Arguments map[string]any  `json:"arguments"`
		State     string          `json:"requestState"`
		Meta      struct {
			Token any `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

var (
	mode, extra string
	out         = bufio.NewWriterSize(os.Stdout, 1<<16)
	in          = bufio.NewReaderSize(os.Stdin, 1<<20)
	calls       int
	cancels     int
	lists       int
	reshaping   json.RawMessage // the call that waits for the list request
	waiting     json.RawMessage // another call that waits for its answer
	version     = "2025-06-18"
	eol         = "\n"
)

func main() {
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	if len(os.Args) > 2 {
		extra = os.Args[2]
	}
	if begin, ok := beginnings[mode]; ok {
		begin()
	}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if after, ok := afterEOF[mode]; ok {
				after()
			}
			return
		}
		var m message
		if json.Unmarshal(line, &m) == nil {
			handle(m)
		}
		out.Flush()
	}
}

func raw(text string) { out.WriteString(text); out.Flush() }

func send(text string) { raw(text + eol) }

func result(id json.RawMessage, body string) {
	send(`{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + body + `}`)
}

func text(s string) string {
	b, _ := json.Marshal(s)
	return `{"content":[{"type":"text","text":` + string(b) + `}]}`
}

func fail(id json.RawMessage, code int, why string) {
	send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, why))
}

func tool(name string) string {
	return fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`, name, name)
}

func handle(m message) {
	switch m.Method {
	case "server/discover":
		if special, ok := discover[mode]; ok {
			special(m)
			return
		}
		fail(m.ID, -32601, "Method not found")
	case "initialize":
		if special, ok := initialize[mode]; ok {
			special(m)
			return
		}
		result(m.ID, `{"protocolVersion":"`+version+`","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"misbehave","version":"1"}}`)
	case "tools/list":
		lists++
		if special, ok := listing[mode]; ok {
			special(m)
			return
		}
		result(m.ID, `{"tools":[`+tool("one")+`,`+tool("stat")+`]}`)
	case "tools/call":
		calls++
		if m.Params.Name == "stat" && mode == "fickle" {
			result(m.ID, text(tally()))
			return
		}
		if m.Params.Name == "stat" {
			result(m.ID, text(fmt.Sprintf("calls=%d cancels=%d lists=%d", calls, cancels, lists)))
			return
		}
		if special, ok := call[mode]; ok {
			special(m)
			return
		}
		result(m.ID, text("done"))
	case "notifications/cancelled":
		cancels++
		id := string(m.Params.RequestID)
		if _, known := fates[id]; mode == "fickle" && !known {
			astray++
		}
		told[id]++
		if mode == "fickle" && cancels%2 == 0 {
			result(m.Params.RequestID, text("too late"))
		}
	}
}

// number returns the second argument as a number, or otherwise if it is not one.
func number(otherwise int) int {
	if n, err := strconv.Atoi(extra); err == nil {
		return n
	}
	return otherwise
}

func forever(m message) {
	for {
		time.Sleep(time.Hour)
	}
}

func fill(n int) string { return strings.Repeat("x", n) }
