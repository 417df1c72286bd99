package stdio

import (
	"bytes"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/jsonscan"
	"goated/internal/servertest"
)

// FuzzLines passes streams to the lineReader. It loses no byte, returns no line above the limit,
// and always ends.
func FuzzLines(f *testing.F) {
	f.Add([]byte("{}\n\n[1]\r\n\xef\xbb\xbf{}\nnoise"))
	f.Add(append(bytes.Repeat([]byte("x"), 5000), '\n', 'y'))
	for _, message := range servertest.Messages(f) {
		f.Add(append(message, '\n'))
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
				_, _ = jsonscan.Cut(cut.head, cut.tail)
				if len(cut.head) > headSize || len(cut.tail) > tailSize {
					t.Fatalf("%d and %d bytes are kept of a cut line", len(cut.head), len(cut.tail))
				}
			}
			whole = append(whole, line...)
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

// An endless line takes no more memory than its limit. A line at the limit takes at most twice that.
func TestMemoryOfLongLines(t *testing.T) {
	limit := 32 << 20
	if testing.Short() { // the race detector slows the writing of each byte
		limit = 8 << 20
	}
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
			if peak > uint64(2*limit+limit/4) {
				t.Errorf("it held %d MiB", peak>>20)
			}
		})
	}
}

// wall is a source of x that calls a function at every MiB.
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

// The id of an oversized response is found where SDKs write it, and is never taken from half a
// number.
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
		id, _ := jsonscan.Cut(cut.head, cut.tail)
		if got := rawID(id); got != tt.want {
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

// A frame that arrives in two parts, or byte by byte, is the same frame.
func TestSplitAtEveryByte(t *testing.T) {
	stream := "\n\ufeff" + `{"jsonrpc":"2.0","id":1,"result":{}}` + "\r\n\n\n" + `{"result":{"x":"h\u00e9"},"jsonrpc":"2.0","id":"abc"}` + "\nnoise\n\n" + `{"jsonrpc":"2.0","method":"x"}`
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

// BenchmarkBlankLines measures the skipping of empty lines.
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
