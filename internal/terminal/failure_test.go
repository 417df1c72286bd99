package terminal

import (
	"strings"
	"testing"
	"time"

	"goated/client"
)

// After a timeout with --call-timeout 10m, goated recommended a limit of five minutes.
func TestTheAdviceAfterATimeoutIsALongerLimit(t *testing.T) {
	for limit, want := range map[time.Duration]string{4 * time.Second: "5m", time.Minute: "5m", 150 * time.Second: "5m", 151 * time.Second: "6m", 10 * time.Minute: "20m"} {
		got := Sentence(&client.Error{Kind: client.ErrCallTimeout, Subject: "roll", After: limit, Stderr: []string{"a line"}})
		if !strings.HasSuffix(got, "\nTo wait longer, add --call-timeout "+want+".\n  | a line") {
			t.Errorf("%v: %s", limit, got)
		}
	}
}
