package jsonscan

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// MaxName limits ids and method names, in bytes, because they are copied.
	MaxName = 1 << 10
	// MaxText limits a text that is copied from an error or a notification, in bytes.
	MaxText = 64 << 10
	// tailSize is the number of bytes at the end of a faulty line in which its id is searched.
	tailSize = 256
)

// Decode decodes a line, which must be UTF-8, into the SDK's message. The message aliases the line.
// If Decode fails, id is the call that the line was meant to answer, or the zero ID if that is
// unknown.
func Decode(line []byte) (msg jsonrpc.Message, id jsonrpc.ID, err error) {
	return new(Decoder).Decode(line)
}

// A Decoder decodes many lines like [Decode], and reuses its memory for each line. The zero value
// is ready. It is not safe for concurrent use.
type Decoder struct{ s scanner }

// Decode decodes one line like the function [Decode].
func (d *Decoder) Decode(line []byte) (msg jsonrpc.Message, id jsonrpc.ID, err error) {
	e, err := d.s.message(line)
	if err != nil { // the id may come after the error
		return nil, e.answers(line[max(0, len(line)-tailSize):]), err
	}
	id, err = ParseID(e.id)
	if err != nil {
		return nil, jsonrpc.ID{}, err
	}
	msg, err = e.message(id)
	if e.method != nil { // a request answers no call
		id = jsonrpc.ID{}
	}
	return msg, id, err
}

// message makes a message from a complete envelope.
func (e *envelope) message(id jsonrpc.ID) (jsonrpc.Message, error) {
	switch {
	case e.method == nil && e.result == nil && e.failure == nil && e.id == nil:
		return nil, ErrNotMessage // JSON, but not JSON-RPC
	case string(e.version) != `"2.0"`:
		return nil, ErrVersion
	}
	if e.method != nil {
		var method string
		if len(e.method) > MaxName || json.Unmarshal(e.method, &method) != nil {
			return nil, ErrNotMessage
		}
		return &jsonrpc.Request{ID: id, Method: method, Params: e.params}, nil
	}
	if string(e.failure) == "null" {
		e.failure = nil
	}
	switch {
	case !id.IsValid():
		return nil, ErrBadID
	case e.result == nil && e.failure == nil:
		return nil, ErrNoResult
	case e.result != nil && string(e.result) != "null" && e.failure != nil:
		return nil, ErrResultAndError
	case e.failure == nil:
		return &jsonrpc.Response{ID: id, Result: e.result}, nil
	}
	return &jsonrpc.Response{ID: id, Error: failure(e.failure)}, nil
}

// failure decodes the error object of a response.
func failure(raw []byte) *jsonrpc.Error {
	var e jsonrpc.Error
	ok := len(raw) > 0 && raw[0] == '{'
	Members(raw, func(key, value []byte) {
		switch string(key) {
		case "code":
			ok = ok && len(value) <= MaxName && json.Unmarshal(value, &e.Code) == nil
		case "message":
			e.Message = Unquote(value)
			ok = ok && (value[0] == '"' || string(value) == "null")
		case "data":
			e.Data = value
		}
	})
	if !ok {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server sent an error that is not a JSON-RPC error: " + string(raw[:min(len(raw), 200)])}
	}
	return &e
}

// Unquote decodes a JSON string and cuts it to [MaxText]. It returns "" for other values.
func Unquote(value []byte) string {
	if value[0] != '"' {
		return ""
	}
	var text string
	if len(value) <= MaxText {
		_ = json.Unmarshal(value, &text)
		return text
	}
	// The cut may split an escape sequence. The longest one is a surrogate pair.
	for end := MaxText; end > MaxText-len(`\ud83d\ude00`); end-- {
		if json.Unmarshal(append(value[:end:end], '"'), &text) == nil && !strings.HasSuffix(text, "\uFFFD") {
			return text + "…"
		}
	}
	return ""
}

// ParseID parses a raw id. A missing id or null gives the zero ID, which means a notification.
func ParseID(raw []byte) (jsonrpc.ID, error) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return jsonrpc.ID{}, nil
	case len(raw) > MaxName:
		return jsonrpc.ID{}, ErrBadID
	case raw[0] == '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return jsonrpc.ID{}, ErrBadID
		}
		return jsonrpc.MakeID(text)
	}
	n, err := strconv.ParseFloat(string(raw), 64) // some servers write 1 as 1.0
	if err != nil || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return jsonrpc.ID{}, ErrBadID
	}
	return jsonrpc.MakeID(n)
}

// atTheEnd finds an id after the result, which is where the TypeScript SDK writes it.
var atTheEnd = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"id"\s*:\s*(-?\d+(?:\.0+)?|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?}\s*$`)
})

// Cut reads the first and last bytes of a message that was too long to keep. It returns the id of
// the call that the message was meant to answer, if it finds one, and whether the message is a
// request or a notification.
func Cut(head, tail []byte) (id jsonrpc.ID, request bool) {
	e, _ := scan(head) // fails where head ends
	return e.answers(tail), e.method != nil
}

// answers finds the id of the call that a line was meant to answer. The envelope describes the
// beginning of the line, and tail is its end.
func (e *envelope) answers(tail []byte) jsonrpc.ID {
	raw := e.id
	if raw == nil {
		if found := atTheEnd().FindSubmatch(tail); found != nil {
			raw = found[1]
		}
	}
	id, err := ParseID(raw)
	if err != nil || e.method != nil {
		return jsonrpc.ID{}
	}
	return id
}

// Asked finds the id of the request in a faulty line, from the first and the last bytes of the
// line. It returns the zero ID if there is none.
func Asked(head, tail []byte) jsonrpc.ID {
	e, _ := scan(head) // fails at the error
	raw := e.id
	if raw == nil {
		if found := atTheEnd().FindSubmatch(tail[max(0, len(tail)-tailSize):]); found != nil {
			raw = found[1]
		}
	}
	id, err := ParseID(raw)
	if err != nil {
		return jsonrpc.ID{}
	}
	return id
}
