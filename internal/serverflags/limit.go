package serverflags

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Limit is a flag for a time limit, such as 90s. Zero means that the limit in the settings
// applies.
type Limit time.Duration

// String returns the limit in the form of the flag, or "" for zero.
func (l *Limit) String() string {
	if *l == 0 {
		return ""
	}
	return time.Duration(*l).String()
}

// Type returns the name of the value in the help.
func (l *Limit) Type() string { return "duration" }

// Set parses a limit.
func (l *Limit) Set(text string) error {
	if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 {
		return fmt.Errorf("it has no unit. Write %ss for seconds, %[1]sm for minutes", text)
	}
	d, err := time.ParseDuration(text)
	switch {
	case strings.HasPrefix(text, "-"):
		return errors.New("a time limit can't be negative")
	case err != nil:
		return errors.New("this is not a time limit. Write 90s for seconds, 2m for minutes, 500ms for milliseconds")
	}
	*l = Limit(d)
	return nil
}
