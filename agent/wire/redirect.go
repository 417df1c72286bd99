package wire

import (
	"errors"
	"fmt"
	"net/http"

	"goated/internal/weborigin"
)

// RefuseRedirectAway is a CheckRedirect function that refuses redirects to another host or to plain HTTP, because
// net/http would send the key along.
func RefuseRedirectAway(to *http.Request, via []*http.Request) error {
	if from := via[0].URL; !weborigin.Same(from, to.URL) {
		return fmt.Errorf("%s://%s redirects to %s://%s, which must not get the key", from.Scheme, from.Host, to.URL.Scheme, to.URL.Host)
	}
	if len(via) >= 10 {
		return errors.New("more than 10 redirects")
	}
	return nil
}
