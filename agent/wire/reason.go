package wire

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"

	"goated/internal/neterr"

	"google.golang.org/genai"
)

// NetworkReason returns the reason why no answer came, without the addresses and the error layers
// of the network library.
func NetworkReason(err error) string {
	var op *net.OpError
	reason := reasonOf(err)
	switch {
	case reason == "Proxy Authentication Required":
		return "the proxy wants a name and a password: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT"
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return "the proxy of your settings (HTTPS_PROXY) does not answer: " + reason
	}
	return reason
}

func reasonOf(err error) string {
	var name *net.DNSError
	var op *net.OpError
	var request *url.Error
	var number syscall.Errno
	switch kind := neterr.KindOf(err); {
	case errors.As(err, &name) && kind == neterr.NoSuchHost:
		return "the name " + name.Name + " is not known to the network"
	case errors.As(err, &name):
		return "looking up the name " + name.Name + " failed: " + name.Err
	case kind == neterr.Refused:
		return "connection refused"
	case kind == neterr.Unreachable:
		return "no route to it: this computer may be offline"
	case kind == neterr.Reset:
		return "the connection broke off"
	case kind == neterr.Timeout:
		return "no answer came in time"
	case kind == neterr.NotTLS:
		return "it speaks http, not https"
	case errors.As(err, &number):
		return number.Error()
	case kind == neterr.UnknownSigner:
		return "this computer does not know who signed the certificate. If a company's proxy did, add its certificate to the system, or name its file in SSL_CERT_FILE"
	case errors.As(err, &op):
		return op.Err.Error()
	case errors.As(err, &request):
		return request.Err.Error()
	}
	return err.Error()
}

// NotAPIMessage returns a message if something other than the API answered, such as a proxy or the login
// page of a network. It returns "" for an error of the API. For such an answer, genai returns the
// HTTP status line as the status and the page as the message.
func NotAPIMessage(e genai.APIError) string {
	if e.Code >= 500 || !strings.HasPrefix(e.Status, fmt.Sprint(e.Code, " ")) || !strings.HasPrefix(strings.TrimSpace(e.Message), "<") {
		return ""
	}
	return "something else answered (" + e.Status + "), such as a company's proxy or the login page of a network"
}

// IsBusy reports whether an error means that a service is overloaded or is loading the model, so that
// it may answer in half a minute: "The model is overloaded. Please try again later." (Gemini, 503),
// "Loading model" (llama.cpp, 503), "Overloaded" (529).
func IsBusy(code int, message string) bool {
	said := strings.ToLower(message)
	return code == 503 || code == 529 || code >= 500 && (strings.Contains(said, "overloaded") || strings.Contains(said, "loading model"))
}
