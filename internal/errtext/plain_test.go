package errtext_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"goated/internal/errtext"
)

// Plain replaces messages of Go and the system, and keeps the rest of the text.
func TestPlain(t *testing.T) {
	t.Parallel()
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Addr: addr, Err: err} }
	lookup := &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "registry.test", IsNotFound: true}}
	broken := json.Unmarshal([]byte(`{"a":`), new(any))
	for _, tt := range []struct {
		err  error
		want string
	}{
		{lookup, "the host registry.test does not exist, or this computer is offline"},
		{&net.DNSError{Err: "server misbehaving", Name: "registry.test", IsTemporary: true}, "the address of the host registry.test can't be found, so this computer may be offline"},
		{dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), "no program answers at 127.0.0.1:9"},
		{dial(os.NewSyscallError("connect", syscall.ENETUNREACH)), "this computer has no route to 127.0.0.1:9 and may be offline"},
		{&net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, "the connection broke off"},
		{&net.OpError{Op: "write", Net: "tcp", Err: os.NewSyscallError("write", syscall.ECONNABORTED)}, "the connection broke off"},
		{os.NewSyscallError("write", syscall.EPIPE), "write: broken pipe"}, // from a pipe of a process
		{dial(os.NewSyscallError("connect", syscall.EHOSTDOWN)), "this computer has no route to 127.0.0.1:9 and may be offline"},
		{&net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}, "no answer came in time"},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, "this computer does not know who signed the certificate"},
		{tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}, "the program there speaks http, not https"},
		{context.DeadlineExceeded, "no answer came in time"},
		{&fs.PathError{Op: "open", Path: "/a", Err: syscall.ENOENT}, "/a does not exist"},
		{&fs.PathError{Op: "open", Path: "last", Err: syscall.ENOENT}, `"last" does not exist`},
		{&fs.PathError{Op: "open", Path: "/a", Err: syscall.EACCES}, "you have no permission for /a"},
		{&fs.PathError{Op: "write", Path: "/a", Err: syscall.ENOSPC}, "no room is left on the disk of /a"},
		{&fs.PathError{Op: "seek", Path: "/a", Err: syscall.EINVAL}, "seek /a: invalid argument"},
		{io.ErrUnexpectedEOF, "it ends too early"},
		{broken, "it ends too early"},
		{errors.New("plain words"), "plain words"},
	} {
		if got := errtext.Plain(fmt.Errorf("asking it: %w", tt.err)); got != "asking it: "+tt.want {
			t.Errorf("%v: %q", tt.err, got)
		}
	}
	timeout := &url.Error{Op: "Get", URL: "http://a.test", Err: context.DeadlineExceeded}
	if got := errtext.Plain(timeout); got != "no answer came in time" {
		t.Errorf("%v: %q", timeout, got)
	}
}
