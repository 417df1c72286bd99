package client

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// decode makes the SDK's message of a line. With an error, id is that of the
// call which the line would have answered, if it can be told. The message
// aliases the line.
func decode(line []byte) (msg jsonrpc.Message, id jsonrpc.ID, err error) {
	if !utf8.Valid(line) { // as encoding/json does it
		line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	}
	e, err := scan(line)
	if e.id != nil && e.method == nil {
		if id, err2 := e.identity(); err2 == nil && err != nil {
			return nil, id, err
		}
	}
	if err != nil {
		return nil, jsonrpc.ID{}, err
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
		if err := json.Unmarshal(e.method, &method); err != nil {
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
	wire := new(jsonrpc.Error)
	if err := json.Unmarshal(e.failure, wire); err != nil {
		wire = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server's error is none by JSON-RPC: " + string(e.failure[:min(len(e.failure), 200)])}
	}
	return &jsonrpc.Response{ID: id, Error: wire}, nil
}

// identity reads the id. None, and null, is that of a notification.
func (e *envelope) identity() (jsonrpc.ID, error) {
	return parseID(e.id)
}

func parseID(raw []byte) (jsonrpc.ID, error) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return jsonrpc.ID{}, nil
	case raw[0] == '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return jsonrpc.ID{}, errBadID
		}
		return jsonrpc.MakeID(text)
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n > 1<<53 || n < -1<<53 { // MakeID takes a float64
		return jsonrpc.ID{}, errBadID
	}
	return jsonrpc.MakeID(float64(n))
}

// atTheEnd finds an id behind the result, where the TypeScript SDK writes it.
var atTheEnd = regexp.MustCompile(`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?}\s*$`)

// id finds the id of the call that a cut line would have answered.
func (c *cutLine) id() jsonrpc.ID {
	e, _ := scan(c.head) // ends where the head does
	raw := e.id
	if raw == nil {
		if found := atTheEnd.FindSubmatch(c.tail); found != nil {
			raw = found[1]
		}
	}
	id, err := parseID(raw)
	if err != nil || e.method != nil {
		return jsonrpc.ID{}
	}
	return id
}
