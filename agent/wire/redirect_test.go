package wire

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// RefuseRedirectAway allows redirects within the host, but at most ten.
func TestRedirectsWithinTheHost(t *testing.T) {
	request := httptest.NewRequest(http.MethodPost, "https://example.com/v1", nil)
	via := []*http.Request{request}
	if err := RefuseRedirectAway(request, via); err != nil {
		t.Error(err)
	}
	if err := RefuseRedirectAway(request, slices.Repeat(via, 10)); err == nil {
		t.Error("redirects have no end")
	}
	for _, address := range []string{"http://example.com/v1", "https://example.com:444/v1", "https://example.com.evil/v1"} {
		if err := RefuseRedirectAway(httptest.NewRequest(http.MethodPost, address, nil), via); err == nil {
			t.Errorf("the key goes to %s", address)
		}
	}
}
