package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"time"
)

const (
	// readBuffer is what is read at once, and the longest line that is taken
	// without being put together first.
	readBuffer = 64 << 10
	// headSize and tailSize are what is kept of a line that is too long: enough
	// to find the id of the call that it answers, which SDKs write at either end.
	headSize = 4 << 10
	tailSize = 256
	// endless is how many times its limit a line may have before the server is
	// taken to be one that never ends it.
	endless = 16
)

var errEndless = errors.New("the server sends a message that does not end")

// A lineReader reads lines of a bounded length. A line of max bytes is held
// twice for a moment, while it is put together; of a longer one only its ends
// are held, however long it is.
type lineReader struct {
	in  *bufio.Reader
	max int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, readBuffer), max: limit}
}

// A cutLine is what is left of a line that was too long.
type cutLine struct{ head, tail []byte }

// next reads up to a newline, and at the end of the stream what is left. The
// line is the caller's to keep. Where it was too long, it is nil, and cut is
// what is left of it.
func (r *lineReader) next() (line []byte, cut *cutLine, err error) {
	part, err := r.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) && len(part) <= r.max+1 {
		if len(part) == 0 {
			return nil, nil, err
		}
		return bytes.Clone(part), nil, err
	}
	// Pieces, and not one slice that grows: growing would hold it two and a half
	// times, and leave more behind for the collector.
	pieces, size := [][]byte{bytes.Clone(part)}, len(part)
	for errors.Is(err, bufio.ErrBufferFull) && size <= r.max {
		part, err = r.in.ReadSlice('\n')
		size += len(part)
		last := len(pieces) - 1
		if have := pieces[last]; cap(have)-len(have) >= len(part) {
			pieces[last] = append(have, part...)
			continue
		}
		piece := make([]byte, 0, min(max(size/2, readBuffer), 1<<20))
		pieces = append(pieces, append(piece, part...))
	}
	if length := size - len("\n"); length > r.max || length == r.max && err != nil {
		return r.skip(pieces, size, err)
	}
	line = make([]byte, 0, size)
	for i, p := range pieces {
		line = append(line, p...)
		pieces[i] = nil
	}
	return line, nil, err
}

// blank skips the empty lines that come next, as far as they are there already,
// and counts them. One by one, a server that sends nothing else would keep a
// processor busy.
func (r *lineReader) blank() int {
	if _, err := r.in.Peek(1); err != nil {
		return 0 // next says it
	}
	have, _ := r.in.Peek(r.in.Buffered()) // which is there
	n := 0
	for n < len(have) && have[n] == '\n' {
		n++
	}
	_, _ = r.in.Discard(n)
	return n
}

// skip reads the rest of a line that is too long.
func (r *lineReader) skip(pieces [][]byte, size int, err error) ([]byte, *cutLine, error) {
	cut := cutOf(pieces[0])
	cut.add(pieces[len(pieces)-1])
	clear(pieces)
	for limit := endless * r.max; errors.Is(err, bufio.ErrBufferFull); {
		if size > limit {
			return nil, cut, errEndless
		}
		var part []byte
		part, err = r.in.ReadSlice('\n')
		size += len(part)
		cut.add(part)
	}
	return nil, cut, err
}

// cutOf keeps the ends of a line, or of what there is of it.
func cutOf(line []byte) *cutLine {
	cut := &cutLine{head: bytes.Clone(line[:min(len(line), headSize)])}
	cut.add(line)
	return cut
}

// add keeps the end of what was read.
func (c *cutLine) add(part []byte) {
	c.tail = append(c.tail, part[max(0, len(part)-tailSize):]...)
	if n := len(c.tail); n > tailSize {
		c.tail = append(c.tail[:0], c.tail[n-tailSize:]...)
	}
}

// A lastReader reads a pipe that has a deadline, and what lies in it at that time:
// on a busy machine a server's last message may not be read by then.
type lastReader struct {
	f     *os.File
	until time.Time // once the deadline was met, for a pipe that is written on and on
}

func (r *lastReader) Read(b []byte) (int, error) {
	n, err := r.f.Read(b)
	if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	if r.until.IsZero() {
		r.until = time.Now().Add(lastWords)
	}
	if time.Now().After(r.until) {
		return 0, err
	}
	_ = r.f.SetReadDeadline(time.Now().Add(lastLook))
	return r.f.Read(b)
}

// lastLook is for what lies in a pipe, which is there at once.
const lastLook = 10 * time.Millisecond
