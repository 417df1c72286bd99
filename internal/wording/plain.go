package wording

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"

	"goated/client"
)

// Plain returns the text of err with the words of Go and of the system for the network, for files
// and for JSON in plain English. The sentences of a server and of a model stay as they are.
func Plain(err error) string {
	text := err.Error()
	if e := (*client.Error)(nil); errors.As(err, &e) {
		return text
	}
	said, raw := unreached(err)
	if raw == nil {
		said, raw = unopened(err)
	}
	if raw == nil {
		said, raw = cut(err)
	}
	if raw == nil {
		return text
	}
	return strings.Replace(text, raw.Error(), said, 1)
}

// unreached is about a program on the network.
func unreached(err error) (said string, raw error) {
	var host *net.DNSError
	var dial *net.OpError
	var wait net.Error
	at := "it"
	if errors.As(err, &dial) {
		if raw = dial; dial.Addr != nil {
			at = dial.Addr.String()
		}
	}
	switch {
	case errors.As(err, &host):
		if raw == nil {
			raw = host
		}
		if host.IsNotFound {
			return "the host " + host.Name + " does not exist, or this computer is offline", raw
		}
		return "the address of the host " + host.Name + " can't be found, so this computer may be offline", raw
	case raw != nil && errors.Is(err, syscall.ECONNREFUSED):
		return "no program answers at " + at, raw
	case raw != nil && (errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EHOSTUNREACH)):
		return "this computer has no route to " + at + " and may be offline", raw
	case raw != nil && (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)):
		return "the connection broke off", raw
	case errors.As(err, &wait) && wait.Timeout() && !errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded):
		if raw == nil {
			raw = wait
		}
		if raw == nil {
			raw = context.DeadlineExceeded
		}
		return "no answer came in time", raw
	}
	return "", nil
}

// unopened is about a file.
func unopened(err error) (said string, raw error) {
	var path *fs.PathError
	if !errors.As(err, &path) || path.Path == "" {
		return "", nil
	}
	for is, says := range map[error]string{
		fs.ErrNotExist: "%s does not exist", fs.ErrPermission: "you have no permission for %s", syscall.ENOSPC: "no room is left on the disk of %s",
		syscall.EROFS: "%s is on a disk that can't be changed", syscall.EISDIR: "%s is a folder", syscall.ENOTDIR: "%s is not in a folder",
	} {
		if errors.Is(path.Err, is) {
			return fmt.Sprintf(says, path.Path), path
		}
	}
	return "", nil
}

// cut is about a text that ends too early.
func cut(err error) (said string, raw error) {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early", io.ErrUnexpectedEOF
	case errors.As(err, &syntax) && strings.Contains(syntax.Error(), "unexpected end"):
		return "it ends too early", syntax
	}
	return "", nil
}
