package stdio

import (
	"bytes"
	"errors"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"goated/client/internal/limits"
	"goated/internal/jsonscan"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// overhead is the memory that reading may use in addition to the message: the buffer, the last
// piece, and the keys of open objects.
const overhead = 4 << 20

// longAnswers returns the most expensive responses of a length, by their content.
func longAnswers(size int) map[string][]byte {
	wrap := func(head, filling, tail string) []byte {
		line := make([]byte, 0, size+1)
		line = append(line, `{"jsonrpc":"2.0","id":1,"result":`+head...)
		for len(line)+len(filling)+len(tail)+1 <= size {
			line = append(line, filling...)
		}
		return append(append(line, tail...), "}\n"...)
	}
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`"` + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + string(rune('a'+i/17576)) + `":1,`)
		}
		return b.String()
	}
	table := `{` + strings.TrimSuffix(keys(60000), ",") + `}`
	return map[string][]byte{
		"a text":                        wrap(`{"content":[{"type":"text","text":"`, "hello, world ", `"}]}`),
		"objects with few keys":         wrap(`{"structuredContent":[1`, `,{"a":1,"b":2}`, `]}`),
		"objects with many keys":        wrap(`{"structuredContent":[1`, ","+table, `]}`),
		"one object with too many keys": append(append([]byte(`{"jsonrpc":"2.0","id":1,"result":{`), bytes.Repeat([]byte(keys(400000)), size/(400000*9))...), `"end":1}}`+"\n"...),
		"every second byte invalid":     wrap(`{"content":[{"type":"text","text":"`, "a\xff", `"}]}`),
		"a key without end":             wrap(`{"\u0041`, "key", `":1}`),
		"an error without end":          append(append([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"\n`), bytes.Repeat([]byte("x"), size-100)...), `"}}`+"\n"...),
		"a name without end":            append(append([]byte(`{"jsonrpc":"2.0","method":"\n`), bytes.Repeat([]byte("x"), size-100)...), `"}`+"\n"...),
		"progress without end":          append(append([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"call-1","progress":1,"_meta":{"x":[0`), bytes.Repeat([]byte(",0"), size/2-100)...), `]}}}`+"\n"...),
	}
}

// Reading a message holds at most twice its repaired length: its pieces and itself, or its original
// and its repaired form. Structured content is read as text whose quotes are escaped. The SDK would
// decode it into values of ten times its length. The test counts all allocations, which are at
// least the memory in use at any time.
func TestMemoryOfReading(t *testing.T) {
	limit := 16 << 20
	if testing.Short() { // the race detector slows the reading of each byte
		limit = 8 << 20
	}
	for name, line := range longAnswers(limit) {
		halves := name == "every second byte invalid"
		if halves { // its length doubles, and must stay within the limit
			line = append(line[:limit/2-16:limit/2-16], `"}]}}`+"\n"...)
		}
		t.Run(name, func(t *testing.T) {
			size := len(line)
			if halves {
				size *= 2
			}
			most := uint64(2*size + overhead)
			if quotes := bytes.Count(line, []byte(`"`)); bytes.Contains(line, []byte("structuredContent")) {
				most += uint64(quotes + overhead) // the keys are already freed when the text is quoted
			}
			c := testConn(limit, readsProgress, 1)
			r := newLineReader(bytes.NewReader(line), limit)
			var read []byte
			var err error
			reading := taken(func() { read, _, err = r.next() })
			if err != nil {
				t.Fatal(err)
			}
			var msgs []jsonrpc.Message
			decoding := taken(func() { msgs, err = c.take(read) })
			if err != nil && !errors.Is(err, limits.ErrNoise) { // the fault of a MiB that is not a message
				t.Fatal(err)
			}
			t.Logf("%d MiB: reading takes %.1f MiB, decoding %.1f MiB, %d messages", len(line)>>20, mib(reading), mib(decoding), len(msgs))
			if reading > most || uint64(len(line))+decoding > most {
				t.Errorf("more than %.1f MiB", mib(most))
			}
			runtime.KeepAlive(read)
			runtime.KeepAlive(msgs)
		})
	}
}

// readsProgress reads a notification like the host.
func readsProgress(r *jsonrpc.Request) limits.Verdict {
	jsonscan.Members(r.Params, func(_, value []byte) { _ = jsonscan.Unquote(value) })
	return limits.Used
}

// taken returns the total bytes that f allocates.
func taken(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	return sample[0].Value.Uint64() - before
}

func mib(n uint64) float64 { return float64(n) / (1 << 20) }

// Read does not keep the last message in memory until the next one arrives.
func TestReadLetsGo(t *testing.T) {
	c := testConn(1<<20, unknown)
	freed := make(chan struct{})
	func() {
		msg := &jsonrpc.Response{Result: make([]byte, 1<<20)}
		runtime.AddCleanup(msg, func(int) { close(freed) }, 0)
		c.frames <- frame{msgs: []jsonrpc.Message{msg}}
		if got, err := c.Read(t.Context()); err != nil || got == nil {
			t.Fatal(got, err)
		}
	}()
	for range 20 {
		runtime.GC()
		select {
		case <-freed:
			return
		default:
		}
	}
	t.Error("the connection holds the last message")
	runtime.KeepAlive(c)
}
