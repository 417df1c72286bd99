package wording

import (
	"fmt"
	"strings"
	"time"

	"goated/agent"
)

// ChainLines returns a line for each step of a chain: its subject, tool, tokens and duration, and the
// error if it failed.
func ChainLines(steps []agent.ChainStep) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "Step %d", i+1)
		if s.About != "" {
			b.WriteString(": " + s.About)
		}
		fmt.Fprintf(&b, " → %s · %d tokens · %s", s.Tool, s.Usage.Total(), s.Duration.Round(100*time.Millisecond))
		switch {
		case s.Failure != nil:
			b.WriteString(" · " + ErrorText(s.Failure))
		case s.Error != "":
			b.WriteString(" · " + s.Error)
		}
	}
	return b.String()
}
