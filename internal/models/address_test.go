package models

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"goated/internal/config"
)

// For an address that is not the one of the interface, such as https://openrouter.ai, the user learned that
// the service is not available at the moment.
func TestAWrongAddressOfAServiceIsNamed(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/page") {
			_, _ = w.Write([]byte("<html>Welcome</html>"))
			return
		}
		http.NotFound(w, r)
	}))
	defer page.Close()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := free.Addr().String()
	_ = free.Close() // nothing listens there
	const no, ending = " does not answer like a service with OpenAI's chat interface", ". The address of such a service usually ends with /v1"
	for address, want := range map[string]string{
		page.URL:           page.URL + no + " (404 Not Found)" + ending,
		page.URL + "/page": page.URL + "/page" + no + ending,
		page.URL + "/v1":   page.URL + "/v1" + no + " (404 Not Found)",
		"http://" + host:   "unreachable: connection refused",
	} {
		s := &Source{urls: []local{}}
		if g := s.List(t.Context(), config.Settings{}, address); g.Err == nil || g.Err.Error() != want {
			t.Errorf("%s: %v", address, g.Err)
		}
	}
}
