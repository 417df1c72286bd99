package openai

import (
	"cmp"
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"google.golang.org/genai"

	"goated/agent/think"
)

// pieces collects the calls of an answer, whose arguments arrive in pieces, and separates thoughts
// from its text.
type pieces struct {
	names  map[string]string // our function names by the service's names
	pieces []piece
	latest map[int64]int // by index of a call: its latest element in pieces
	done   bool          // the answer has ended
	text   think.Splitter
	back   returnData // goes back to the service with the calls
}

type piece struct {
	id, name, args string
	extra          json.RawMessage // extra_content
}

// maxCalls limits the calls of one answer.
const maxCalls = 1000

// add adds a part of a call. Services differ: some give each call the index 0, with a different ID or none.
// Some send no index or -1. Some repeat the name in each part. Some send the arguments as an object instead
// of a string.
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

// ended reports whether a part begins another call. A part with another ID but without a name
// continues the call, because some services generate an ID for each part.
func (p piece) ended(id, name, args string) bool {
	if id != "" && p.id != "" && (id == p.id || name == "" && p.name != "") {
		return false
	}
	if id != "" && p.id != "" {
		return p.args == "" || json.Valid([]byte(p.args)) || strings.HasPrefix(args, "{")
	}
	return name != "" && strings.HasPrefix(args, "{") && json.Valid([]byte(p.args))
}

// heldText returns the held-back text of a stream that did not end properly, or nil.
func (c *pieces) heldText() *genai.GenerateContentResponse {
	parts := textParts(c.text.End(false))
	if len(parts) == 0 {
		return nil
	}
	return &genai.GenerateContentResponse{Candidates: []*genai.Candidate{{Content: &genai.Content{Role: genai.RoleModel, Parts: parts}}}}
}

// textParts returns parts for thoughts and text. Either may be empty.
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
