package wire

import (
	"errors"
	"fmt"
	"net/http"
)

// Stay refuses redirects to another host: net/http would send the key along.
func Stay(to *http.Request, via []*http.Request) error {
	if from := via[0].URL; to.URL.Scheme != from.Scheme || to.URL.Host != from.Host {
		return fmt.Errorf("%s redirects to %s, which must not get the key", from.Host, to.URL.Host)
	}
	if len(via) >= 10 {
		return errors.New("more than 10 redirects")
	}
	return nil
}
