package agent

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
)

// An Event is one step of a turn. The set is closed: [TextDelta],
// [ThoughtDelta], [ToolCalled], [ToolDecided], [ToolProgressed], [ToolReturned],
// [ToolQuarantined], [RetryScheduled], [AnswerDiscarded], [MediaRemoved],
// [ContextTrimmed], [ContextCompacted], [ContextRestored], [ModelSwitched],
// [ServersStarting], [ServersMissing], [TurnEnded].
//
// [EncodeEvent] encodes an event as a JSON object whose "type" names the event. [DecodeEvent]
// decodes it. Live turns, the terminal's JSON lines and the stored history use the same stream of
// events.
//
//sumtype:decl
type Event interface{ isEvent() }

// TextDelta is the next piece of the answer's text.
type TextDelta struct {
	Text string `json:"text"`
}

// ThoughtDelta is the next piece of the model's summary of its thoughts.
type ThoughtDelta struct {
	Text string `json:"text"`
}

// ToolCalled reports that the model calls a tool. Nothing has run yet.
type ToolCalled struct {
	ID     string `json:"id"`     // unique in the session
	Name   string `json:"name"`   // qualified, as the model wrote it
	Server string `json:"server"` // id of the server; empty if no server has the tool
	Tool   string `json:"tool"`   // the name that the server gives it
	// Title is the tool's display name; empty if the server gives none.
	Title string `json:"title,omitempty"`
	// Args contains a [json.Number] for each number if [DecodeEvent] decoded it.
	Args map[string]any `json:"args"`
	At   time.Time      `json:"at"`
}

// ToolDecided reports whether the call may run. If it may, it starts now.
type ToolDecided struct {
	ID       string   `json:"id"`
	Decision Decision `json:"decision"`
	Asked    bool     `json:"asked"` // the user decided, not the policy
	// Args are the new arguments if the user changed them, or nil otherwise. Numbers are as in
	// [ToolCalled].
	Args map[string]any `json:"args,omitzero"`
	// At is when the call started, if it may run.
	At time.Time `json:"at,omitzero"`
}

// ToolProgressed reports the progress of a running call, each time its server does, but at most
// thirty times a second. It comes between ToolDecided and ToolReturned.
type ToolProgressed struct {
	ID       string  `json:"id"`
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitempty"` // Progress at the end; 0 if unknown
	// Message holds the lines that the tool reports or logs.
	Message string `json:"message,omitempty"`
}

// ToolReturned ends the call with the same ID. Each ToolCalled has exactly one, even if the turn is
// cancelled.
type ToolReturned struct {
	ID string `json:"id"`
	// Result is the server's answer; nil if there is none.
	Result *mcp.CallToolResult `json:"result,omitempty"`
	// Error is the reason why the call failed, as the model receives it. A result with isError is a
	// failure, too.
	Error string `json:"error,omitempty"`
	// Log holds the last lines that the server wrote during a call that failed. No model
	// receives them.
	Log []string `json:"log,omitempty"`
	// Refusal is the reason why goated did not run the call; empty if it ran.
	Refusal Refusal `json:"refusal,omitempty"`
	// Chain lists the prompts that the model answered for the tool, in order.
	Chain []ChainStep `json:"chain,omitempty"`
	// NoModel means that no model receives the result, because goated chose the tool by the words of the
	// request.
	NoModel bool `json:"no_model,omitempty"`
	// Sent is how many bytes of the result's text the model receives immediately. It is 0 if the
	// model receives none, or if an earlier version of goated stored the event; see [ReceivedBytes].
	Sent int `json:"sent,omitempty"`
	// Size is the size of the result's text in bytes. It is 0 if there is none, or if an earlier
	// version of goated stored the event; see [ReceivedBytes].
	Size int `json:"size,omitempty"`
	// Duration is how long the tool ran. It excludes the time that the user took to answer
	// questions about the call or from its server. It is 0 if the tool did not run.
	Duration time.Duration `json:"duration_ns"`
}

// ToolQuarantined reports that the session leaves a tool out of its requests, because its schema
// cannot be declared or because the model's service refused it. The other tools still work. If Name
// is empty, the model accepts no tools at all.
type ToolQuarantined struct {
	Name   string `json:"name"` // qualified
	Server string `json:"server"`
	Tool   string `json:"tool"`
	Reason string `json:"reason"` // the service's error message, if it refused the tool
}

