package desktop

import (
	"context"
	"errors"
	"strings"

	"goated/internal/lazyregexp"
	"goated/servers/desktop/convert"
	"goated/servers/desktop/link"
)

// The error codes of seed 002. A failed call returns one in structuredContent.error.code.
const (
	codeInvalid  = -32602
	codeInternal = -32603
	codeServer   = -32000 // the service failed; reason is the gRPC code
)

// A failure is an error with a code and advice about what to do next.
type failure struct {
	code   int
	reason string // a gRPC code, or a word of this server
	text   string
	hint   string // one sentence, or empty
}

func (f *failure) Error() string { return f.text }

func invalid(text string) error {
	return &failure{codeInvalid, "invalid_argument", text, "Correct the arguments and call again."}
}

// refused returns the error for an action that this server does not perform.
func refused(text, hint string) error { return &failure{codeServer, "FAILED_PRECONDITION", text, hint} }

// toFailure converts an error to a failure.
func toFailure(err error) *failure {
	var own *failure
	var service *link.Failure
	var argument *convert.ArgumentError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &service):
		return &failure{codeServer, service.Name(), service.Message, service.Hint}
	case errors.As(err, &argument):
		return &failure{codeInvalid, "invalid_argument", argument.Error(), "Correct the arguments and call again."}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &failure{codeServer, "CANCELLED", "the call was cancelled", ""}
	}
	return &failure{codeInternal, "internal", err.Error(), "Tell the user."}
}

// named matches a text that begins with the name of an argument, a tool or a member. sentence does
// not capitalize such a name, because the model must write it exactly as it is.
var named = lazyregexp.New(`^[a-z][a-z0-9_.\[\]]*( (is|are|must|needs|has|have|takes|cannot) |: )`)

// sentence returns the failure as text for a model.
func (f *failure) sentence() string {
	text := strings.TrimSuffix(f.text, ".")
	if text != "" && !(f.code == codeInvalid && named.MatchString(text)) {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if f.code != codeInvalid { // the text already shows an invalid argument
		text += " (" + f.reason + ")"
	}
	text += "."
	if f.hint != "" {
		text += " " + f.hint
	}
	return text
}

// data returns the failure as structured content.
func (f *failure) data() map[string]any {
	return map[string]any{"error": map[string]any{"code": f.code, "reason": f.reason, "message": f.text, "hint": f.hint}}
}
