package terminal

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"goated/client"
	"goated/internal/wording"
)

// An ExitStatus ends the program with a status and prints nothing more.
type ExitStatus int

func (s ExitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Sentence returns an error message with its likely cause and the next step.
func Sentence(err error) string {
	lines := []string{wording.ErrorText(err)}
	for _, more := range []string{wording.ReasonText(err), wording.Advice(err), wording.PasteAdvice(err)} {
		if more != "" {
			lines = append(lines, more)
		}
	}
	if e := (*client.Error)(nil); errors.As(err, &e) && e.Kind == client.ErrCallTimeout && e.Err == nil { // otherwise the sentence has quoted them
		lines = append(lines, fmt.Sprintf("To wait longer, add --call-timeout %dm.", longer(e.After)))
		for _, line := range e.Stderr {
			lines = append(lines, "  | "+line)
		}
	}
	return strings.Join(lines, "\n")
}

// longer returns a new limit, in minutes, that is at least twice the exceeded one.
func longer(limit time.Duration) int {
	return max(5, int(math.Ceil(2*limit.Minutes())))
}
