package terminal

import (
	"io"

	"goated/internal/ansi"
	"goated/internal/safetext"
)

// A Plain writes to a terminal. It removes control sequences, so that servers cannot control the
// terminal, and marks hidden characters, so that they cannot mislead the user.
type Plain struct{ To io.Writer }

func (p Plain) Write(data []byte) (int, error) {
	if _, err := io.WriteString(p.To, safetext.Mark(ansi.Strip(string(data)))); err != nil {
		return 0, err
	}
	return len(data), nil
}

// bare returns the writer inside a Plain, for goated's own control sequences.
func bare(w io.Writer) io.Writer {
	if p, ok := w.(Plain); ok {
		return p.To
	}
	return w
}

// A Faithful writes JSON for programs. It escapes hidden characters instead of
// marking them, so that the values stay the same.
type Faithful struct{ To io.Writer }

func (f Faithful) Write(data []byte) (int, error) {
	if _, err := io.WriteString(bare(f.To), safetext.Escape(string(data))); err != nil {
		return 0, err
	}
	return len(data), nil
}
