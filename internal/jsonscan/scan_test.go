package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/servertest"
)

// seeds contains examples from the specification, and messages of real servers.
var seeds = []string{
	`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"x"}}`,
	`{"result":{"content":[{"type":"text","text":"h\u00e9 \ud83d\ude00"}],"isError":false},"jsonrpc":"2.0","id":"abc"}`,
	`{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Unknown tool: x","data":null}}`,
	`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"total":1e2}}`,
	`{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1","reason":"-"}}`,
	`[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"}]`,
	"\ufeff{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r",
	`{"jsonrpc":"2.0","id":1,"result":{},"Result":{}}`, `{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`,
	`{"jsonrpc":"2.0","id":1,"result":{"a":1,"\u0061":2}}`, `{"jsonrpc":"2.0","id":1.5,"result":{}}`, `{"jsonrpc":"2.0","id":1e400}`,
	`{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`,
	`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
	`{"":{},"a":[1,-0,0.1,1E+9,true,false,null,"",[],{}]}`, `[DEBUG] {"x":1}`, `{"a":01}`, `{"a":"` + "\x01" + `"}`, `{"a":"\x"}`, `{`, `"`, ``,
}

// FuzzMessages feeds lines to the scanner. If the scanner accepts a line, encoding/json accepts it
// with the same meaning. If the scanner rejects a line, it is not JSON, is nested too deeply, or
// has keys that a second reader also rejects.
func FuzzMessages(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s + "\n"))
	}
	for _, message := range servertest.Messages(f) {
		f.Add(append(message, '\n'))
	}
	for _, group := range servertest.Schemas(f) { // as the schema of a tool
		var line bytes.Buffer
		if err := json.Compact(&line, []byte(group)); err != nil {
			f.Fatal(err)
		}
		f.Add(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":%s}}`+"\n", line.Bytes()[:min(line.Len(), 2000)]))
	}
	for _, text := range slices.Concat(yes, no, maybe) {
		if len(text) < 1000 {
			f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":` + text + "}\n"))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = Cut(data[:min(len(data), 4096)], data[max(0, len(data)-256):])
		check(t, bytes.TrimSpace(data))
	})
}

// check compares the scanner's result with that of encoding/json, and its faults with those of a
// second reader.
func check(t *testing.T, line []byte) {
	line = Repair(line, 2*len(line))
	e, err := scan(line)
	wrong := faultsOf(line)
	valid := json.Valid(line) && len(line) > 0 && line[0] == '{'
	switch {
	case err == nil:
		var members map[string]json.RawMessage
		if jsonErr := json.Unmarshal(line, &members); jsonErr != nil {
			t.Fatalf("%q is taken: %v", line, jsonErr)
		}
		if want := bytes.TrimSpace(members["result"]); string(want) != string(e.result) {
			t.Fatalf("the result of %q is %q, not %q", line, e.result, want)
		}
		if len(wrong) > 0 {
			t.Fatalf("%q is taken: %v", line, wrong)
		}
	case errors.Is(err, ErrSyntax):
		if valid {
			t.Fatalf("%q is refused", line)
		}
	default: // the first one if there are several
		if !wrong[err] {
			t.Fatalf("%q is refused: it %v; but it has %v", line, err, wrong)
		}
	}
	msg, id, err := Decode(line)
	if err != nil {
		return
	}
	if r, ok := msg.(*jsonrpc.Response); ok && (!id.IsValid() || r.ID != id) {
		t.Fatalf("%q answers %v and %v", line, r.ID, id)
	}
	if _, err := jsonrpc.EncodeMessage(msg); err != nil {
		t.Fatalf("%q can't be written again: %v", line, err)
	}
}

// BenchmarkScan shows that a scan takes linear time for any text.
func BenchmarkScan(b *testing.B) {
	text := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat("hello, world ", 80000) + `"}]}}`)
	var table bytes.Buffer
	table.WriteString(`{"jsonrpc":"2.0","id":1,"result":{`)
	for i := range 50000 {
		table.WriteString(`"key` + strconv.Itoa(i) + `":[1,{"a":true,"b":null}],`)
	}
	table.WriteString(`"end":1}}`)
	for name, data := range map[string][]byte{"text": text, "table": table.Bytes()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := scan(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
