package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/macosusesdk"
)

// A Failure is the error of a failed call. It contains the gRPC code, the service's message, and
// advice about what to do next.
type Failure struct {
	Code    codes.Code
	Method  string
	Message string // a sentence without a period
	Hint    string // a sentence
}

func (f *Failure) Error() string { return f.Message }

// Name returns the name of the code as gRPC spells it, such as NOT_FOUND.
func (f *Failure) Name() string { return codeName(f.Code) }

func codeName(c codes.Code) string {
	names := map[codes.Code]string{
		codes.OK: "OK", codes.Canceled: "CANCELLED", codes.Unknown: "UNKNOWN", codes.InvalidArgument: "INVALID_ARGUMENT",
		codes.DeadlineExceeded: "DEADLINE_EXCEEDED", codes.NotFound: "NOT_FOUND", codes.AlreadyExists: "ALREADY_EXISTS",
		codes.PermissionDenied: "PERMISSION_DENIED", codes.ResourceExhausted: "RESOURCE_EXHAUSTED", codes.FailedPrecondition: "FAILED_PRECONDITION",
		codes.Aborted: "ABORTED", codes.OutOfRange: "OUT_OF_RANGE", codes.Unimplemented: "UNIMPLEMENTED", codes.Internal: "INTERNAL",
		codes.Unavailable: "UNAVAILABLE", codes.DataLoss: "DATA_LOSS", codes.Unauthenticated: "UNAUTHENTICATED",
	}
	if n, ok := names[c]; ok {
		return n
	}
	return fmt.Sprintf("CODE_%d", c)
}

// ended returns nil if err is the normal end of a stream, and err otherwise.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// failure converts the error of a call to a Failure. It returns nil for nil.
func (l *Link) failure(err error, method string) error {
	if err == nil {
		return nil
	}
	s := status.Convert(err)
	if errors.Is(err, context.DeadlineExceeded) {
		s = status.New(codes.DeadlineExceeded, err.Error())
	} else if errors.Is(err, context.Canceled) {
		s = status.New(codes.Canceled, err.Error())
	}
	return l.explain(s.Code(), s.Message(), method)
}

// explain returns the Failure for a gRPC code and the service's message.
func (l *Link) explain(code codes.Code, said, method string) *Failure {
	f := &Failure{Code: code, Method: method, Message: strings.TrimSuffix(strings.TrimSpace(said), "."), Hint: hint(code)}
	switch code {
	case codes.NotFound, codes.FailedPrecondition:
		f.advise()
	case codes.Unavailable:
		if l.end == nil {
			f.Message, f.Hint = l.unavailable(said)
			break
		}
		// The service runs in this process, so the connection cannot be the cause.
		f.Hint = "Look at the desktop again in a moment. If it stays away, tell the user to restart the desktop server."
		f.advise()
	case codes.DeadlineExceeded:
		if isReadOnly(method) || strings.HasPrefix(method, "Wait") {
			f.Hint = "Nothing was changed. The application may hang, or need longer: look at it, or call again."
		}
		if f.Message == "" || strings.Contains(said, context.DeadlineExceeded.Error()) || strings.HasPrefix(said, "stream terminated") {
			f.Message = method + " did not finish in time"
			break
		}
		f.advise()
	case codes.Canceled:
		f.Message = method + " was cancelled"
	case codes.Unimplemented:
		service := macosusesdk.MacosUse_ServiceDesc.ServiceName
		switch {
		case strings.HasPrefix(said, "unknown service google.longrunning"):
			f.Message = "the server at " + l.where + " has no long-running operations"
			f.Hint = "It is older than this tool. Update it."
		case strings.HasPrefix(said, "unknown service"), strings.Contains(said, "content-type"):
			f.Message = fmt.Sprintf("another server runs at %s: it does not have %s", l.where, service)
			f.Hint = "Check " + EnvAddress + " and " + EnvSocket + "."
		case said == "" || strings.HasPrefix(said, "unknown method"):
			f.Message = fmt.Sprintf("the server at %s does not have %s", l.where, method)
			f.Hint = "It is older than this tool. Update it, or work without this function."
		}
	case codes.ResourceExhausted:
		if strings.Contains(said, "larger than max") {
			f.Message, f.Hint = "the message is too large: "+said, "Ask for less: a region or a window instead of the screen, or a smaller page."
		}
	case codes.Unknown:
		if strings.Contains(said, "unexpected HTTP status") || strings.Contains(said, "content-type") {
			f.Message, f.Hint = "the server at "+l.where+" does not speak gRPC", "Check "+EnvAddress+" and "+EnvSocket+"."
		}
	}
	if f.Message == "" {
		f.Message = method + " failed"
	}
	return f
}

