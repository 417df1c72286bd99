package terminal

import (
	"context"
	"io"
)

// eraseLine makes the line editor forget the text of a line: Ctrl+E and Ctrl+U.
const eraseLine = "\x05\x15"

// An input reads stdin for lines that the caller may give up. A read of stdin itself cannot end early, so it goes on
// in a goroutine until something arrives. That belongs to the next line.
type input struct {
	from    io.Reader
	ctx     context.Context // of the line that is being read
	erase   bool            // a line editor reads, and has text to forget when ctx ends
	arrived chan chunk      // from the goroutine
	waits   bool            // the goroutine runs
	rest    chunk           // what arrived and is not read yet
}

// A chunk is the result of one read.
type chunk struct {
	text []byte
	err  error
}

// Read returns the error of ctx when that ends. Only one goroutine may call it at a time.
func (i *input) Read(p []byte) (int, error) {
	if len(i.rest.text) == 0 && i.rest.err == nil {
		if !i.waits {
			i.waits = true
			go func() { // ends with the program at the latest
				text := make([]byte, 4096)
				n, err := i.from.Read(text)
				i.arrived <- chunk{text[:n], err}
			}()
		}
		select {
		case i.rest = <-i.arrived:
			i.waits = false
		case <-i.ctx.Done():
			if i.erase {
				i.erase = false
				return copy(p, eraseLine), nil
			}
			return 0, i.ctx.Err()
		}
	}
	n := copy(p, i.rest.text)
	i.rest.text = i.rest.text[n:]
	if len(i.rest.text) > 0 {
		return n, nil
	}
	err := i.rest.err
	i.rest.err = nil
	return n, err
}
