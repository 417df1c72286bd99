// Package jsoncut reads a large JSON text value by value. It owns the position for errors. It must not know
// what the values mean.
package jsoncut

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
)

// A Reader reads a JSON text, of which only one value is in memory. Its errors contain the position of the
// mistake.
type Reader struct {
	r     *bufio.Reader
	limit int          // of a value, in bytes
	read  atomic.Int64 // bytes that were consumed
}

// New returns a reader of r, whose values have at most limit bytes.
func New(r io.Reader, limit int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 256<<10), limit: limit}
}

// ErrEnd means that the text has ended.
var ErrEnd = errors.New("unexpected end of the file")

// Consumed returns how many bytes of the text were read. Another goroutine may call it.
func (c *Reader) Consumed() int64 { return c.read.Load() }

// Wrong returns an error at the byte that is ahead bytes after the next one.
func (c *Reader) Wrong(ahead int64, err error) error {
	return fmt.Errorf("byte %d: %w", c.read.Load()+1+ahead, err)
}

// consume skips n bytes that were peeked.
func (c *Reader) consume(n int) {
	_, _ = c.r.Discard(n) // they are in the buffer
	c.read.Add(int64(n))
}

// buffered returns the next bytes, at least one.
func (c *Reader) buffered() ([]byte, error) {
	if _, err := c.r.Peek(1); errors.Is(err, io.EOF) {
		return nil, c.Wrong(0, ErrEnd)
	} else if err != nil {
		return nil, err
	}
	return c.r.Peek(c.r.Buffered())
}

// Peek returns the next byte that is no space, without consuming it.
func (c *Reader) Peek() (byte, error) {
	for spaces := 0; ; {
		chunk, err := c.buffered()
		if err != nil {
			return 0, err
		}
		rest := bytes.TrimLeft(chunk, " \t\r\n")
		c.consume(len(chunk) - len(rest))
		if len(rest) > 0 {
			return rest[0], nil
		}
		if spaces += len(chunk); spaces > c.limit {
			return 0, c.Wrong(0, errors.New("it has too many spaces"))
		}
	}
}

// Expect consumes the next byte, which must be one of those in want.
func (c *Reader) Expect(want string) (byte, error) {
	b, err := c.Peek()
	if err != nil {
		return 0, err
	}
	if strings.IndexByte(want, b) < 0 {
		return 0, c.Wrong(0, fmt.Errorf("%q is invalid here", b))
	}
	c.consume(1)
	return b, nil
}

// Elements calls each before every element of a list, or before every member of an object, whose brackets are
// open and end.
func (c *Reader) Elements(open, end string, each func() error) error {
	if _, err := c.Expect(open); err != nil {
		return err
	}
	if b, err := c.Peek(); err != nil || string(b) == end {
		if err == nil {
			c.consume(1)
		}
		return err
	}
	for {
		if err := each(); err != nil {
			return err
		}
		if b, err := c.Expect("," + end); err != nil || string(b) == end {
			return err
		}
	}
}

// Decode decodes the next value into v.
func (c *Reader) Decode(v any) error {
	if _, err := c.Peek(); err != nil {
		return err
	}
	start := c.read.Load()
	text, err := c.value()
	if err != nil {
		return err
	}
	if err = json.Unmarshal(text, v); err == nil {
		return nil
	}
	at := start + 1
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at = start + syntax.Offset
	} else if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		at = start + mismatch.Offset
	}
	return fmt.Errorf("byte %d: %w", at, err)
}

// value returns the text of the next value. It finds the end of a value, and not its mistakes.
func (c *Reader) value() ([]byte, error) {
	var text []byte
	depth, quoted, escaped := 0, false, false
	for {
		chunk, err := c.buffered()
		if err != nil && (!errors.Is(err, ErrEnd) || depth > 0 || quoted || len(text) == 0) {
			return nil, err
		}
		n, done := 0, err != nil
		for ; n < len(chunk) && !done; n++ {
			switch b := chunk[n]; {
			case escaped:
				escaped = false
			case quoted && b == '\\':
				escaped = true
			case quoted && b == '"':
				quoted, done = false, depth == 0
			case quoted:
				if next := bytes.IndexAny(chunk[n:], `"\`); next < 0 {
					n = len(chunk) - 1
				} else {
					n += next - 1
				}
			case b == '"':
				quoted = true
			case b == '{' || b == '[':
				depth++
			case depth > 0 && (b == '}' || b == ']'):
				depth--
				done = depth == 0
			case depth == 0 && bytes.IndexByte([]byte(" \t\r\n,:]}"), b) >= 0: // behind a number or a word
				if len(text)+n == 0 {
					return nil, c.Wrong(0, fmt.Errorf("%q is invalid here", b))
				}
				done = true
				n--
			}
		}
		if len(text)+n > c.limit {
			return nil, c.Wrong(0, fmt.Errorf("a value is larger than %d MiB", c.limit>>20))
		}
		text = append(text, chunk[:n]...)
		if c.consume(n); done {
			return text, nil
		}
	}
}
