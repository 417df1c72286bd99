package inspect

import (
	"bytes"
	"encoding/json"
	"time"
)

// An Outcome is how a request ended.
type Outcome int

// These are the outcomes. Requests without a response and notifications have the zero value.
const (
	Waiting Outcome = iota
	OK
	Failed    // a JSON-RPC error, or a failure of a model
	ToolError // the tool's result has isError
	Cancelled
	TimedOut    // goated stopped waiting at its time limit
	Malformed   // the response is not a valid tool result
	Declined    // the server declined a request that goated sends by itself
	ServerEnded // the server exited before it answered, or goated closed the connection because of its fault
	NoAnswer    // the connection ended before the response, and the server did nothing wrong
	Unanswered  // the server rejected the request in another way or its response was lost; the connection continues
)

// An Entry is a request with its response, or a frame without a partner. It is a copy, but shares
// its data, which must not be changed.
type Entry struct {
	Seq     uint64 // number of the entry in its log
	Server  string
	Ours    bool // goated sent the request or the notification; otherwise the server did
	Kind    Kind
	Method  string
	Tool    string // the tool of tools/call, the prompt of prompts/get, or the URI of resources/read
	ID      string // as JSON
	Outcome Outcome
	Code    int      // error code of Failed and Declined
	How     string   // how the connection ended (ServerEnded, NoAnswer, Ended), or why only this request has no response
	Lost    []uint64 // for Ended: the numbers of the requests that failed with it, in order
	Request Part
	Answer  Part // if only this request has no response: when that was known, and How
	call    bool // the frames are not JSON-RPC messages
}

// A Part is one frame of an [Entry]. The zero value means that there is none.
type Part struct {
	Time time.Time
	Data []byte
	Size int // in bytes, before redaction and cutting
}

// Cut reports whether the frame's data is incomplete.
func (p Part) Cut() bool { return p.Size > len(p.Data) && len(p.Data) > 0 && !json.Valid(p.Data) }

// Failed reports whether the request failed.
func (e Entry) Failed() bool {
	return e.Outcome == Failed || e.Outcome == ToolError || e.Outcome == TimedOut || e.Outcome == Malformed || e.Outcome == ServerEnded || e.Outcome == Unanswered
}

// unanswered reports whether the request got no response although its connection continued. Its
// Answer contains the reason.
func (e Entry) unanswered() bool {
	return e.How != "" && (e.Outcome == Unanswered || e.Outcome == Cancelled || e.Outcome == TimedOut)
}

// Began returns the time of the request, or of the only frame.
func (e Entry) Began() time.Time {
	if e.Request.Time.IsZero() {
		return e.Answer.Time
	}
	return e.Request.Time
}

// Latency returns the time from the request to its response. It returns false if either is missing.
func (e Entry) Latency() (time.Duration, bool) {
	if e.Request.Time.IsZero() || e.Answer.Time.IsZero() {
		return 0, false
	}
	return e.Answer.Time.Sub(e.Request.Time), true
}

// A Filter selects entries. The zero value selects all entries.
type Filter struct {
	Server, Method, Tool string // exact names
	Text                 string // substring of the data, ignoring case
	Errors               bool   // only requests that failed
}

// Match reports whether the filter selects the entry.
func (f Filter) Match(e Entry) bool {
	switch {
	case f.Server != "" && f.Server != e.Server, f.Method != "" && f.Method != e.Method, f.Tool != "" && f.Tool != e.Tool, f.Errors && !e.Failed():
		return false
	case f.Text == "":
		return true
	}
	for _, data := range [][]byte{e.Request.Data, e.Answer.Data} {
		if bytes.Contains(bytes.ToLower(data), bytes.ToLower([]byte(f.Text))) {
			return true
		}
	}
	return false
}
