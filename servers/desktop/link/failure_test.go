package link

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
)

// Every code has a name and a hint.
func TestHints(t *testing.T) {
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		f := (&Link{where: "here"}).explain(code, "said", "GetWindow")
		if !strings.HasSuffix(f.Hint, ".") || f.Message == "" || strings.HasPrefix(f.Name(), "CODE_") {
			t.Errorf("%s: %+v", code, f)
		}
	}
	if name := (&Failure{Code: 99}).Name(); name != "CODE_99" {
		t.Error(name)
	}
}

// The service's reason for a failure is kept. Our own text used to replace it. It claimed that an
// action may have taken effect even after a wait, and that a connection was lost even if there is
// none.
func TestTheServicesReasonStays(t *testing.T) {
	near, far := &Link{where: "here", end: func() error { return nil }}, &Link{where: "there"}
	for _, c := range []struct {
		link          *Link
		code          codes.Code
		said, method  string
		message, hint string
	}{
		{far, codes.DeadlineExceeded, "Calculator does not answer; wait for it, or close it", "ClickElement", "Calculator does not answer", "Wait for it, or close it."},
		{far, codes.DeadlineExceeded, "context deadline exceeded", "ClickElement", "ClickElement did not finish in time", hint(codes.DeadlineExceeded)},
		{far, codes.DeadlineExceeded, "it did not happen within 5s", "WaitElement", "it did not happen within 5s", "Nothing was changed. The application may hang, or need longer: look at it, or call again."},
		{near, codes.Unavailable, "the display :0 has ended; tell the user", "GetWindow", "the display :0 has ended", "Tell the user."},
		{near, codes.Unavailable, "it ends", "GetWindow", "it ends", "Look at the desktop again in a moment. If it stays away, tell the user to restart the desktop server."},
		{far, codes.Unavailable, "error reading from server: EOF", "GetWindow", "the connection to there is lost: error reading from server: EOF", "Call again: it reconnects. An action may have taken effect: look before you repeat it."},
	} {
		f := c.link.explain(c.code, c.said, c.method)
		if f.Message != c.message || f.Hint != c.hint {
			t.Errorf("%s of %s: %q, %q", c.said, c.method, f.Message, f.Hint)
		}
	}
}
