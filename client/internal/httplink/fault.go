package httplink

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"goated/internal/neterr"
)

// A Kind is the reason why goated cannot reach a server, or why the server does not speak MCP.
type Kind int

// The kinds of [Fault].
const (
	Other        Kind = iota
	UnknownHost       // the host name does not exist
	Refused           // no program listens on the port
	Unreachable       // the network has no route to the host, or the host does not respond
	Untrusted         // the certificate is not trusted, or not valid for the host
	PlainHTTP         // goated used https for a server that speaks http
	NeedsHTTPS        // goated used http for a server that speaks https
	NotFound          // the server does not have this URL
	NotMCP            // the response is a web page or another document
	Unauthorized      // the server requires a sign-in, or rejected the key
	KeyRefused        // the server rejected the key in a header that the user set
	Forbidden         // the server refuses this user or this request
	Moved             // the server redirects to another host
	Failing           // the server responds with an internal error
	Gone              // the server responded before, but no longer does
	SessionLost       // the server lost the session and did not create another one
)

// A Fault is the reason why a connection failed. Its text contains no secrets.
type Fault struct {
	Kind   Kind
	Host   string // of the URL, including the port if there is one
	Status int    // of the HTTP response; 0 if there was none
	Text   string // the server's message, truncated; may be empty
	Header string // for KeyRefused: the name of the header
	// Suggest is another URL that the user may have meant, or "" if none is known.
	Suggest string
	Err     error // the cause; may be nil
}

func (f *Fault) Error() string {
	switch f.Kind {
	case UnknownHost:
		return "the host " + f.Host + " does not exist, or this computer is offline"
	case Refused:
		return "nothing answers at " + f.Host
	case Unreachable:
		return f.Host + " does not answer"
	case Untrusted:
		return "the certificate of " + f.Host + " is not valid: " + cause(f.Err)
	case PlainHTTP:
		return f.Host + " speaks http, not https"
	case NeedsHTTPS:
		return f.Host + " speaks https, not http"
	case NotFound:
		return fmt.Sprintf("%s has nothing at this address (HTTP %d)", f.Host, f.Status)
	case NotMCP:
		return f.Host + " answers, but not with MCP: " + f.Text
	case Unauthorized:
		if f.Err != nil {
			return f.Host + " wants you to sign in: " + f.Err.Error()
		}
		return f.Host + " wants you to sign in (HTTP 401)"
	case KeyRefused:
		return f.Host + " does not accept the key in the header " + f.Header + " (HTTP 401)"
	case Forbidden:
		return appendText(fmt.Sprintf("%s refuses access (HTTP %d)", f.Host, f.Status), f.Text)
	case Moved:
		return f.Host + " sends to another address: " + f.Suggest
	case Failing:
		return appendText(fmt.Sprintf("%s answers with an error (HTTP %d)", f.Host, f.Status), f.Text)
	case Gone:
		return f.Host + " no longer answers"
	case SessionLost:
		return f.Host + " ended the session"
	}
	return cause(f.Err)
}

// Refuses reports whether the server refuses this user or this request. Trying again does not help
// in that case.
func (f *Fault) Refuses() bool { return f.unauthorized() || f.Kind == Forbidden }

// unauthorized reports whether the server responded with the status 401.
func (f *Fault) unauthorized() bool { return f.Kind == Unauthorized || f.Kind == KeyRefused }

// QuotesServer reports whether the text contains the server's words about the request. A failing server
// often has none.
func (f *Fault) QuotesServer() bool { return f.Text != "" && (f.Kind == Forbidden || f.Kind == Other) }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

func appendText(sentence, text string) string {
	if text == "" {
		return sentence
	}
	return sentence + ": " + text
}

func cause(err error) string {
	if err == nil {
		return "no reason given"
	}
	return err.Error()
}

// faultOf classifies the error of a request. An HTTP client's error contains the URL, which may
// contain secrets, so faultOf keeps only the wrapped error.
func faultOf(err error, host string) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	f = &Fault{Host: host, Err: err}
	var op *net.OpError
	switch neterr.KindOf(err) {
	case neterr.NoSuchHost, neterr.LookupFailed:
		f.Kind = UnknownHost
	case neterr.Refused:
		f.Kind = Refused
	case neterr.NotTLS:
		f.Kind = PlainHTTP
	case neterr.UnknownSigner, neterr.BadCertificate:
		f.Kind = Untrusted
	case neterr.LookupTimeout, neterr.Timeout, neterr.Unreachable:
		f.Kind = Unreachable
	case neterr.Canceled:
	default:
		if errors.As(err, &op) && op.Op == "dial" {
			f.Kind = Unreachable
		}
	}
	return f
}

// unsent reports whether a request with this fault never reached a server.
func (f *Fault) unsent() bool {
	switch f.Kind {
	case UnknownHost, Refused, Unreachable, Untrusted, PlainHTTP:
		return true
	}
	return false
}

// RedactURL returns a URL without its secrets: the password, and the values of the query except short
// plain words.
func RedactURL(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "an invalid address"
	}
	if u.User != nil {
		u.User = url.User("…")
	}
	query := u.RawQuery
	u.RawQuery, u.Fragment = "", ""
	shown := strings.ReplaceAll(u.String(), "%E2%80%A6", "…")
	if query == "" {
		return shown
	}
	var parts []string
	for part := range strings.SplitSeq(query, "&") {
		if name, value, ok := strings.Cut(part, "="); ok && !isPlainWord(value) {
			part = name + "=…"
		}
		parts = append(parts, part)
	}
	return shown + "?" + strings.Join(parts, "&")
}

// Secrets returns the parts of a URL that [RedactURL] hides, except a user name that is a short plain word.
func Secrets(text string) (secrets []string) {
	u, err := url.Parse(text)
	if err != nil {
		return nil
	}
	if name := u.User.Username(); !isPlainWord(name) { // often the key, without a password
		secrets = append(secrets, name)
	}
	if password, ok := u.User.Password(); ok {
		secrets = append(secrets, password)
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		if _, value, ok := strings.Cut(part, "="); ok && !isPlainWord(value) {
			secrets = append(secrets, value)
			if plain, err := url.QueryUnescape(value); err == nil && plain != value {
				secrets = append(secrets, plain)
			}
		}
	}
	return secrets
}

// isPlainWord reports whether a query value or a user name cannot be a secret.
func isPlainWord(value string) bool {
	return len(value) <= 12 && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz-_,.") == ""
}
