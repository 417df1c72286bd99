package geminitest

import (
	"net/http"
	"unicode/utf8"
)

const (
	// maxBody limits a request, in bytes: "Request payload size exceeds the limit: 20971520 bytes."
	// (ai.google.dev/gemini-api/docs/files).
	maxBody = 20 << 20

	// maxInput is the input limit of the models, in tokens.
	maxInput = 1 << 20

	// maxNesting is the depth limit of protobuf's JSON parser.
	maxNesting = 100
)

// checkBody applies the rules for the size and nesting of a request.
func checkBody(body []byte) *failure {
	switch {
	case len(body) > maxBody:
		return invalid("Request payload size exceeds the limit: %d bytes.", maxBody)
	case !utf8.Valid(body):
		return invalid("Invalid JSON payload received. Invalid UTF-8.")
	case nesting(body) > maxNesting:
		return invalid("Invalid JSON payload received. Message too deep. Max recursion depth reached.")
	}
	return nil
}

// nesting returns how deeply the objects and lists in a JSON text are nested.
func nesting(body []byte) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// checkInput applies the rule "The input token count exceeds the maximum number of tokens allowed".
// It ignores inline data, because images use few tokens regardless of their size.
func checkInput(req *generateRequest, bytes int) *failure {
	for _, c := range req.Contents {
		for _, p := range c.Parts {
			bytes -= p.InlineData.encoded()
			if p.FunctionResponse != nil {
				for _, extra := range p.FunctionResponse.Parts {
					bytes -= extra.InlineData.encoded()
				}
			}
		}
	}
	if n := tokens(bytes); n > maxInput {
		return &failure{
			Code: http.StatusBadRequest, Status: "INVALID_ARGUMENT",
			Message: "The input token count exceeds the maximum number of tokens allowed (1048576).",
		}
	}
	return nil
}

// encoded returns the size of the base64-encoded data.
func (b *blob) encoded() int {
	if b == nil {
		return 0
	}
	return (len(b.Data) + 2) / 3 * 4
}
