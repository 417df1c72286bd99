package client

import (
	"bytes"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"

	"goated/internal/proc"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// aside is what reading may hold beside the message, whatever is in it: the
// buffer, the last piece, the keys of the open objects.
const aside = 4 << 20

// longAnswers are answers of a length, by what is in them, that cost the most to
// read.
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
		"every second byte no text":     wrap(`{"content":[{"type":"text","text":"`, "a\xff", `"}]}`),
		"a key without end":             wrap(`{"\u0041`, "key", `":1}`),
		"an error without end":          append(append([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"\n`), bytes.Repeat([]byte("x"), size-100)...), `"}}`+"\n"...),
		"a name without end":            append(append([]byte(`{"jsonrpc":"2.0","method":"\n`), bytes.Repeat([]byte("x"), size-100)...), `"}`+"\n"...),
		"progress without end":          append(append([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"call-1","progress":1,"_meta":{"x":[0`), bytes.Repeat([]byte(",0"), size/2-100)...), `]}}}`+"\n"...),
	}
}

// Reading a message holds no more than twice the message, as it is once its bytes
// that are no text are replaced: what it is put together from and itself, or
// itself as it came and repaired. All that is ever taken is counted, garbage and
// all, which is no less than what is held at any time.
func TestMemoryOfReading(t *testing.T) {
	const limit = DefaultMaxFrame
	var s server
	s.calls.begin(newRelay(nil))
	for name, line := range longAnswers(limit) {
		halves := name == "every second byte no text"
		if halves { // doubles, and has to be within the limit then
			line = append(line[:limit/2-16:limit/2-16], `"}]}}`+"\n"...)
		}
		t.Run(name, func(t *testing.T) {
			size := len(line)
			if halves {
				size *= 2
			}
			c := &stdio{p: &proc.Process{Stderr: new(proc.LogRing)}, notified: s.notified, tell: func() {}, maxFrame: limit, pending: make(map[jsonrpc.ID]string)}
			id, _ := jsonrpc.MakeID(float64(1))
			c.pending[id] = "tools/call"
			r := newLineReader(bytes.NewReader(line), limit)
			var read []byte
			var err error
			reading := taken(func() { read, _, err = r.next() })
			if err != nil {
				t.Fatal(err)
			}
			var msgs []jsonrpc.Message
			decoding := taken(func() { msgs, err = c.take(read) })
			if err != nil && !Quarantined(err) { // as it is for a MiB that is no message
				t.Fatal(err)
			}
			t.Logf("%d MiB: reading takes %.1f MiB, decoding %.1f MiB, %d messages", len(line)>>20, mib(reading), mib(decoding), len(msgs))
			if most := uint64(2*size + aside); reading > most || uint64(len(line))+decoding > most {
				t.Errorf("more than %.1f MiB", mib(most))
			}
			runtime.KeepAlive(read)
			runtime.KeepAlive(msgs)
		})
	}
}

// taken is what f takes from the heap in all.
func taken(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	return sample[0].Value.Uint64() - before
}

func mib(n uint64) float64 { return float64(n) / (1 << 20) }

// What was read last is not held until something else comes.
func TestReadLetsGo(t *testing.T) {
	c := &stdio{frames: make(chan frame, 1), closed: make(chan struct{})}
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
	t.Error("the last message is still held")
	runtime.KeepAlive(c)
}
