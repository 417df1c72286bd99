package agent

import (
	"encoding/json"

	"google.golang.org/genai"
)

// genai passes each request and each answer through a map[string]any of float64, which
// changes integers above 2^53 and takes most of the time of a stream. goated therefore
// writes the contents and the tools of a request itself, and reads the answer itself.
// genai keeps the rest: addresses, headers, the key, the configuration, errors.

// placeholder stands for the contents of a request until the payload replaces it: genai
// refuses a request without contents.
func placeholder() []*genai.Content { return genai.Text("-") }

// encodeContent encodes a content. It puts back two things that encoding/json's omitempty
// drops: the empty text beside a signature, and the empty arguments of a call.
// Without them the signature stands on another part, which Gemini refuses: "Return
// the thought signature in the exact part it came in" (Thought signatures).
func encodeContent(c *genai.Content) (json.RawMessage, error) {
	restored := false
	parts := make([]any, len(c.Parts))
	for i, p := range c.Parts {
		parts[i] = p
		switch {
		case p == nil:
		case p.FunctionCall != nil && len(p.FunctionCall.Args) == 0:
			bare, call := *p, *p.FunctionCall
			bare.FunctionCall = nil
			parts[i], restored = struct {
				genai.Part
				FunctionCall any `json:"functionCall"`
			}{bare, struct {
				genai.FunctionCall
				Args struct{} `json:"args"`
			}{FunctionCall: call}}, true
		case len(p.ThoughtSignature) > 0 && textOnly(p) && p.Text == "":
			parts[i], restored = struct {
				genai.Part
				Text string `json:"text"`
			}{Part: *p}, true
		}
	}
	if !restored {
		return json.Marshal(c)
	}
	return json.Marshal(struct {
		Parts []any  `json:"parts,omitempty"`
		Role  string `json:"role,omitempty"`
	}{parts, c.Role})
}

// textOnly reports whether a part is text, apart from its signature.
func textOnly(p *genai.Part) bool {
	unsigned := *p
	unsigned.ThoughtSignature = nil
	return plain(&unsigned)
}
