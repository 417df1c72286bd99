package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/servertest"
)

// seeds are the specification's examples, and what real servers have sent.
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

// FuzzFrames feeds streams to what reads a server's stdout. What it takes is JSON
// that encoding/json takes, and means the same there; what it refuses is not, or
// is too deep, or has keys that another reader finds wrong, too. It neither panics
// nor holds on.
func FuzzFrames(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s + "\n"))
	}
	f.Add([]byte(strings.Join(seeds, "\n")))
	for _, message := range servertest.Messages(f) {
		f.Add(append(message, '\n'))
	}
	for _, group := range servertest.Schemas(f) { // as what a tool says it takes, or gives
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
		const limit = 4096
		r := newLineReader(iotest.HalfReader(bytes.NewReader(data)), limit)
		var whole []byte
		for n := 0; ; n++ {
			line, cut, err := r.next()
			if len(line) > limit+1 {
				t.Fatalf("a line of %d bytes", len(line))
			}
			if cut != nil {
				_ = cut.id()
				if len(cut.head) > headSize || len(cut.tail) > tailSize {
					t.Fatalf("%d and %d bytes are kept of a cut line", len(cut.head), len(cut.tail))
				}
			}
			whole = append(whole, line...)
			check(t, bytes.TrimSpace(line))
			if err != nil {
				break
			}
			if n > len(data) {
				t.Fatal("it does not end")
			}
		}
		if len(data) < limit && !bytes.Equal(whole, data) {
			t.Fatal("bytes are lost")
		}
	})
}

// check compares what the scanner makes of a line with what encoding/json does,
// and what it refuses with what another reader finds.
func check(t *testing.T, line []byte) {
	line = repair(line, 2*len(line))
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
	case errors.Is(err, errSyntax):
		if valid {
			t.Fatalf("%q is refused", line)
		}
	default: // for the first thing that is wrong, which may not be the only one
		if !wrong[err] {
			t.Fatalf("%q is refused: it %v; but it has %v", line, err, wrong)
		}
	}
	msg, id, err := decode(line)
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

// An endless line costs no more than its limit, and a line at the limit no more
// than twice that.
func TestMemoryOfLongLines(t *testing.T) {
	const limit = 32 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	for name, size := range map[string]int{"at the limit": limit, "ten times the limit": 10 * limit} {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			var before, now runtime.MemStats
			runtime.ReadMemStats(&before)
			peak := uint64(0)
			source := io.MultiReader(&wall{left: size, at: func() {
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapAlloc-min(now.HeapAlloc, before.HeapAlloc))
			}}, strings.NewReader("\n"))
			line, cut, err := newLineReader(source, limit).next()
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc-min(now.HeapAlloc, before.HeapAlloc))
			if err != nil || (size <= limit) != (len(line) == size+1) || (size > limit) != (cut != nil) {
				t.Fatalf("%d bytes, %v, %v", len(line), cut != nil, err)
			}
			t.Logf("peak %d MiB for a limit of %d MiB", peak>>20, limit>>20)
			if peak > 2*limit+limit/4 {
				t.Errorf("it held %d MiB", peak>>20)
			}
		})
	}
}

// wall is a source of x, which looks around every MiB.
type wall struct {
	left, since int
	at          func()
}

func (e *wall) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= n
	if e.since += n; e.since >= 1<<20 {
		e.since = 0
		e.at()
	}
	return n, nil
}

// The id of an answer that is too long is found where SDKs write it, and never
// guessed from half a number.
func TestIDOfCutLines(t *testing.T) {
	long := strings.Repeat("x", 10000)
	for _, tt := range []struct{ line, want string }{
		{`{"jsonrpc":"2.0","id":7,"result":"` + long + `"}`, "7"},
		{`{"jsonrpc":"2.0","id":"seven","result":"` + long + `"}`, "seven"},
		{`{"result":"` + long + `","jsonrpc":"2.0","id":7}`, "7"},
		{`{"result":"` + long + `","id":7,"jsonrpc":"2.0"}`, "7"},
		{`{"result":{"id":8,"x":"` + long + `"},"x":1}`, "<nil>"},
		{`{"result":{"x":"` + long + `","y":{"id":8}}}`, "<nil>"},
		{`{"jsonrpc":"2.0","id":7,"method":"x","params":"` + long + `"}`, "<nil>"},
		{`{"x":"` + strings.Repeat("x", headSize-12) + `","id":12345,"result":"` + long + `"}`, "<nil>"},
	} {
		r := newLineReader(strings.NewReader(tt.line+"\n"), 5000)
		_, cut, err := r.next()
		if err != nil || cut == nil {
			t.Fatalf("%.40s: %v", tt.line, err)
		}
		if got := rawID(cut.id()); got != tt.want {
			t.Errorf("%.40s…: %s, not %s", tt.line, got, tt.want)
		}
	}
}

func rawID(id jsonrpc.ID) string {
	switch v := id.Raw().(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return v
	}
	return "<nil>"
}

// A frame that comes in two parts is the same frame, wherever it was cut, and so
// is one that comes byte by byte.
func TestSplitAtEveryByte(t *testing.T) {
	stream := "\n\ufeff" + seeds[0] + "\r\n\n\n" + seeds[1] + "\nnoise\n\n" + seeds[2]
	read := func(source io.Reader) (lines []string) {
		r := newLineReader(source, 1<<20)
		for {
			if n := r.blank(); n > 0 {
				lines = append(lines, slices.Repeat([]string{"\n"}, n)...)
				continue
			}
			line, cut, err := r.next()
			if cut != nil {
				t.Fatal("a line was cut")
			}
			if len(line) > 0 {
				lines = append(lines, string(line))
			}
			if err != nil {
				return lines
			}
		}
	}
	want := read(strings.NewReader(stream))
	if strings.Join(want, "") != stream || len(want) != 8 {
		t.Fatalf("%q", want)
	}
	for i := range stream {
		if got := read(io.MultiReader(strings.NewReader(stream[:i]), strings.NewReader(stream[i:]))); !slices.Equal(got, want) {
			t.Errorf("cut at byte %d it is %q", i, got)
		}
	}
	if got := read(iotest.OneByteReader(strings.NewReader(stream))); !slices.Equal(got, want) {
		t.Errorf("byte by byte it is %q", got)
	}
}

// Empty lines are skipped as fast as they can be looked at.
func BenchmarkBlankLines(b *testing.B) {
	const size = 64 << 20
	b.SetBytes(size)
	for b.Loop() {
		r := newLineReader(&desert{left: size}, 1<<20)
		skipped := 0
		for n := r.blank(); n > 0; n = r.blank() {
			skipped += n
		}
		if skipped != size {
			b.Fatalf("%d lines", skipped)
		}
	}
}

// desert is a source of empty lines.
type desert struct{ left int }

func (d *desert) Read(p []byte) (int, error) {
	if d.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), d.left)
	for i := range p[:n] {
		p[i] = '\n'
	}
	d.left -= n
	return n, nil
}

// The scanner takes as long as the text is, whatever is in it.
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
