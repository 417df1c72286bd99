package wording

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
	"testing"

	"goated/client"
	"goated/internal/errtext"
)

// ErrorText makes a sentence of an error. Messages of Go and the system are plain in it, and the
// sentences of the error table stay as they are.
func TestErrorTextIsASentence(t *testing.T) {
	t.Parallel()
	lookup := &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "registry.test", IsNotFound: true}}
	if got := ErrorText(fmt.Errorf("asking the MCP registry: %w", lookup)); got != "Asking the MCP registry: the host registry.test does not exist, or this computer is offline." {
		t.Errorf("the sentence is %q", got)
	}
	for text, want := range map[string]string{"goated's window is not open": "goated's window is not open.", "no grant": "No grant."} {
		if got := ErrorText(errors.New(text)); got != want {
			t.Errorf("%q is the sentence %q", text, got)
		}
	}
	start := &client.Error{Kind: client.ErrStart, Err: &fs.PathError{Op: "fork/exec", Path: "/a", Err: syscall.ENOENT}}
	if errtext.Plain(start) != start.Error() {
		t.Errorf("a sentence of the error table is %q", errtext.Plain(start))
	}
}
