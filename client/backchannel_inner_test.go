package client

import (
	"context"
	"testing"
	"testing/synctest"
)

// A call may wait while its server switches to the older protocol, which takes half a minute
// and a restart. The call ends with its context.
func TestCallThatWaitsForAChangeOfProtocolCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, changing := &Host{list: &serverList{}}, make(chan bool, 1)
		h.changing.Store("", changing)
		changing <- true
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan bool, 1)
		go func() { done <- restartWithLegacy(ctx, h, &server{}) }()
		synctest.Wait()
		stop()
		if <-done {
			t.Error("it reports that the server runs")
		}
		<-changing
		if restartWithLegacy(t.Context(), h, &server{}) || len(changing) > 0 {
			t.Error("the next change cannot begin")
		}
	})
}

// One server's change of protocol delayed the changes of all other servers.
func TestServersChangeTheirProtocolBesideEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, slow := &Host{list: &serverList{}}, make(chan bool, 1)
		h.changing.Store("slow", slow)
		slow <- true
		done := make(chan bool, 1)
		go func() { done <- restartWithLegacy(t.Context(), h, &server{view: Server{ID: "quick"}}) }()
		synctest.Wait()
		select {
		case <-done:
		default:
			t.Error("it waits for the other server")
			<-slow
		}
	})
}