// RetryScheduled reports that a request failed and that the session waits before it retries. It
// comes about once a second during the wait, so that the user sees a countdown. The history does
// not keep it.
type RetryScheduled struct {
	Kind    FailureKind   `json:"kind"`
	Status  string        `json:"status,omitempty"` // the service's code
	Model   string        `json:"model,omitempty"`
	Left    time.Duration `json:"left_ns"`
	Attempt int           `json:"attempt"` // number of the next request of the step; 2 for the first retry
}

// AnswerDiscarded reports that the session asks again because the answer is unusable, or because the
// request failed after the first thoughts. Readers discard the text since the last tool call, or
// since the start of the turn.
type AnswerDiscarded struct {
	Kind FailureKind `json:"kind"`
	Code string      `json:"code,omitempty"` // the FinishReason, if there is one
}

// ContextTrimmed reports that requests leave out old results, images or files from now on, because
// the conversation exceeds the budget. The history keeps them.
type ContextTrimmed struct {
	Results int `json:"results,omitempty"` // contents whose results were shortened
	Media   int `json:"media,omitempty"`   // contents whose images and files were left out
	Bytes   int `json:"bytes"`             // size of the remaining contents
}

// MediaRemoved reports that requests leave out images or files that the model's service refused.
type MediaRemoved struct {
	Types  []string `json:"types"`  // MIME types, such as image/png
	Reason string   `json:"reason"` // the service's error message
}

// TurnEnded is the last event of a turn that did not fail.
type TurnEnded struct {
	Reason Reason `json:"reason"`
	Cause  Cause  `json:"cause,omitempty"`  // more specific than Reason; empty if Reason is enough
	Code   string `json:"code,omitempty"`   // the provider's code of Cause, such as "SAFETY"
	Detail string `json:"detail,omitempty"` // the provider's message; a sentence of goated's in older turns
	Steps  int    `json:"steps"`            // requests made to the model
	Usage  Usage  `json:"usage"`
}

// A Reason is why a turn ended.
type Reason string

// The reasons. Only Done is a success.
const (
	Done      Reason = "done"       // the model called no tool
	StepLimit Reason = "step_limit" // the model called tools in its last step
	Truncated Reason = "truncated"  // the model reached its output limit
	Blocked   Reason = "blocked"    // the provider sent no usable answer
	Cancelled Reason = "cancelled"  // the caller cancelled or stopped reading
	Quit      Reason = "quit"       // goated quit
	NoSummary Reason = "no_summary" // never from [Session.Send]: the user paid for a summary that is not used
)

// A Cause is a more specific reason why a turn ended than its [Reason]. internal/wording has a
// sentence for each.
type Cause string

// The causes.
const (
	EmptyAnswer    Cause = "answer_empty"    // of Done, in turns stored before this became a [Failure]
	PromptBlocked  Cause = "prompt_blocked"  // of Blocked; Code is the BlockedReason
	AnswerWithheld Cause = "answer_withheld" // of Blocked; Code is the FinishReason
	CallUnreadable Cause = "call_unreadable" // of Blocked, in turns stored before this became a [Failure]
	SummaryLong    Cause = "summary_long"    // of NoSummary: the summary is not shorter than the messages
)

// ContextCompacted reports that from now on, requests contain a summary instead of the first
// contents of the history. The history keeps those contents.
type ContextCompacted struct {
	// Contents is how many contents the summary replaces. It does not count contents that requests
	// leave out.
	Contents int    `json:"contents"`
	Summary  string `json:"summary"` // Markdown, by the model
	Before   int    `json:"before"`  // estimated tokens of a request
	After    int    `json:"after"`
	Usage    Usage  `json:"usage,omitzero"` // of the request for the summary
}

// ContextRestored reports that requests no longer contain the latest summary.
type ContextRestored struct {
	Contents int `json:"contents"` // that the summary replaced
}

// ModelSwitched reports that another model answers from this turn on.
type ModelSwitched struct {
	Model    string `json:"model"`
	Contents int    `json:"contents"` // in the history before this turn
}

