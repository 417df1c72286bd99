package backend_test

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/backend"
)

// Readings and screenshots have limits of their own, like actions.
func TestRates(t *testing.T) {
	slow := 0.001 // one passes, and the next would wait for longer than anybody waits
	b := open(t, func(o *backend.Options) { o.Rates = backend.Rates{Pictures: slow} })
	for i, want := range []codes.Code{codes.OK, codes.ResourceExhausted, codes.ResourceExhausted} {
		if err := b.Admit(t.Context(), "CaptureWindowScreenshot"); status.Code(err) != want {
			t.Errorf("picture %d: %v", i, err)
		}
		if err := b.Admit(t.Context(), "ListWindows"); err != nil {
			t.Errorf("a reading beside picture %d: %v", i, err)
		}
	}
	b = open(t, func(o *backend.Options) { o.Rates = backend.Rates{Requests: slow} })
	for i, want := range []codes.Code{codes.OK, codes.ResourceExhausted} {
		if err := b.Admit(t.Context(), "FindElements"); status.Code(err) != want {
			t.Errorf("reading %d: %v", i, err)
		}
	}
	b = open(t, nil)
	for range backend.DefaultPictures { // the usual rates let the steps of a model pass
		if err := b.Admit(t.Context(), "CaptureScreenshot"); err != nil {
			t.Error(err)
		}
	}
}
