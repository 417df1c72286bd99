package httplink

import (
	"net/http"
	"net/url"
	"testing"
)

// Messages that were sent at the same time to an address that redirects move it, each of them, and
// not the address of the stream.
func TestMovesKeepTheOtherAddress(t *testing.T) {
	old, moved := &url.URL{Path: "/messages"}, &url.URL{Path: "/messages/"}
	r := route{url: &url.URL{Path: "/sse"}}
	r.useSSE(old)
	r.move(http.MethodPost, moved)
	r.move(http.MethodPost, moved)
	for method, want := range map[string]string{http.MethodPost: "/messages/", http.MethodGet: "/sse"} {
		if u, _ := r.target(method); u.Path != want {
			t.Errorf("%s goes to %s, want %s", method, u.Path, want)
		}
	}
}
