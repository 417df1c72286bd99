package agent

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Event is one thing that happened in a turn. The set is closed:
// [TextDelta], [ThoughtDelta], [ToolCalled], [ToolDecided], [ToolProgressed],
// [ToolReturned], [TurnEnded].
//
// Each encodes to a JSON object whose "type" names it; [DecodeEvent] reads it
// back. Live turns, the terminal's JSON lines and stored history all are this
// stream.
//
//sumtype:decl
type Event interface{ isEvent() }

// TextDelta is a further piece of the answer.
type TextDelta struct {
	Text string `json:"text"`
}

// ThoughtDelta is a further piece of the model's summary of its thinking.
type ThoughtDelta struct {
	Text string `json:"text"`
}

// ToolCalled says that the model asks for a tool. Nothing has run yet.
type ToolCalled struct {
	ID     string         `json:"id"`     // unique in the session
	Name   string         `json:"name"`   // as the model said it: qualified
	Server string         `json:"server"` // id of the server; empty if no server has the tool
	Tool   string         `json:"tool"`   // the server's own name for it
	Args   map[string]any `json:"args"`
	At     time.Time      `json:"at"`
}

// ToolDecided says whether the call may run, and so that it runs from now on.
type ToolDecided struct {
	ID       string   `json:"id"`
	Decision Decision `json:"decision"`
	Asked    bool     `json:"asked"` // a person was asked; otherwise the policy decided
	// At is since when the call runs, if it may.
	At time.Time `json:"at,omitzero"`
}

// ToolProgressed says how far a call is that runs: between its ToolDecided and
// its ToolReturned, as often as its server tells, up to thirty times a second.
type ToolProgressed struct {
	ID       string  `json:"id"`
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitempty"` // what Progress comes to; 0 if nobody knows
	// Message is what the tool says it does, or logs; a line each.
	Message string `json:"message,omitempty"`
}

// ToolReturned closes the call of the same ID. Each ToolCalled has exactly one,
// whatever happens.
type ToolReturned struct {
	ID string `json:"id"`
	// Result is what the server answered; nil if the call did not come to an
	// answer.
	Result *mcp.CallToolResult `json:"result,omitempty"`
	// Error says why the call failed, in the words that the model is told too.
	// A tool's own failure (isError) is an error as well.
	Error string `json:"error,omitempty"`
	// Duration is how long the tool ran; 0 if it did not.
	Duration time.Duration `json:"duration_ns"`
}

// TurnEnded is the last event of a turn that did not fail.
type TurnEnded struct {
	Reason Reason `json:"reason"`
	Detail string `json:"detail,omitempty"` // a sentence, where the reason alone does not say enough
	Steps  int    `json:"steps"`            // requests made to the model
	Usage  Usage  `json:"usage"`
}

// A Reason says why a turn ended.
type Reason string

// The reasons. Only Done is a success.
const (
	Done      Reason = "done"       // the model had nothing more to say
	StepLimit Reason = "step_limit" // the model wanted to go on after MaxSteps
	Truncated Reason = "truncated"  // the model's output limit cut the answer
	Blocked   Reason = "blocked"    // the model's provider withheld the answer
	Cancelled Reason = "cancelled"  // the caller cancelled or stopped reading
)

// Usage counts tokens over all steps of a turn.
type Usage struct {
	Prompt  int `json:"prompt"`
	Cached  int `json:"cached,omitempty"` // of Prompt, what the provider had read before
	Answer  int `json:"answer"`
	Thought int `json:"thought"`
	// Cost is about what the turn cost in USD, by [PriceOf] at the time; 0 if
	// that is not known.
	Cost float64 `json:"cost_usd,omitempty"`
}

func (TextDelta) isEvent()      {}
func (ThoughtDelta) isEvent()   {}
func (ToolCalled) isEvent()     {}
func (ToolDecided) isEvent()    {}
func (ToolProgressed) isEvent() {}
func (ToolReturned) isEvent()   {}
func (TurnEnded) isEvent()      {}

// EncodeEvent encodes an event as one JSON object.
func EncodeEvent(e Event) ([]byte, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encoding %T: %w", e, err)
	}
	tag := fmt.Appendf(nil, `{"type":%q,`, eventType(e))
	return append(tag, body[1:]...), nil // every event has a field, so body is never "{}"
}

// DecodeEvent reads what [EncodeEvent] wrote.
func DecodeEvent(data []byte) (Event, error) {
	var tag struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &tag); err != nil {
		return nil, fmt.Errorf("decoding event: %w", err)
	}
	switch tag.Type {
	case "text":
		return decode[TextDelta](data)
	case "thought":
		return decode[ThoughtDelta](data)
	case "tool_called":
		return decode[ToolCalled](data)
	case "tool_decided":
		return decode[ToolDecided](data)
	case "tool_progressed":
		return decode[ToolProgressed](data)
	case "tool_returned":
		return decode[ToolReturned](data)
	case "turn_ended":
		return decode[TurnEnded](data)
	}
	return nil, fmt.Errorf("decoding event: unknown type %q", tag.Type)
}

func decode[E Event](data []byte) (Event, error) {
	var e E
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("decoding %T: %w", e, err)
	}
	return e, nil
}

func eventType(e Event) string {
	switch e.(type) {
	case TextDelta:
		return "text"
	case ThoughtDelta:
		return "thought"
	case ToolCalled:
		return "tool_called"
	case ToolDecided:
		return "tool_decided"
	case ToolProgressed:
		return "tool_progressed"
	case ToolReturned:
		return "tool_returned"
	case TurnEnded:
		return "turn_ended"
	}
	panic(fmt.Sprintf("agent: %T is not an event", e))
}
