package client

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// maxName bounds ids and the names of methods, which are copied.
	maxName = 1 << 10
	// maxText bounds what is copied of what a server says in an error, or of a
	// call that runs.
	maxText = 64 << 10
)

// decode makes the SDK's message of a line that is UTF-8. With an error, id is
// that of the call which the line would have answered, if it can be told. The
// message aliases the line, of which nothing long is copied.
func decode(line []byte) (msg jsonrpc.Message, id jsonrpc.ID, err error) {
	e, err := scan(line)
	if err != nil { // the scan ended there, and the id may lie behind
		return nil, e.answers(line[max(0, len(line)-tailSize):]), err
	}
	id, err = e.identity()
	if err != nil {
		return nil, jsonrpc.ID{}, err
	}
	msg, err = e.message(id)
	if e.method != nil { // it answers nothing
		id = jsonrpc.ID{}
	}
	return msg, id, err
}

// message is what a whole envelope holds.
func (e *envelope) message(id jsonrpc.ID) (jsonrpc.Message, error) {
	switch {
	case e.method == nil && e.result == nil && e.failure == nil && e.id == nil:
		return nil, errNotOne // JSON, and of something else
	case string(e.version) != `"2.0"`:
		return nil, errVersion
	}
	if e.method != nil {
		var method string
		if len(e.method) > maxName || json.Unmarshal(e.method, &method) != nil {
			return nil, errNotOne
		}
		return &jsonrpc.Request{ID: id, Method: method, Params: e.params}, nil
	}
	if string(e.failure) == "null" {
		e.failure = nil
	}
	switch {
	case !id.IsValid():
		return nil, errBadID
	case e.result == nil && e.failure == nil:
		return nil, errNeither
	case e.result != nil && string(e.result) != "null" && e.failure != nil:
		return nil, errBoth
	case e.failure == nil:
		return &jsonrpc.Response{ID: id, Result: e.result}, nil
	}
	return &jsonrpc.Response{ID: id, Error: failure(e.failure)}, nil
}

// failure is a server's error.
func failure(raw []byte) *jsonrpc.Error {
	var e jsonrpc.Error
	ok := len(raw) > 0 && raw[0] == '{'
	members(raw, func(key, value []byte) {
		switch string(key) {
		case "code":
			ok = ok && len(value) <= maxName && json.Unmarshal(value, &e.Code) == nil
		case "message":
			e.Message = said(value)
			ok = ok && (value[0] == '"' || string(value) == "null")
		case "data":
			e.Data = value
		}
	})
	if !ok {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server's error is none by JSON-RPC: " + string(raw[:min(len(raw), 200)])}
	}
	return &e
}

// said is a JSON text without its quotes and escapes, cut where it is long; and
// nothing for any other value.
func said(value []byte) string {
	if value[0] != '"' {
		return ""
	}
	var text string
	if len(value) <= maxText {
		_ = json.Unmarshal(value, &text)
		return text
	}
	// The longest that may have to go is an escape of two halves.
	for end := maxText; end > maxText-len(`\ud83d\ude00`); end-- {
		if json.Unmarshal(append(value[:end:end], '"'), &text) == nil && !strings.HasSuffix(text, "\uFFFD") {
			return text + "…"
		}
	}
	return ""
}

// identity reads the id. None, and null, is that of a notification.
func (e *envelope) identity() (jsonrpc.ID, error) {
	return parseID(e.id)
}

func parseID(raw []byte) (jsonrpc.ID, error) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return jsonrpc.ID{}, nil
	case len(raw) > maxName:
		return jsonrpc.ID{}, errBadID
	case raw[0] == '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return jsonrpc.ID{}, errBadID
		}
		return jsonrpc.MakeID(text)
	}
	n, err := strconv.ParseFloat(string(raw), 64) // 1.0 is how some write 1
	if err != nil || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return jsonrpc.ID{}, errBadID
	}
	return jsonrpc.MakeID(n)
}

// atTheEnd finds an id behind the result, where the TypeScript SDK writes it.
var atTheEnd = pattern(`"id"\s*:\s*(-?\d+(?:\.0+)?|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?}\s*$`)

// id finds the id of the call that a cut line would have answered.
func (c *cutLine) id() jsonrpc.ID {
	e, _ := scan(c.head) // ends where the head does
	return e.answers(c.tail)
}

// answers finds the id of the call that a line would have answered of which the
// envelope has the beginning, and tail is the end.
func (e *envelope) answers(tail []byte) jsonrpc.ID {
	raw := e.id
	if raw == nil {
		if found := atTheEnd().FindSubmatch(tail); found != nil {
			raw = found[1]
		}
	}
	id, err := parseID(raw)
	if err != nil || e.method != nil {
		return jsonrpc.ID{}
	}
	return id
}
