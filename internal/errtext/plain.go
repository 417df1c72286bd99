// Package errtext turns errors of Go and the system into plain English sentences. It is pure. It
// must not know the kinds of errors that goated declares: internal/wording has their sentences.
package errtext

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"strconv"
	"strings"
	"syscall"

	"goated/internal/neterr"
)

// A worded error has a text for users that nobody changes, such as [goated/client.Error].
type worded interface {
	error
	Worded()
}

// Plain returns the text of err, with the messages of Go and the system about networks, files and
// JSON in plain English. It does not change the sentences of servers and models.
func Plain(err error) string {
	text := err.Error()
	if e := worded(nil); errors.As(err, &e) {
		return text
	}
	said, raw := networkErrorText(err)
	if raw == nil {
		said, raw = fileErrorText(err)
	}
	if raw == nil {
		said, raw = truncatedText(err)
	}
	if raw == nil {
		return text
	}
	return strings.Replace(text, raw.Error(), said, 1)
}

// networkErrorText returns a phrase for a network error. raw is the error whose text the phrase replaces.
func networkErrorText(err error) (said string, raw error) {
	var op *net.OpError
	at := "it"
	if errors.As(err, &op) {
		if raw = op; op.Addr != nil {
			at = op.Addr.String()
		}
	}
	switch neterr.KindOf(err) {
	case neterr.NoSuchHost, neterr.LookupFailed, neterr.LookupTimeout:
		return hostNotFoundText(err, raw)
	case neterr.Refused:
		said = "no program answers at " + at
	case neterr.Unreachable:
		said = "this computer has no route to " + at + " and may be offline"
	case neterr.Reset:
		said = "the connection broke off"
	case neterr.Timeout:
		return "no answer came in time", timeoutError(err, raw)
	case neterr.NotTLS:
		return "the program there speaks http, not https", tlsError(err)
	case neterr.UnknownSigner:
		return "this computer does not know who signed the certificate", tlsError(err)
	}
	if said == "" || raw == nil { // the error number may belong to a pipe rather than the network
		return "", nil
	}
	return said, raw
}

// hostNotFoundText returns a phrase for a host name that cannot be resolved.
func hostNotFoundText(err, raw error) (string, error) {
	var host *net.DNSError
	if !errors.As(err, &host) { // an error number on Windows
		return "the host does not exist, or this computer is offline", raw
	}
	if raw == nil {
		raw = host
	}
	if host.IsNotFound {
		return "the host " + host.Name + " does not exist, or this computer is offline", raw
	}
	return "the address of the host " + host.Name + " can't be found, so this computer may be offline", raw
}

// timeoutError returns the part of err that reports a timeout.
func timeoutError(err, raw error) error {
	var wait net.Error
	var number syscall.Errno
	switch {
	case raw != nil:
		return raw
	case errors.As(err, &wait):
		return wait
	case errors.As(err, &number): // error numbers on Windows do not implement Timeout
		return number
	}
	return nil
}

// tlsError returns the part of err that reports a TLS error.
func tlsError(err error) error {
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var request *url.Error
	switch {
	case errors.As(err, &verification):
		return verification
	case errors.As(err, &record):
		return record
	case errors.As(err, &request): // net/http replaces the record error
		return request.Err
	}
	return nil
}

// fileErrorText returns a phrase for an error about a file.
func fileErrorText(err error) (said string, raw error) {
	var path *fs.PathError
	if !errors.As(err, &path) || path.Path == "" {
		return "", nil
	}
	name := path.Path
	if !strings.ContainsAny(name, `./\`) { // unquoted, its first letter might be capitalized
		name = strconv.Quote(name)
	}
	for is, says := range map[error]string{
		fs.ErrNotExist: "%s does not exist", fs.ErrPermission: "you have no permission for %s", syscall.ENOSPC: "no room is left on the disk of %s",
		syscall.EROFS: "%s is on a disk that can't be changed", syscall.EISDIR: "%s is a folder", syscall.ENOTDIR: "%s is not in a folder",
	} {
		if errors.Is(path.Err, is) {
			return fmt.Sprintf(says, name), path
		}
	}
	return "", nil
}

// truncatedText returns a phrase for data that ends too early.
func truncatedText(err error) (said string, raw error) {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early", io.ErrUnexpectedEOF
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "unexpected end"):
		return "it ends too early", syntax
	}
	return "", nil
}
