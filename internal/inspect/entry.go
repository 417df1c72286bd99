package inspect

import (
	"bytes"
	"encoding/json"
	"time"
)

// An Outcome is how a request ended.
type Outcome int

// The outcomes. Requests without an answer and notes have the zero value.
const (
	Waiting Outcome = iota
	OK
	Failed    // with a JSON-RPC error, or a model's failure
	ToolError // a tool's own error: isError
	Cancelled
	TimedOut    // goated waited until its limit
	Malformed   // the answer cannot be read as a result of a tool
	Declined    // a question of goated's own that a server may decline
	ServerEnded // the server ended before its answer, or goated ended the connection for its fault
	NoAnswer    // the connection ended before the answer, without a fault of the server
	Unanswered  // the server refused the request in another way, or its answer was lost, and the connection goes on
)

// An Entry is a request with its answer, or a frame that has no partner. It is a copy; its
// data is shared and must not be changed.
type Entry struct {
	Seq     uint64 // counts the entries of a log
	Server  string
	Ours    bool // goated asks, or sends the note; else the server does
	Kind    Kind
	Method  string
	Tool    string // the tool of tools/call, the prompt of prompts/get, the address of resources/read
	ID      string // as JSON
	Outcome Outcome
	Code    int      // of Failed and Declined
	How     string   // the connection ended: of ServerEnded, NoAnswer and Ended; or why the request alone has no answer
	Lost    []uint64 // of Ended: the numbers of the requests that failed with it, in order
	Request Part
	Answer  Part // of a request that alone has no answer: when that was known, and How
	call    bool // the frames are not JSON-RPC messages
}

// A Part is one frame of an [Entry]; the zero value is none.
type Part struct {
	Time time.Time
	Data []byte
	Size int // in bytes, before redaction and cut
}

// Cut reports whether the data is not all of the frame.
func (p Part) Cut() bool { return p.Size > len(p.Data) && len(p.Data) > 0 && !json.Valid(p.Data) }

// Failed reports whether the request ended with an error.
func (e Entry) Failed() bool {
	return e.Outcome == Failed || e.Outcome == ToolError || e.Outcome == TimedOut || e.Outcome == Malformed || e.Outcome == ServerEnded || e.Outcome == Unanswered
}

// unanswered reports whether the request has no answer while its connection went on: its Answer says why.
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

// Latency returns the time from the request to its answer. It is false if either is missing.
func (e Entry) Latency() (time.Duration, bool) {
	if e.Request.Time.IsZero() || e.Answer.Time.IsZero() {
		return 0, false
	}
	return e.Answer.Time.Sub(e.Request.Time), true
}

// A Filter selects entries. The zero value selects all.
type Filter struct {
	Server, Method, Tool string // exact names
	Text                 string // in the data, whatever its case
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
