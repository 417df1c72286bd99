package client

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first needed. Each
// keeper is this program, started once more, and would compile them all for nothing.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
