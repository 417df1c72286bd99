package asking

import "testing"

// A tool that failed because it could not ask the user differs from one that requested a completion
// by a model. No other protocol version helps the second one.
func TestFailedToAsk(t *testing.T) {
	for said, want := range map[string]struct{ modern, legacy, nobody bool }{
		"Cannot send 'elicitation/create': this transport context has no back-channel for server-initiated requests.":     {true, false, true},
		"Cannot send 'sampling/createMessage': this transport context has no back-channel for server-initiated requests.": {},
		"Cannot send 'roots/list': this transport context has no back-channel for server-initiated requests.":             {},
		"client does not support elicitation": {nobody: true},
		"no such table":                       {},
	} {
		if got := FailedToAsk(said, true, true); got != want.modern {
			t.Errorf("%s: %v", said, got)
		}
		if got := FailedToAsk(said, false, true); got != want.legacy {
			t.Errorf("%s, in the older protocol: %v", said, got)
		}
		if got := FailedToAsk(said, true, false); got != want.nobody {
			t.Errorf("%s, with nobody to ask: %v", said, got)
		}
	}
}
