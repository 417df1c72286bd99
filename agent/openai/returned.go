package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"google.golang.org/genai"
)

// A returnData contains data that a service needs back unchanged with the calls of an answer. The
// history stores it as the signature of a part. It is valid for one service and one model. Without
// it, DeepSeek, Kimi and Gemini refuse the step after a call, and other models forget why they made
// the call.
type returnData struct {
	From    string          `json:"goated_openai"`     // the service and the model
	Thought string          `json:"thought,omitempty"` // the field that contained the thoughts: reasoning_content
	Details []any           `json:"details,omitempty"` // OpenRouter's reasoning_details
	Extra   json.RawMessage `json:"extra,omitempty"`   // extra_content of a call (Gemini's signature)
}

// signature encodes r, or returns nil if r is empty.
func (r returnData) signature() []byte {
	if r.Thought == "" && len(r.Details) == 0 && len(r.Extra) == 0 {
		return nil
	}
	data, _ := json.Marshal(r) // cannot fail: its values come from JSON
	return data
}

// returnDataOf decodes the signature of a part. It returns the zero value for a signature of another
// service or model.
func returnDataOf(p *genai.Part, from string) (r returnData) {
	if bytes.HasPrefix(p.ThoughtSignature, []byte(`{"goated_openai":`)) && json.Unmarshal(p.ThoughtSignature, &r) == nil && r.From == from {
		return r
	}
	return returnData{}
}

// extraFields returns the extra fields that an answer with calls needs in a request.
func extraFields(c *genai.Content, from string) map[string]any {
	var thoughts strings.Builder
	out := make(map[string]any)
	for _, p := range c.Parts {
		if p.Thought {
			thoughts.WriteString(p.Text)
		}
		r := returnDataOf(p, from)
		if len(r.Details) > 0 {
			out["reasoning_details"] = r.Details
		}
		if r.Thought != "" {
			out[r.Thought] = ""
		}
	}
	for name := range out {
		if name != "reasoning_details" {
			out[name] = thoughts.String()
		}
	}
	return out
}

// addDetail adds a piece of reasoning_details. It joins consecutive pieces of one text.
func (r *returnData) addDetail(piece map[string]any) {
	if n := len(r.Details); n > 0 {
		last, _ := r.Details[n-1].(map[string]any)
		kind, _ := piece["type"].(string)
		if field := map[string]string{"reasoning.text": "text", "reasoning.summary": "summary"}[kind]; field != "" && last["type"] == kind && last["index"] == piece["index"] {
			before, _ := last[field].(string)
			more, _ := piece[field].(string)
			for k, v := range piece {
				if v != nil {
					last[k] = v
				}
			}
			last[field] = before + more
			return
		}
	}
	r.Details = append(r.Details, piece)
}
