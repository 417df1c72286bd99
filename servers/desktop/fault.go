package desktop

import (
	"context"
	"errors"
	"strings"

	"goated/internal/lazyregexp"
	"goated/servers/desktop/convert"
	"goated/servers/desktop/link"
)

// The codes of seed 002. They are in structuredContent.error.code of a failed call.
const (
	codeInvalid  = -32602
	codeInternal = -32603
	codeServer   = -32000 // the service failed; reason is gRPC's code
)

// A failure is an error with its code and what to do next.
type failure struct {
	code   int
	reason string // gRPC's code, or a word of this server
	text   string
	hint   string // a sentence; may be empty
}

func (f *failure) Error() string { return f.text }

func invalid(text string) error {
	return &failure{codeInvalid, "invalid_argument", text, "Correct the arguments and call again."}
}

// refused is an action that this server does not do.
func refused(text, hint string) error { return &failure{codeServer, "FAILED_PRECONDITION", text, hint} }

// explained returns an error as a failure.
func explained(err error) *failure {
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

// named matches a text that begins with the name of an argument or a tool. The name stays as the
// model has to write it.
var named = lazyregexp.New(`^[a-z][a-z0-9_.]* (is|must|needs|has|takes|cannot) `)

// sentence writes a failure for a model.
func (f *failure) sentence() string {
	text := strings.TrimSuffix(f.text, ".")
	if text != "" && !(f.code == codeInvalid && named.MatchString(text)) {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if f.code != codeInvalid { // that is plain from the words
		text += " (" + f.reason + ")"
	}
	text += "."
	if f.hint != "" {
		text += " " + f.hint
	}
	return text
}

// data returns the structured form of a failure.
func (f *failure) data() map[string]any {
	return map[string]any{"error": map[string]any{"code": f.code, "reason": f.reason, "message": f.text, "hint": f.hint}}
}
