//go:build unix

package client_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/waittest"
	"goated/internal/wording"
)

// If a server reports with notifications/message why it exits and writes nothing to stderr,
// goated gave no reason, unless a single call was running.
func TestLogMessagesSayWhyAServerEnds(t *testing.T) {
	t.Parallel()
	const said = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"auth","data":"Missing API key: set FOO_API_KEY"}}`
	for name, method := range map[string]string{"during initialize": "initialize", "after it": "notifications/initialized", "during the list": "tools/list"} {
		_, err := wrong(t, client.Options{}, method, "ends "+said)
		var e *client.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "Missing API key: set FOO_API_KEY") || !slices.Contains(e.Stderr, "error: Missing API key: set FOO_API_KEY") {
			t.Errorf("%s: %v, %+v", name, err, e)
		}
		if got := wording.Advice(err); got != "Set FOO_API_KEY in the server's environment." {
			t.Errorf("%s: the advice is %q", name, got)
		}
	}
	if _, err := callWrong(t, 0, "ends "+said); err == nil || !strings.Contains(err.Error(), "Missing API key: set FOO_API_KEY") {
		t.Errorf("during a call: %v", err)
	}
	h, err := wrong(t, client.Options{}, "notifications/initialized", said)
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the log has the message", func() bool {
		return slices.Contains(logLines(h, "wrong"), "error: Missing API key: set FOO_API_KEY")
	})
}
