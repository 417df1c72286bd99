package agent

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Event is one step of a turn. The set is closed: [TextDelta],
// [ThoughtDelta], [ToolCalled], [ToolDecided], [ToolProgressed], [ToolReturned],
// [TurnEnded].
//
// [EncodeEvent] makes a JSON object whose "type" names the event; [DecodeEvent]
// reads it. Live turns, the terminal's JSON lines and the stored history use the
// same stream.
//
//sumtype:decl
type Event interface{ isEvent() }

// TextDelta is the next piece of the answer.
type TextDelta struct {
	Text string `json:"text"`
}

// ThoughtDelta is the next piece of the model's summary of its thoughts.
type ThoughtDelta struct {
	Text string `json:"text"`
}

// ToolCalled reports that the model calls a tool. Nothing has run yet.
type ToolCalled struct {
	ID     string         `json:"id"`     // unique in the session
	Name   string         `json:"name"`   // qualified, as the model wrote it
	Server string         `json:"server"` // id of the server; empty if no server has the tool
	Tool   string         `json:"tool"`   // the name that the server gives it
	Args   map[string]any `json:"args"`
	At     time.Time      `json:"at"`
}

// ToolDecided reports whether the call may run. A call that may run starts now.
type ToolDecided struct {
	ID       string   `json:"id"`
	Decision Decision `json:"decision"`
	Asked    bool     `json:"asked"` // the user decided, not the policy
	// At is the start of a call that may run.
	At time.Time `json:"at,omitzero"`
}

// ToolProgressed reports the progress of a running call, as often as its server
// does, at most thirty times a second. It comes between ToolDecided and
// ToolReturned.
type ToolProgressed struct {
	ID       string  `json:"id"`
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitempty"` // Progress at the end; 0 if unknown
	// Message holds the lines that the tool reports or logs.
	Message string `json:"message,omitempty"`
}

// ToolReturned ends the call of the same ID. Each ToolCalled has exactly one, also
// when the turn is cancelled.
type ToolReturned struct {
	ID string `json:"id"`
	// Result is the server's answer; nil if there is none.
	Result *mcp.CallToolResult `json:"result,omitempty"`
	// Error says why the call failed, in the words that the model gets. A result
	// with isError is a failure too.
	Error string `json:"error,omitempty"`
	// Refusal says why goated did not run the call; empty if it ran.
	Refusal Refusal `json:"refusal,omitempty"`
	// Duration is the running time of the tool; 0 if it did not run.
	Duration time.Duration `json:"duration_ns"`
}

// TurnEnded is the last event of a turn that did not fail.
type TurnEnded struct {
	Reason Reason `json:"reason"`
	Cause  Cause  `json:"cause,omitempty"`  // more exact than Reason; empty if Reason says all
	Code   string `json:"code,omitempty"`   // the provider's code of Cause, such as "SAFETY"
	Detail string `json:"detail,omitempty"` // the provider's words; a sentence of ours in turns stored before Cause existed
	Steps  int    `json:"steps"`            // requests made to the model
	Usage  Usage  `json:"usage"`
}

// A Reason says why a turn ended.
type Reason string

// The reasons. Only Done is a success.
const (
	Done      Reason = "done"       // the model called no tool
	StepLimit Reason = "step_limit" // the model called tools in its last step
	Truncated Reason = "truncated"  // the model reached its output limit
	Blocked   Reason = "blocked"    // the provider sent no usable answer
	Cancelled Reason = "cancelled"  // the caller cancelled or stopped reading
)

// A Cause says more exactly than the [Reason] why a turn ended. internal/wording
// has a sentence for each.
type Cause string

// The causes.
const (
	AnswerEmpty    Cause = "answer_empty"    // of Done: the answer has no parts
	PromptBlocked  Cause = "prompt_blocked"  // of Blocked; Code is the BlockedReason
	AnswerWithheld Cause = "answer_withheld" // of Blocked; Code is the FinishReason
	CallUnreadable Cause = "call_unreadable" // of Blocked: a tool call that can't be run; Code is the FinishReason, if any
)

// Causes returns every cause.
func Causes() []Cause { return []Cause{AnswerEmpty, PromptBlocked, AnswerWithheld, CallUnreadable} }

// Usage counts tokens over all steps of a turn.
type Usage struct {
	Prompt  int `json:"prompt"`
	Cached  int `json:"cached,omitempty"` // the part of Prompt that the provider had in its cache
	Answer  int `json:"answer"`
	Thought int `json:"thought"`
	// Cost is an estimate in USD, by [PriceOf] at the time; 0 if unknown.
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

// DecodeEvent reads the output of [EncodeEvent].
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
