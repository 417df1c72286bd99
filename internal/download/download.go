// Package download requests the files that goated installs. It owns the rules for redirects and for servers that
// stop sending. It must not know what the files contain.
package download

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"goated/internal/weborigin"
)

// A Source describes how to request files. The zero value requests them with [http.DefaultClient].
type Source struct {
	HTTP  *http.Client  // nil: http.DefaultClient. Source replaces its CheckRedirect
	Stall time.Duration // how long a server may send nothing; 0: a minute
	Plain bool          // addresses may use http, because the user configured their server
}

const stallLimit = time.Minute

// maxRedirects is what package managers follow as well.
const maxRedirects = 5

// errStalled means that the bytes of a download stopped coming.
var errStalled = errors.New("the server sends nothing more. Try again")

// Open requests a file. It follows redirects to https, and from http on this computer to http there. The response
// has status 200, and the caller must close its body. The request ends with an error if the server stalls.
func (s Source) Open(ctx context.Context, address, accept string) (*http.Response, error) {
	ctx, end := context.WithCancelCause(ctx)
	limit := cmp.Or(s.Stall, stallLimit)
	f := &flow{ctx: ctx, end: func() { end(nil) }, timer: time.AfterFunc(limit, func() { end(errStalled) }), limit: limit}
	resp, err := s.request(ctx, address, accept)
	if err != nil {
		f.timer.Stop()
		f.end()
		if context.Cause(ctx) == errStalled {
			err = errStalled
		}
		return nil, err
	}
	f.ReadCloser, resp.Body = resp.Body, f
	return resp, nil
}

func (s Source) request(ctx context.Context, address, accept string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil || !s.allowed(r.URL) {
		return nil, errors.New("it is not at an https address")
	}
	r.Header.Set("Accept", cmp.Or(accept, "*/*"))
	by := *cmp.Or(s.HTTP, http.DefaultClient)
	by.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		switch {
		case next.URL.Scheme != "https" && (via[0].URL.Scheme == "https" || !s.allowed(next.URL)):
			return errors.New("it redirects to an address without https")
		case len(via) > maxRedirects:
			return errors.New("it redirects too often")
		}
		return nil
	}
	resp, err := by.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the caller names the server
		}
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("it answers with HTTP %d", resp.StatusCode)
	}
	return resp, nil
}

// allowed reports whether files may come from an address.
func (s Source) allowed(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && (s.Plain || weborigin.IsLoopback(u.Hostname()))
}
