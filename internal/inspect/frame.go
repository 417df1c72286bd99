// Package inspect keeps the newest messages between goated, its servers and its model, pairs
// requests with their responses, and computes statistics per tool (seed 004, MCPInspector).
//
// It owns the pairing, the filters, the statistics and the file format. It must not know how
// messages travel. Its input is already redacted and limited in size.
package inspect

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// A Frame is a message, a line of a server that is not a message, the end of a request without a
// response, or the end of a connection. Its data contains no secrets and may be cut. It is never
// changed after [Log.Add].
type Frame struct {
	Server     string
	Sent       bool   // by goated
	Noise      bool   // a line that is not a message
	Unanswered string // the id, as JSON, of goated's own request that gets no response; Data is the reason. Sent: goated gave it up
	End        End    // of the connection; Data describes how it ended
	Time       time.Time
	Data       []byte
	Size       int   // in bytes, before redaction and cutting
	Call       *Call // for a message that is not JSON-RPC; nil: Data contains the message
}

// A Call describes a message that is not JSON-RPC, for example a request to a model.
type Call struct {
	Method string // of a request; empty for a response
	ID     string // the same for a request and its response
	Code   int    // of a response: the status of a failure; 0: success
}

// A Kind is the role of a frame.
type Kind int

// These are the kinds of frames.
const (
	Request Kind = iota
	Answer
	Note  // a notification
	Noise // not a message
	Ended // the end of a connection
)

// A header contains the parts of a message by which it is paired.
type header struct {
	kind             Kind
	method, tool, id string
	cancels          string // the id of the request that a notification cancels
	late             bool   // the notification cancels it because of the time limit
	outcome          Outcome
	code             int
	result           []byte // aliases the data
}

// read finds the header in a frame, even in a frame that is cut.
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
				h.code, _ = strconv.Atoi(string(value)) // 0 if the code is not a number
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

// timedOut reports whether the reason for a request's end is goated's time limit.
func timedOut(reason string) bool { return strings.Contains(reason, "execution timeout") }

// identity returns an id as it is written, so that 1 and "1" differ, or "" for null. A very long id
// counts as none.
func identity(value []byte) string {
	if len(value) > 200 || string(value) == "null" {
		return ""
	}
	return string(value)
}

// text decodes a JSON string of at most 200 bytes. It returns "" for other values.
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
