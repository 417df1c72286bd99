package main

import (
	"io"

	"goated/internal/ansi"
	"goated/internal/safetext"
)

// A plain writes to a terminal without control sequences, so that servers cannot
// control the terminal, and with a mark for each hidden character, so that they
// cannot mislead its reader.
type plain struct{ to io.Writer }

func (p plain) Write(data []byte) (int, error) {
	if _, err := io.WriteString(p.to, safetext.Mark(ansi.Strip(string(data)))); err != nil {
		return 0, err
	}
	return len(data), nil
}

// bare returns the writer under a plain one, for goated's own control sequences.
func bare(w io.Writer) io.Writer {
	if p, ok := w.(plain); ok {
		return p.to
	}
	return w
}

// A faithful writes JSON for programs. It escapes hidden characters instead of
// marking them, so that the values stay the same.
type faithful struct{ to io.Writer }

func (f faithful) Write(data []byte) (int, error) {
	if _, err := io.WriteString(bare(f.to), safetext.Escape(string(data))); err != nil {
		return 0, err
	}
	return len(data), nil
}
