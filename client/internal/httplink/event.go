package httplink

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"
)

// An event is one server-sent event (HTML, section 9.2.6).
type event struct {
	name  string
	id    string
	hasID bool
	retry time.Duration // 0: not set
	data  []byte
	// cut is the size of the data if it exceeded the limit. In that case data is only the beginning.
	cut int
}

// An eventReader splits a stream into events. It keeps at most max bytes of data per event and
// skips the rest.
type eventReader struct {
	r     *bufio.Reader
	max   int
	begun bool
	cr    bool // the last line ended with \r; a \n after it is part of the same line ending
}

// headBytes is how much of an oversized event is kept, to find the call that it responds to.
const headBytes = 4 << 10

// maxField bounds each other field of an event, in bytes.
const maxField = 4 << 10

// maxRetry bounds the pause that a server may request before a reconnection.
const maxRetry = time.Minute

func newEventReader(r io.Reader, max int) *eventReader {
	return &eventReader{r: bufio.NewReaderSize(r, 32<<10), max: max}
}

// next returns the next event that has data, an id or a retry time. It drops an event that the end
// of the stream cuts off, as the standard requires.
func (e *eventReader) next() (event, error) {
	var ev event
	some, lines := false, 0
	for {
		line, size, err := e.line(len(ev.data))
		if err != nil {
			return event{}, err
		}
		if size == 0 {
			if some {
				return ev, nil
			}
			ev = event{}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(field) {
		case "data":
			some = true
			if lines++; lines > 1 {
				ev.data = append(ev.data, '\n')
			}
			if cut := size - len(line); ev.cut > 0 || cut > 0 || len(ev.data)+len(value) > e.max {
				ev.cut = max(ev.cut, len(ev.data)) + len(value) + cut
				if room := headBytes - len(ev.data); room > 0 {
					ev.data = append(ev.data, value[:min(len(value), room)]...)
				}
				ev.data = ev.data[:min(len(ev.data), headBytes)]
				continue
			}
			ev.data = append(ev.data, value...)
		case "event":
			if len(value) <= maxField {
				ev.name = string(value)
			}
		case "id":
			if len(value) <= maxField && bytes.IndexByte(value, 0) < 0 {
				ev.id, ev.hasID, some = string(value), true, true
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				ev.retry, some = max(time.Millisecond, min(time.Duration(ms)*time.Millisecond, maxRetry)), true
			}
		}
	}
}

// line reads a line without its ending, which is \n, \r or \r\n. It keeps the part of the line that
// fits in addition to held bytes of data. size is the length of the whole line. The line is valid
// until the next call.
func (e *eventReader) line(held int) (line []byte, size int, err error) {
	if !e.begun {
		e.begun = true
		if bom, _ := e.r.Peek(3); string(bom) == "\xef\xbb\xbf" {
			_, _ = e.r.Discard(3)
		}
	}
	if e.cr { // not earlier: after a lone \r, the next byte may take a long time
		if next, _ := e.r.Peek(1); len(next) == 1 && next[0] == '\n' {
			_, _ = e.r.Discard(1)
		}
		e.cr = false
	}
	limit := max(e.max-held, headBytes) + len("data: ")
	for {
		if _, err := e.r.Peek(1); err != nil {
			return nil, 0, err
		}
		part, _ := e.r.Peek(e.r.Buffered())
		end := bytes.IndexAny(part, "\r\n")
		text := part
		if end >= 0 {
			text = part[:end]
		}
		size += len(text)
		if room := limit - len(line); room > 0 {
			line = append(line, text[:min(len(text), room)]...)
		}
		if end < 0 {
			_, _ = e.r.Discard(len(part))
			continue
		}
		e.cr = part[end] == '\r'
		_, _ = e.r.Discard(end + 1)
		return line, size, nil
	}
}
