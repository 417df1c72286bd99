package client

import (
	"errors"
	"fmt"
	"testing"
)

// What goated itself put a server away for is the cause, whatever the server
// wrote: many do without a module, and say so.
func TestWhatGoatedFoundIsTheCause(t *testing.T) {
	for fault, want := range map[error]Cause{errFlood: CauseFlood, errNoise: CauseNotMCP, errDeaf: CauseNotMCP, errMute: CauseNotMCP, errUnread: CauseSlow} {
		c := circumstances{
			err:   &Error{Kind: ErrProtocol, Err: fmt.Errorf("%w, last: x", fault)},
			said:  "ModuleNotFoundError: No module named 'uvloop'\nListen: address already in use",
			path:  "/a/server.py",
			stray: Stray{Lines: 1, Last: "UTF-16: hi"},
		}
		var d Diagnosis
		if c.diagnose(&d); d.Cause != want || d.Why == "" || d.Remedy == "" || d.Open != c.path || d.Mend != nil {
			t.Errorf("%v: %+v", fault, d)
		}
		if noise := d.Detail == c.stray.Last; noise != errors.Is(fault, errNoise) {
			t.Errorf("%v is taken for what it wrote: %s", fault, d.Why)
		}
	}
}
