// Package inspect keeps the newest messages between goated, its servers and its model,
// pairs requests with their answers, and computes figures per tool (seed 004, MCPInspector).
//
// It owns the pairing, the filters, the figures and the file format. It must not know how
// messages travel: its input is redacted and bounded already.
package inspect

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// A Frame is one message, one line of a server that is not a message, the end of a request without an answer, or the
// end of a connection. Its data has no secrets and may be cut; it is never changed after [Log.Add].
type Frame struct {
	Server     string
	Sent       bool   // by goated
	Noise      bool   // a line that is not a message
	Unanswered string // the id, as JSON, of a request of goated's own that gets no answer; Data says why. Sent: goated gave it up
	End        End    // of the connection; Data says how it ended
	Time       time.Time
	Data       []byte
	Size       int   // in bytes, before redaction and cut
	Call       *Call // of a message that is not JSON-RPC; nil: Data says it
}

// A Call describes a message that is not JSON-RPC, such as a request to a model.
type Call struct {
	Method string // of a request; empty: an answer
	ID     string // the same for a request and its answer
	Code   int    // of an answer: the status of a failure; 0: success
}

// A Kind is the role of a frame.
type Kind int

// The kinds of frames.
const (
	Request Kind = iota
	Answer
	Note  // a notification
	Noise // not a message
	Ended // the end of a connection
)

// A header is the part of a message that pairs it.
type header struct {
	kind             Kind
	method, tool, id string
	cancels          string // the id of the request that a note cancels
	late             bool   // the note cancels it because of its time limit
	outcome          Outcome
	code             int
	result           []byte // aliases the data
}

// read finds the header in a frame, also in one that is cut.
func read(f Frame) header {
	if f.Call != nil {
		h := header{kind: Request, method: f.Call.Method, id: f.Call.ID}
		if f.Call.Method == "" {
			h.kind, h.outcome = Answer, OK
			if h.code = f.Call.Code; h.code != 0 {
				h.outcome = Failed
			}
		}
		return h
	}
	if f.End != NotEnded {
		h := header{kind: Ended, outcome: NoAnswer}
		if f.End == Lost {
			h.outcome = ServerEnded
		}
		return h
	}
	if f.Noise {
		return header{kind: Noise}
	}
	var h header
	var params, fault []byte
	visit(f.Data, func(key, value []byte) {
		switch string(key) {
		case "method":
			h.method = text(value)
		case "id":
			h.id = identity(value)
		case "params":
			params = value
		case "result":
			h.result = value
		case "error":
			fault = value
		}
	})
	switch {
	case h.method != "" && h.id != "":
		h.kind = Request
		visit(params, func(key, value []byte) {
			switch string(key) {
			case "name":
				h.tool = text(value)
			case "uri":
				h.tool = text(value)
			}
		})
	case h.method != "":
		h.kind = Note
		if h.method == "notifications/cancelled" {
			visit(params, func(key, value []byte) {
				switch string(key) {
				case "requestId":
					h.cancels = identity(value)
				case "reason":
					h.late = timedOut(text(value))
				}
			})
		}
	case fault != nil && !bytes.Equal(fault, []byte("null")):
		h.kind, h.outcome = Answer, Failed
		visit(fault, func(key, value []byte) {
			if string(key) == "code" {
				h.code, _ = strconv.Atoi(string(value)) // 0: a code that is not a number
			}
		})
	case h.result != nil || h.id != "":
		h.kind, h.outcome = Answer, OK
		visit(h.result, func(key, value []byte) {
			if string(key) == "isError" && string(value) == "true" {
				h.outcome = ToolError
			}
		})
	default:
		h.kind = Noise
	}
	return h
}

// timedOut reports whether a request ended at goated's time limit, by the reason for its end.
func timedOut(reason string) bool { return strings.Contains(reason, "execution timeout") }

// identity returns an id as it is written, so that 1 and "1" differ; empty for null. A long id
// is as good as none.
func identity(value []byte) string {
	if len(value) > 200 || string(value) == "null" {
		return ""
	}
	return string(value)
}

// text decodes a JSON string of at most 200 bytes; other values are empty.
func text(value []byte) string {
	if len(value) < 2 || len(value) > 200 || value[0] != '"' {
		return ""
	}
	if plain := value[1 : len(value)-1]; bytes.IndexByte(plain, '\\') < 0 {
		return string(plain)
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}
