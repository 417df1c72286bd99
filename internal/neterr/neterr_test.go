package neterr

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// An error has the same kind anywhere in a chain.
func TestKindOf(t *testing.T) {
	t.Parallel()
	of := func(op string, number syscall.Errno) error {
		return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError("connect", number)}
	}
	for _, tt := range []struct {
		err  error
		want Kind
	}{
		{&net.DNSError{Err: "no such host", IsNotFound: true}, NoSuchHost},
		{&net.DNSError{Err: "server misbehaving", IsTemporary: true}, LookupFailed},
		{&net.DNSError{Err: "i/o timeout", IsTimeout: true}, LookupTimeout},
		{of("dial", syscall.ECONNREFUSED), Refused},
		{of("dial", syscall.EHOSTUNREACH), Unreachable},
		{of("dial", syscall.EHOSTDOWN), Unreachable},
		{of("dial", syscall.ETIMEDOUT), Timeout},
		{of("read", syscall.ECONNRESET), Reset},
		{of("write", syscall.EPIPE), Reset},
		{of("dial", syscall.EACCES), Unknown},
		{&net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}, Timeout},
		{context.DeadlineExceeded, Timeout},
		{context.Canceled, Canceled},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, UnknownSigner},
		{&tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: new(x509.Certificate), Host: "a.test"}}, BadCertificate},
		{tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}, NotTLS},
		{io.EOF, Unknown},
		{nil, Unknown},
	} {
		err := tt.err
		if err != nil {
			err = fmt.Errorf("asking it: %w", &url.Error{Op: "Get", URL: "https://a.test", Err: err})
		}
		if got := KindOf(err); got != tt.want {
			t.Errorf("%v has the kind %d, want %d", tt.err, got, tt.want)
		}
	}
}

// Errors from a real server are recognized too.
func TestKindOfRequests(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for address, want := range map[string]Kind{
		strings.Replace(plain.URL, "http:", "https:", 1): NotTLS,
		secure.URL: UnknownSigner,
		gone.URL:   Refused,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := new(http.Client).Do(r)
		if err == nil {
			_ = resp.Body.Close()
		}
		if got := KindOf(err); got != want {
			t.Errorf("%v has the kind %d, want %d", err, got, want)
		}
	}
}

// Winsock has its own error codes, which errors.Is does not match with those of POSIX.
func TestNumbersOfWindows(t *testing.T) {
	t.Parallel()
	for number, want := range map[syscall.Errno]Kind{
		10061: Refused, 1225: Refused, 10060: Timeout, 121: Timeout, 10051: Unreachable, 10065: Unreachable, 1231: Unreachable,
		10053: Reset, 10054: Reset, 64: Reset, 11001: NoSuchHost, 11004: NoSuchHost, 11002: LookupFailed, 5: Unknown,
	} {
		if got := kindOfWindows(number); got != want {
			t.Errorf("%d has the kind %d, want %d", number, got, want)
		}
		wrapped := &net.OpError{Op: "dial", Err: os.NewSyscallError("connectex", number)}
		if got := KindOf(wrapped); runtime.GOOS == "windows" && got != want {
			t.Errorf("%v has the kind %d, want %d", wrapped, got, want)
		}
	}
}
