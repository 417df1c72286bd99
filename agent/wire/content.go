package wire

import (
	"encoding/json"

	"google.golang.org/genai"
)

// encodeContent encodes a content. It puts back two things that encoding/json's omitempty drops:
// the empty text beside a signature, and the empty arguments of a call. Without them, the signature
// would be on another part, which Gemini refuses: "Return the thought signature in the exact part
// it came in" (Thought signatures).
func encodeContent(c *genai.Content) ([]byte, error) {
	if out, ok := encodeUsualContent(c); ok {
		return out, nil
	}
	return encodeAny(c)
}

// encodeTool encodes a tool.
func encodeTool(t *genai.Tool) ([]byte, error) {
	if out, ok := encodeUsualTool(t); ok {
		return out, nil
	}
	return json.Marshal(t)
}

// encodeAny implements encodeContent for any content.
func encodeAny(c *genai.Content) ([]byte, error) {
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
		case len(p.ThoughtSignature) > 0 && isSignedText(p) && p.Text == "":
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

// isSignedText reports whether a part contains only text and possibly a signature.
func isSignedText(p *genai.Part) bool {
	unsigned := *p
	unsigned.ThoughtSignature = nil
	return IsText(&unsigned)
}

// IsText reports whether a part contains only text.
func IsText(p *genai.Part) bool {
	return p.ThoughtSignature == nil && p.FunctionCall == nil && p.FunctionResponse == nil && p.InlineData == nil &&
		p.FileData == nil && p.ExecutableCode == nil && p.CodeExecutionResult == nil && p.VideoMetadata == nil &&
		p.ToolCall == nil && p.ToolResponse == nil && len(p.PartMetadata) == 0
}
