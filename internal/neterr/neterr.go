// Package neterr classifies the errors of network connections, in the same way on every system.
//
// It knows which Go errors, POSIX errnos and Windows error codes mean the same. It must not know
// servers or models, and has no sentences for users.
package neterr

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"runtime"
	"strings"
	"syscall"
)

// A Kind is the reason why a connection failed.
type Kind int

// These are the kinds of errors.
const (
	Unknown        Kind = iota // not a network error, or none of the others
	Canceled                   // the caller stopped waiting
	NoSuchHost                 // the name of the host does not exist
	LookupFailed               // no name server knows whether the name exists
	LookupTimeout              // no name server answered in time
	Refused                    // no program listens on the port
	Unreachable                // no route leads to the host
	Reset                      // the connection ended before the response was complete
	Timeout                    // no response came in time
	NotTLS                     // the other side does not speak TLS
	UnknownSigner              // this computer trusts nobody who signed the certificate
	BadCertificate             // the certificate is not valid for this host at this time
)

// KindOf returns the kind of an error.
func KindOf(err error) Kind {
	if err == nil {
		return Unknown
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		switch {
		case dns.IsNotFound:
			return NoSuchHost
		case dns.IsTimeout:
			return LookupTimeout
		}
		return LookupFailed
	}
	var number syscall.Errno
	if errors.As(err, &number) {
		if k := kindOfNumber(number); k != Unknown {
			return k
		}
	}
	if k := kindOfTLS(err); k != Unknown {
		return k
	}
	var wait net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.As(err, &wait) && wait.Timeout():
		return Timeout
	}
	return Unknown
}

func kindOfTLS(err error) Kind {
	var record tls.RecordHeaderError
	var signer x509.UnknownAuthorityError
	var verification *tls.CertificateVerificationError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	// net/http replaces a record error with a text if the record looks like an HTTP response.
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return NotTLS
	case errors.As(err, &signer):
		return UnknownSigner
	case errors.As(err, &verification), errors.As(err, &name), errors.As(err, &invalid):
		return BadCertificate
	}
	return Unknown
}

// kindOfNumber returns the kind of a system error code. Windows has its own codes. Package syscall
// also declares the POSIX names there, with numbers that Windows does not use.
func kindOfNumber(number syscall.Errno) Kind {
	if runtime.GOOS == "windows" {
		if k := kindOfWindows(number); k != Unknown {
			return k
		}
	}
	switch number {
	case syscall.ECONNREFUSED:
		return Refused
	case syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.EHOSTDOWN:
		return Unreachable
	case syscall.ECONNRESET, syscall.ECONNABORTED, syscall.ENETRESET, syscall.EPIPE:
		return Reset
	case syscall.ETIMEDOUT:
		return Timeout
	}
	return Unknown
}
