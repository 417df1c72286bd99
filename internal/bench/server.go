package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// serve is a server on stdin and stdout that responds as fast as a hand-written one can.
// BENCH_TOOLS sets the number of its tools. The argument of the tool big is the size of its text in
// megabytes.
func serve() {
	count, _ := strconv.Atoi(os.Getenv("BENCH_TOOLS"))
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	out := bufio.NewWriterSize(os.Stdout, 256<<10)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		if id, ok := echoes(line); ok {
			_, _ = out.WriteString(`{"jsonrpc":"2.0","id":`)
			_, _ = out.Write(id)
			_, _ = out.WriteString(`,"result":{"content":[{"type":"text","text":"42 is the answer"}]}}` + "\n")
			if in.Buffered() == 0 {
				_ = out.Flush()
			}
			continue
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments struct{ MB float64 }
			}
		}
		if json.Unmarshal(line, &m) != nil || m.ID == nil {
			continue
		}
		switch m.Method {
		case "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}}`+"\n", m.ID)
		case "tools/list":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s]}}`+"\n", m.ID, tools(max(count, 2)))
		case "tools/call":
			if mb := m.Params.Arguments.MB; m.Params.Name == "big" && mb > 0 {
				fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, m.ID)
				text := bytes.Repeat([]byte(`A line of a log, with a tab\tand an end.\n`), 1_000_000/42)
				for range int(mb) {
					_, _ = out.Write(text)
				}
				_, _ = out.WriteString(`"}]}}` + "\n")
				break
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"42 is the answer"}]}}`+"\n", m.ID)
		case "ping":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m.ID)
		default:
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`+"\n", m.ID)
		}
		if in.Buffered() == 0 {
			_ = out.Flush()
		}
	}
}

// echoes returns the id of a call of the tool echo. It searches for it without a decoder, which
// would take more time than all clients except the slowest. The TypeScript SDK writes the id after
// the arguments, which also contain an id.
func echoes(line []byte) (id []byte, ok bool) {
	if !bytes.Contains(line, []byte(`"name":"echo"`)) {
		return nil, false
	}
	_, id, ok = bytes.Cut(line, []byte(`"jsonrpc":"2.0","id":`))
	if !ok {
		return nil, false
	}
	for i, c := range id {
		if c < '0' || c > '9' {
			return id[:i], i > 0
		}
	}
	return nil, false
}

// tools returns the definitions of n tools: echo, big, and others that are never called.
func tools(n int) string {
	defs := make([]string, n)
	for i := range defs {
		name := fmt.Sprintf("tool_%d", i)
		switch i {
		case 0:
			name = "echo"
		case 1:
			name = "big"
		}
		defs[i] = fmt.Sprintf(`{"name":%q,"description":"Looks up the record %d of the register and returns its fields.","inputSchema":{"type":"object","properties":{"id":{"type":"integer","description":"Number of the record"},"MB":{"type":"number"},"fields":{"type":"array","items":{"type":"string"}}}}}`, name, i)
	}
	return strings.Join(defs, ",")
}