// ServersStarting reports that the turn waits for servers to start before its first request. It
// comes about once a second. The history does not keep it.
type ServersStarting struct {
	Names []string      `json:"names"` // display names
	Left  time.Duration `json:"left_ns"`
}

// ServersMissing reports that the turn goes on without some of the servers that it waited for.
type ServersMissing struct {
	Failed []string `json:"failed,omitempty"` // names of servers that failed to start
	Slow   []string `json:"slow,omitempty"`   // names of servers that are still starting
}

// Causes returns every cause.
func Causes() []Cause {
	return []Cause{EmptyAnswer, PromptBlocked, AnswerWithheld, CallUnreadable, SummaryLong}
}

// Usage counts tokens over all steps of a turn.
type Usage struct {
	Prompt  int `json:"prompt"`
	Cached  int `json:"cached,omitempty"` // tokens of Prompt that the provider read from its cache
	Answer  int `json:"answer"`
	Thought int `json:"thought"`
	// Cost is an estimate in USD by the prices at the time; 0 if unknown.
	Cost float64 `json:"cost_usd,omitempty"`
}

func (TextDelta) isEvent()        {}
func (ThoughtDelta) isEvent()     {}
func (ToolCalled) isEvent()       {}
func (ToolDecided) isEvent()      {}
func (ToolProgressed) isEvent()   {}
func (ToolReturned) isEvent()     {}
func (ToolQuarantined) isEvent()  {}
func (RetryScheduled) isEvent()   {}
func (AnswerDiscarded) isEvent()  {}
func (ContextTrimmed) isEvent()   {}
func (MediaRemoved) isEvent()     {}
func (ContextCompacted) isEvent() {}
func (ContextRestored) isEvent()  {}
func (ModelSwitched) isEvent()    {}
func (ServersStarting) isEvent()  {}
func (ServersMissing) isEvent()   {}
func (TurnEnded) isEvent()        {}

// EncodeEvent encodes an event as one JSON object.
func EncodeEvent(e Event) ([]byte, error) {
	body, err := exact.Encode(e)
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
		return decodeExactly[ToolCalled](data)
	case "tool_decided":
		return decodeExactly[ToolDecided](data)
	case "tool_progressed":
		return decode[ToolProgressed](data)
	case "tool_returned":
		return decodeReturned(data)
	case "tool_quarantined":
		return decode[ToolQuarantined](data)
	case "retry_scheduled":
		return decode[RetryScheduled](data)
	case "answer_discarded":
		return decode[AnswerDiscarded](data)
	case "context_trimmed":
		return decode[ContextTrimmed](data)
	case "media_removed":
		return decode[MediaRemoved](data)
	case "context_compacted":
		return decode[ContextCompacted](data)
	case "context_restored":
		return decode[ContextRestored](data)
	case "model_switched":
		return decode[ModelSwitched](data)
	case "servers_starting":
		return decode[ServersStarting](data)
	case "servers_missing":
		return decode[ServersMissing](data)
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

// decodeExactly keeps every digit of the arguments.
func decodeExactly[E Event](data []byte) (Event, error) {
	var e E
	if err := exact.Decode(data, &e); err != nil {
		return nil, fmt.Errorf("decoding %T: %w", e, err)
	}
	return e, nil
}

// decodeReturned keeps every digit of the result.
func decodeReturned(data []byte) (Event, error) {
	var e ToolReturned
	if err := exact.DecodeResult(data, &e); err != nil {
		return nil, fmt.Errorf("decoding %T: %w", e, err)
	}
	exact.Result(e.Result)
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
	case ToolQuarantined:
		return "tool_quarantined"
	case RetryScheduled:
		return "retry_scheduled"
	case AnswerDiscarded:
		return "answer_discarded"
	case ContextTrimmed:
		return "context_trimmed"
	case MediaRemoved:
		return "media_removed"
	case ContextCompacted:
		return "context_compacted"
	case ContextRestored:
		return "context_restored"
	case ModelSwitched:
		return "model_switched"
	case ServersStarting:
		return "servers_starting"
	case ServersMissing:
		return "servers_missing"
	case TurnEnded:
		return "turn_ended"
	}
	panic(fmt.Sprintf("agent: %T is not an event", e))
}
