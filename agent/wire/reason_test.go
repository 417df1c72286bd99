package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"google.golang.org/genai"
)

// Without a network, the user sees the cause, not the URL of the request and the error layers of
// the network library.
func TestNetworkReason(t *testing.T) {
	request := func(err error) error {
		return fmt.Errorf("doRequest: error sending request: %w", &url.Error{Op: "Post", URL: "https://generativelanguage.googleapis.com/v1beta", Err: err})
	}
	for want, err := range map[string]error{
		"connection refused": request(&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}),
		"the name generativelanguage.googleapis.com is not known to the network":                                                                                 request(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "generativelanguage.googleapis.com", IsNotFound: true}}),
		"looking up the name generativelanguage.googleapis.com failed: server misbehaving":                                                                       request(&net.DNSError{Err: "server misbehaving", Name: "generativelanguage.googleapis.com", IsTemporary: true}),
		"the proxy of your settings (HTTPS_PROXY) does not answer: connection refused":                                                                           request(&net.OpError{Op: "proxyconnect", Net: "tcp", Err: &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}}),
		"the proxy wants a name and a password: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT":                                                                      request(errors.New("Proxy Authentication Required")),
		"this computer does not know who signed the certificate. If a company's proxy did, add its certificate to the system, or name its file in SSL_CERT_FILE": request(&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}),
		"no route to it: this computer may be offline":                                                                                                           request(&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.EHOSTDOWN)}),
		"it speaks http, not https": request(errors.New("http: server gave HTTP response to HTTPS client")),
		"something else":            errors.New("something else"),
	} {
		if got := NetworkReason(err); got != want {
			t.Errorf("%v reads %q, want %q", err, got, want)
		}
	}
}

// The page of a proxy is not mistaken for Gemini's refusal of the key.
func TestNotAPIMessage(t *testing.T) {
	page := "<html>Blocked by ACME</html>"
	for want, e := range map[string]genai.APIError{
		"something else answered (403 Forbidden), such as a company's proxy or the login page of a network": {Code: 403, Status: "403 Forbidden", Message: page},
		"": {Code: 403, Status: "PERMISSION_DENIED", Message: "not for you"},
	} {
		if got := NotAPIMessage(e); got != want {
			t.Errorf("%+v reads %q, want %q", e, got, want)
		}
	}
	if got := NotAPIMessage(genai.APIError{Code: 502, Status: "502 Bad Gateway", Message: page}); got != "" {
		t.Errorf("an overloaded service reads %q", got)
	}
}

// Only a temporary error that soon ends counts as busy.
func TestIsBusy(t *testing.T) {
	for _, tt := range []struct {
		code    int
		message string
		want    bool
	}{
		{503, "The model is overloaded. Please try again later.", true}, {503, "Loading model", true}, {529, "", true}, {500, "Overloaded", true},
		{500, "model requires more system memory", false}, {500, "tools param requires --jinja flag", false}, {429, "overloaded", false}, {0, "", false},
	} {
		if got := IsBusy(tt.code, tt.message); got != tt.want {
			t.Errorf("%d %q: %t", tt.code, tt.message, got)
		}
	}
}
