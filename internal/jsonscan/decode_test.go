package jsonscan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// show returns the parts of a message that a test compares.
func show(msg jsonrpc.Message) string {
	switch m := msg.(type) {
	case *jsonrpc.Request:
		return fmt.Sprintf("request %v %s %s", m.ID.Raw(), m.Method, m.Params)
	case *jsonrpc.Response:
		var wire *jsonrpc.Error
		if errors.As(m.Error, &wire) {
			return fmt.Sprintf("error %v %d %s %s", m.ID.Raw(), wire.Code, wire.Message, wire.Data)
		}
		return fmt.Sprintf("response %v %s", m.ID.Raw(), m.Result)
	}
	return "none"
}

// Decode returns the message that JSON-RPC 2.0 defines for a line, or an error with the call that
// the line was meant to answer.
func TestDecode(t *testing.T) {
	const v = `"jsonrpc":"2.0"`
	long := strings.Repeat("m", MaxName)
	wrong := "the server sent an error that is not a JSON-RPC error: "
	for _, tt := range []struct {
		line string
		want string
		err  error
		id   any // of the call; nil for none
	}{
		{`{` + v + `,"id":1,"method":"ping","params":{}}`, "request 1 ping {}", nil, nil},
		{`{` + v + `,"method":"ping"}`, "request <nil> ping ", nil, nil},
		{`{` + v + `,"id":1.0,"result":{}}`, "response 1 {}", nil, int64(1)},
		{`{` + v + `,"id":"a","result":null}`, "response a null", nil, "a"},
		{`{` + v + `,"id":1,"result":null,"error":{"code":3,"message":"m","data":[1]}}`, "error 1 3 m [1]", nil, int64(1)},
		{`{` + v + `,"id":1,"result":{},"error":null}`, "response 1 {}", nil, int64(1)},
		{`{` + v + `,"id":1,"error":{"code":3,"message":null}}`, "error 1 3  ", nil, int64(1)},
		{`{` + v + `,"id":1,"error":{"code":"x","message":"m"}}`, `error 1 -32603 ` + wrong + `{"code":"x","message":"m"} `, nil, int64(1)},
		{`{` + v + `,"id":1,"error":{"code":3,"message":4}}`, `error 1 -32603 ` + wrong + `{"code":3,"message":4} `, nil, int64(1)},
		{`{` + v + `,"id":1,"error":{"message":4,"code":3}}`, `error 1 -32603 ` + wrong + `{"message":4,"code":3} `, nil, int64(1)},
		{`{` + v + `,"id":1,"error":{"code":"x","code2":1}}`, `error 1 -32603 ` + wrong + `{"code":"x","code2":1} `, nil, int64(1)},
		{`{` + v + `,"id":1,"error":"no"}`, `error 1 -32603 ` + wrong + `"no" `, nil, int64(1)},
		{`{}`, "none", ErrNotMessage, nil},
		{`{` + v + `}`, "none", ErrNotMessage, nil},
		{`{"id":1,"method":"ping"}`, "none", ErrVersion, nil},
		{`{"method":"ping"}`, "none", ErrVersion, nil},
		{`{"result":{}}`, "none", ErrVersion, nil},
		{`{"error":{}}`, "none", ErrVersion, nil},
		{`{"id":1}`, "none", ErrVersion, int64(1)},
		{`{` + v + `,"id":1}`, "none", ErrNoResult, int64(1)},
		{`{` + v + `,"id":1,"error":null}`, "none", ErrNoResult, int64(1)},
		{`{` + v + `,"result":{}}`, "none", ErrBadID, nil},
		{`{` + v + `,"id":1,"result":{},"error":{"code":1,"message":"m"}}`, "none", ErrResultAndError, int64(1)},
		{`{` + v + `,"method":4}`, "none", ErrNotMessage, nil},
		{`{` + v + `,"method":"` + long[:MaxName-2] + `"}`, "request <nil> " + long[:MaxName-2] + " ", nil, nil},
		{`{` + v + `,"method":"` + long + `"}`, "none", ErrNotMessage, nil},
		{`{` + v + `,"id":1.5,"result":{}}`, "none", ErrBadID, nil},
		{`{` + v + `,"id":9007199254740994,"result":{}}`, "none", ErrBadID, nil},
		{`{` + v + `,"id":true,"result":{}}`, "none", ErrBadID, nil},
		{`{` + v + `,"id":"` + long + `","result":{}}`, "none", ErrBadID, nil},
	} {
		msg, id, err := Decode([]byte(tt.line))
		if got := show(msg); got != tt.want || !errors.Is(err, tt.err) || id.Raw() != tt.id {
			t.Errorf("%.80s: %s, id %v, %v; want %s, id %v, %v", tt.line, got, id.Raw(), err, tt.want, tt.id, tt.err)
		}
	}
}

// Cut finds the id of a faulty or cut line at its beginning or at its end. A request answers no
// call.
func TestCutFindsTheCall(t *testing.T) {
	for _, tt := range []struct {
		head, tail string
		id         any
		request    bool
	}{
		{`{"jsonrpc":"2.0","id":7,"result":{"text":"`, `"}}`, int64(7), false},
		{`{"result":{"text":"`, `"},"jsonrpc":"2.0","id":8}`, int64(8), false},
		{`{"result":{"text":"`, `"},"id":"a","jsonrpc":"2.0"}`, "a", false},
		{`{"result":{"text":"`, `"}}`, nil, false},
		{`{"jsonrpc":"2.0","id":7,"method":"m","params":{"text":"`, `"}}`, nil, true},
		{`{"jsonrpc":"2.0","id":7.5,"result":{"text":"`, `"}}`, nil, false},
		{`{"jsonrpc":"2.0","id":7,"result":{"text":"`, `"},"id":9}`, int64(7), false},
	} {
		if id, request := Cut([]byte(tt.head), []byte(tt.tail)); id.Raw() != tt.id || request != tt.request {
			t.Errorf("%s…%s: id %v, request %t", tt.head, tt.tail, id.Raw(), request)
		}
	}
}
