package openai

import (
	"cmp"
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"google.golang.org/genai"

	"goated/agent/think"
)

// pieces collects the calls of an answer, whose arguments arrive in pieces, and
// separates the thoughts in its text.
type pieces struct {
	names  map[string]string // our names, by the service's
	pieces []piece
	latest map[int64]int // of the pieces of an index
	done   bool          // the answer ended
	text   think.Splitter
	back   returned // with calls
}

type piece struct {
	id, name, args string
	extra          json.RawMessage // extra_content
}

// maxCalls bounds the calls of one answer.
const maxCalls = 1000

// add adds a part of a call. Services differ: some give each call the index 0, with another
// id or with none, some give no index or -1, some repeat the name with each part, and some write the arguments as an
// object instead of a text.
func (c *pieces) add(call sdk.ChatCompletionChunkChoiceDeltaToolCall) {
	name, args := call.Function.Name, call.Function.Arguments
	if raw := call.Function.JSON.Arguments.Raw(); strings.HasPrefix(raw, "{") {
		args = raw
	}
	i, known := c.latest[call.Index]
	if !known || c.pieces[i].ended(call.ID, name, args) {
		if len(c.pieces) >= maxCalls {
			return
		}
		if c.latest == nil {
			c.latest = make(map[int64]int)
		}
		i = len(c.pieces)
		c.latest[call.Index] = i
		c.pieces = append(c.pieces, piece{})
	}
	p := &c.pieces[i]
	if p.name != name {
		p.name += name
	}
	if raw := call.RawJSON(); strings.Contains(raw, `"extra_content"`) {
		var with struct {
			Extra json.RawMessage `json:"extra_content"`
		}
		if json.Unmarshal([]byte(raw), &with) == nil && len(with.Extra) > 0 && string(with.Extra) != "null" {
			p.extra = with.Extra
		}
	}
	p.id, p.args = cmp.Or(p.id, call.ID), p.args+args
}

// ended reports whether a part begins another call. A part with another id but without a
// name goes on with the call: some services make an id for each part.
func (p piece) ended(id, name, args string) bool {
	if id != "" && p.id != "" && (id == p.id || name == "" && p.name != "") {
		return false
	}
	if id != "" && p.id != "" {
		return p.args == "" || json.Valid([]byte(p.args)) || strings.HasPrefix(args, "{")
	}
	return name != "" && strings.HasPrefix(args, "{") && json.Valid([]byte(p.args))
}

// rest returns the remaining text of a stream that did not end properly, or nil.
func (c *pieces) rest() *genai.GenerateContentResponse {
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
