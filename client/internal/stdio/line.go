package stdio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"time"
)

const (
	// readBuffer is the size of one read, and of the longest line that needs no assembly.
	readBuffer = 64 << 10
	// headSize and tailSize are the sizes of the parts that are kept of an oversized line. They
	// suffice to find the id of the call that it responds to: SDKs write it at either end.
	headSize = 4 << 10
	tailSize = 256
	// endlessFactor times the limit is the length at which a line counts as endless.
	endlessFactor = 16
	// hugeLine is the length from which the pieces of a line are freed immediately. Otherwise they
	// would stay in memory beside the line and its decoded text until the next garbage collection.
	hugeLine = 16 << 20
)

var errEndless = errors.New("the server sends a message that does not end")

// A lineReader reads lines of bounded length. It briefly holds a line of up to max bytes twice,
// while it assembles the line. It keeps only the ends of a longer line.
type lineReader struct {
	in  *bufio.Reader
	max int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, readBuffer), max: limit}
}

// A cutLine holds the ends of an oversized line.
type cutLine struct {
	head, tail []byte
	size       int // of the line without its newline, as far as it was read
}

// next reads up to a newline or to the end of the stream. The caller owns the line. If it was too
// long, line is nil and cut has its ends.
func (r *lineReader) next() (line []byte, cut *cutLine, err error) {
	part, err := r.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) && len(part) <= r.max+1 {
		if len(part) == 0 {
			return nil, nil, err
		}
		return bytes.Clone(part), nil, err
	}
	// Pieces instead of one growing slice: growing would hold the line two and a half times, and
	// create more garbage.
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
	if size >= hugeLine {
		debug.FreeOSMemory()
	}
	return line, nil, err
}

// blank skips the empty lines that are already in the buffer, and returns their number. Reading a
// flood of them one by one would keep a processor busy.
func (r *lineReader) blank() int {
	if _, err := r.in.Peek(1); err != nil {
		return 0 // next returns the error
	}
	have, _ := r.in.Peek(r.in.Buffered())
	n := 0
	for n < len(have) && have[n] == '\n' {
		n++
	}
	_, _ = r.in.Discard(n)
	return n
}

// skip reads the rest of an oversized line.
func (r *lineReader) skip(pieces [][]byte, size int, err error) ([]byte, *cutLine, error) {
	cut := cutOf(pieces[0])
	cut.add(pieces[len(pieces)-1])
	cut.size = size
	clear(pieces)
	for limit := endlessFactor * r.max; errors.Is(err, bufio.ErrBufferFull); {
		if size > limit {
			return nil, cut, errEndless
		}
		var part []byte
		part, err = r.in.ReadSlice('\n')
		size += len(part)
		cut.add(part)
		cut.size = size
	}
	if err == nil {
		cut.size-- // the newline
	}
	return nil, cut, err
}

// cutOf keeps the ends of a line.
func cutOf(line []byte) *cutLine {
	cut := &cutLine{head: bytes.Clone(line[:min(len(line), headSize)])}
	cut.add(line)
	cut.size = len(line)
	return cut
}

// add keeps the end of part.
func (c *cutLine) add(part []byte) {
	c.tail = append(c.tail, part[max(0, len(part)-tailSize):]...)
	if n := len(c.tail); n > tailSize {
		c.tail = append(c.tail[:0], c.tail[n-tailSize:]...)
	}
}

// A drainReader reads a pipe until its deadline, and then drains it. On a busy machine the server's
// last message may still be in the pipe.
type drainReader struct {
	f     *os.File
	until time.Time // end of the draining, for a pipe that never becomes empty; zero before the deadline
}

func (r *drainReader) Read(b []byte) (int, error) {
	n, err := r.f.Read(b)
	if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	if r.until.IsZero() {
		r.until = time.Now().Add(drainLimit)
	}
	if time.Now().After(r.until) {
		return 0, err
	}
	_ = r.f.SetReadDeadline(time.Now().Add(drainRead))
	return r.f.Read(b)
}

const (
	// drainLimit bounds the draining of a pipe.
	drainLimit = 10 * time.Second
	// drainRead bounds one read of data that is already in the pipe.
	drainRead = 10 * time.Millisecond
)
