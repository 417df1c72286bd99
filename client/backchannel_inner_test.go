package client

import (
	"context"
	"testing"
	"testing/synctest"
)

// A call that waits while another server changes to the older protocol ends with its context.
// The change of the other server takes half a minute and a restart.
func TestCallThatWaitsForAChangeOfProtocolCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &Host{changing: make(chan bool, 1), list: &serverList{}}
		h.changing <- true
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan bool, 1)
		go func() { done <- restartWithLegacy(ctx, h, &server{}) }()
		synctest.Wait()
		stop()
		if <-done {
			t.Error("it reports that the server runs")
		}
		<-h.changing
		if restartWithLegacy(t.Context(), h, &server{}) || len(h.changing) > 0 {
			t.Error("the next change cannot begin")
		}
	})
}
