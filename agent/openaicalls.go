package agent

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"google.golang.org/genai"

	"goated/agent/think"
)

// openAICalls collects the calls of an answer, whose arguments arrive in pieces, and
// separates the thoughts in its text.
type openAICalls struct {
	names  map[string]string // our names, by the service's
	pieces []openAIPiece
	latest map[int64]int // of the pieces of an index
	done   bool          // the answer ended
	text   think.Splitter
}

type openAIPiece struct{ id, name, args string }

// maxOpenAICalls bounds the calls of one answer.
const maxOpenAICalls = 1000

// add adds a part of a call. Services differ: some give each call the index 0, with another
// id or with none, some repeat the name with each part, and some write the arguments as an
// object instead of a text.
func (c *openAICalls) add(call openai.ChatCompletionChunkChoiceDeltaToolCall) {
	name, args := call.Function.Name, call.Function.Arguments
	if raw := call.Function.JSON.Arguments.Raw(); strings.HasPrefix(raw, "{") {
		args = raw
	}
	i, known := c.latest[call.Index]
	if !known || c.pieces[i].ended(call.ID, name, args) {
		if call.Index < 0 || len(c.pieces) >= maxOpenAICalls {
			return
		}
		if c.latest == nil {
			c.latest = make(map[int64]int)
		}
		i = len(c.pieces)
		c.latest[call.Index] = i
		c.pieces = append(c.pieces, openAIPiece{})
	}
	p := &c.pieces[i]
	if p.name != name {
		p.name += name
	}
	p.id, p.args = cmp.Or(p.id, call.ID), p.args+args
}

// ended reports whether a part begins another call.
func (p openAIPiece) ended(id, name, args string) bool {
	if id != "" && p.id != "" {
		return id != p.id
	}
	return name != "" && strings.HasPrefix(args, "{") && json.Valid([]byte(p.args))
}

// rest returns the text that a stream without an end leaves behind, or nil.
func (c *openAICalls) rest() *genai.GenerateContentResponse {
	parts := textParts(c.text.End(false))
	if len(parts) == 0 {
		return nil
	}
	return &genai.GenerateContentResponse{Candidates: []*genai.Candidate{{Content: &genai.Content{Role: genai.RoleModel, Parts: parts}}}}
}

// textParts makes the parts of thoughts and text. Each may be empty.
func textParts(thoughts, text string) []*genai.Part {
	var parts []*genai.Part
	if thoughts != "" {
		parts = append(parts, &genai.Part{Text: thoughts, Thought: true})
	}
	if text != "" {
		parts = append(parts, genai.NewPartFromText(text))
	}
	return parts
}

// retryAfter reads the header Retry-After: seconds, or a date (RFC 9110, 10.2.3).
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// midway reads an error within a stream, such as {"error":{"code":429,"message":"…"}} of
// OpenRouter or {"error":"…"} of Ollama.
func (m *OpenAI) midway(f *Failure, said *ssestream.StreamError, begun bool) {
	var event struct {
		Error json.RawMessage
	}
	var fault struct {
		Code    any
		Message string
	}
	_ = json.Unmarshal(said.Event.Data, &event) // it may be of any form
	if json.Unmarshal(event.Error, &fault) != nil {
		_ = json.Unmarshal(event.Error, &fault.Message)
	}
	status, _ := fault.Code.(float64)
	f.Message = m.hide(cmp.Or(strings.TrimSpace(fault.Message), f.Message))
	if code, ok := fault.Code.(string); ok {
		f.Status = code
	}
	switch kind := openAIKind(&openai.Error{StatusCode: int(status), Code: f.Status}); {
	case status != 0 || f.Status == "insufficient_quota":
		f.Kind, f.Status = kind, cmp.Or(f.Status, http.StatusText(int(status)))
	case begun:
		f.Kind = AnswerCut
	default:
		f.Kind = Unavailable
	}
}
