package main

import (
	"fmt"
	"io"
	"strings"

	"goated/internal/ansi"
)

// A plain writes to a terminal without control sequences, so that servers can't
// control the terminal.
type plain struct{ to io.Writer }

func (p plain) Write(data []byte) (int, error) {
	if _, err := io.WriteString(p.to, ansi.Strip(string(data))); err != nil {
		return 0, err
	}
	return len(data), nil
}

// bare is the writer under a plain one, for goated's own control sequences.
func bare(w io.Writer) io.Writer {
	if p, ok := w.(plain); ok {
		return p.to
	}
	return w
}

// A faithful writes JSON for programs. It escapes control characters instead of
// removing them.
type faithful struct{ to io.Writer }

func (f faithful) Write(data []byte) (int, error) {
	var b strings.Builder
	for _, r := range string(data) {
		if r >= 0x7f && r <= 0x9f {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	if _, err := io.WriteString(bare(f.to), b.String()); err != nil {
		return 0, err
	}
	return len(data), nil
}
