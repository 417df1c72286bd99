package goroutines

import (
	"net"
	"net/http"
	"sync"
)

// Connections returns a function for [http.Server.ConnState]. It adds the goroutine of each connection to work, until
// the connection ends or its handler takes it over. [http.Server.Close] does not wait for these goroutines. After a
// request with too large a header, one goes on for half a second, so that the client can read the reason.
//
// work must contain the goroutine that runs [http.Server.Serve].
func Connections(work *sync.WaitGroup) func(net.Conn, http.ConnState) {
	return func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew: // in the goroutine of Serve
			work.Add(1)
		case http.StateHijacked, http.StateClosed:
			work.Done()
		}
	}
}