// advise replaces the general hint with the advice in the service's message, which follows a
// semicolon. The service's advice is more specific.
func (f *Failure) advise() {
	if what, next, ok := strings.Cut(f.Message, "; "); ok && next != "" {
		f.Message, f.Hint = what, strings.ToUpper(next[:1])+next[1:]+"."
	}
}

// unavailable explains why there is no connection.
func (l *Link) unavailable(said string) (message, hint string) {
	check := "Check " + EnvAddress + ", " + EnvSocket + " and " + EnvTLS + "."
	switch {
	case strings.Contains(said, "server preface"), strings.Contains(said, "frame too large"), strings.Contains(said, "malformed HTTP"):
		return "the server at " + l.where + " does not speak gRPC, or not with this encryption", check
	case strings.Contains(said, "x509:"), strings.Contains(said, "tls:"):
		return fmt.Sprintf("the encrypted connection to %s failed: %s", l.where, tail(said)), "Check " + EnvCert + " and " + EnvTLS + "."
	case strings.Contains(said, "connect: "), strings.Contains(said, "no such file"), strings.Contains(said, "no such host"), strings.Contains(said, "another machine"), strings.Contains(said, "other users"):
		return fmt.Sprintf("nothing that drives the desktop runs at %s: %s", l.where, tail(said)), "Start it, then call again. " + check
	}
	return fmt.Sprintf("the connection to %s is lost: %s", l.where, tail(said)), "Call again: it reconnects. An action may have taken effect: look before you repeat it."
}

// tail returns the last and most specific part of gRPC's description of a failed connection.
func tail(said string) string {
	said = strings.TrimSuffix(strings.TrimSpace(said), `"`)
	for _, mark := range []string{"authentication handshake failed: ", "Error while dialing: ", "desc = "} {
		if i := strings.LastIndex(said, mark); i >= 0 {
			return said[i+len(mark):]
		}
	}
	return said
}

// hint returns the general advice for a code.
func hint(code codes.Code) string {
	switch code {
	case codes.InvalidArgument, codes.OutOfRange:
		return "Correct the arguments and call again."
	case codes.NotFound:
		return "It is gone or has another name. Look again: list the applications and windows, or find the element, and use the name from that answer."
	case codes.AlreadyExists:
		return "Choose another id."
	case codes.PermissionDenied:
		return "The desktop or the user refuses this. Do not try to get around it. Tell the user, who can allow it."
	case codes.Unauthenticated:
		return "The server wants credentials. Tell the user."
	case codes.FailedPrecondition:
		return "The desktop is not in the state that this needs. Look at it again before you go on."
	case codes.Aborted:
		return "Something else changed at the same time. Look again, then repeat it."
	case codes.DeadlineExceeded:
		return "The application may hang, or need longer. Look before you repeat it: it may have taken effect."
	case codes.ResourceExhausted:
		return "Wait a moment, then call less often or ask for less."
	case codes.Unimplemented:
		return "This desktop cannot do that. Use another way."
	case codes.Canceled:
		return "Nothing more happens. Call again if you still need it."
	case codes.Unavailable:
		return "Start the server, then call again."
	case codes.DataLoss, codes.Internal, codes.Unknown:
		return "This is a fault of the server. Look at the desktop, then try another way."
	}
	return "Look at the desktop, then try another way."
}
