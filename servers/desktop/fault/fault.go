// Package fault adds gRPC codes to the errors of the desktop service, because callers decide by the
// code.
//
// The package owns the table of errors and codes. It must not know what a call does.
package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/access"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/copied"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/portal"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/drop"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/input"
	"goated/servers/desktop/x11/screenshot"
	"goated/servers/desktop/x11/wire"
)

// sentinels returns the gRPC codes of sentinel errors.
func sentinels() []struct {
	err  error
	code codes.Code
} {
	return []struct {
		err  error
		code codes.Code
	}{
		{access.ErrUnreachable, codes.Unavailable},
		{atspi.ErrRegistry, codes.Unavailable},
		{guard.ErrHalted, codes.PermissionDenied},
		{x11.ErrNoWindow, codes.NotFound},
		{x11.ErrRefused, codes.FailedPrecondition},
		{x11.ErrUnsupported, codes.Unimplemented},
		{x11.ErrOwn, codes.PermissionDenied},
		{wire.ErrGone, codes.Unavailable},
		{input.ErrKey, codes.InvalidArgument},
		{input.ErrHeld, codes.FailedPrecondition},
		{copied.ErrSecret, codes.PermissionDenied},
		{copied.ErrContent, codes.InvalidArgument},
		{copied.ErrOwner, codes.FailedPrecondition},
		{drop.ErrRefused, codes.FailedPrecondition},
		{screenshot.ErrOutside, codes.InvalidArgument},
		{portal.ErrMissing, codes.Unimplemented},
		{portal.ErrDenied, codes.PermissionDenied},
		{portal.ErrAsking, codes.FailedPrecondition},
		{portal.ErrUnanswered, codes.FailedPrecondition},
		{portal.ErrClosed, codes.Unavailable},
		{portal.ErrEnded, codes.FailedPrecondition},
		{portal.ErrFailed, codes.Unavailable},
		{hidden.ErrMissing, codes.FailedPrecondition},
		{atspi.ErrOff, codes.FailedPrecondition},
		{atspi.ErrNoBus, codes.FailedPrecondition},
		{atspi.ErrOwn, codes.PermissionDenied},
		{context.Canceled, codes.Canceled},
		{context.DeadlineExceeded, codes.DeadlineExceeded},
	}
}

// Status returns err with its gRPC code. If err wraps an error that has a code, Status keeps the
// code and removes the "rpc error" prefix from the message.
func Status(err error) error {
	if err == nil {
		return nil
	}
	var coded interface{ GRPCStatus() *status.Status }
	if errors.As(err, &coded) {
		s := coded.GRPCStatus()
		return status.Error(s.Code(), strings.Replace(err.Error(), s.Err().Error(), s.Message(), 1))
	}
	for _, s := range sentinels() {
		if errors.Is(err, s.err) {
			return status.Error(s.code, err.Error())
		}
	}
	return status.Error(kind(err), err.Error())
}

// kind returns the code for an error's type.
func kind(err error) codes.Code {
	var refusal *guard.Refusal
	var fast *guard.TooFastError
	var gone *atspi.GoneError
	var hung *atspi.HungError
	var none *atspi.NoTreeError
	var lost *atspi.LostError
	var changed *atspi.ChangedError
	var covered *atspi.CoveredError
	var secret *atspi.SecretError
	var refused *atspi.RefusedError
	var unwritten *atspi.NotWrittenError
	switch {
	case errors.As(err, &refusal), errors.As(err, &secret):
		return codes.PermissionDenied
	case errors.As(err, &fast):
		return codes.ResourceExhausted
	case errors.As(err, &gone):
		return codes.NotFound
	case errors.As(err, &hung):
		return codes.DeadlineExceeded
	case errors.As(err, &none), errors.As(err, &lost), errors.As(err, &changed), errors.As(err, &covered), errors.As(err, &refused), errors.As(err, &unwritten):
		return codes.FailedPrecondition
	}
	return codes.Internal
}

// Invalid returns the error for a mistake of the caller.
func Invalid(format string, args ...any) error {
	return status.Error(codes.InvalidArgument, fmt.Sprintf(format, args...))
}

// NotFound returns the error for something that does not exist.
func NotFound(format string, args ...any) error {
	return status.Error(codes.NotFound, fmt.Sprintf(format, args...))
}
