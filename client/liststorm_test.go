//go:build unix

package client_test

import (
	"strings"
	"testing"
	"time"

	"goated/client"
)

// The host lists tools at most once a second, however often they change.
func TestListChangedStormIsThrottled(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "storm", "50000"))
	began := time.Now()
	for range 5 {
		if _, err := h.Call(t.Context(), "m__one", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	r, err := h.Call(t.Context(), "m__stat", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, lists, _ := strings.Cut(said(t, r), "lists=")
	if most := int(time.Since(began).Seconds()) + 3; len(lists) > 1 || lists[0] > byte('0'+most) {
		t.Errorf("listed %s times in %v", lists, time.Since(began))
	}
}
