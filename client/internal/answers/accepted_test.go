package answers

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A form that the user accepts without values has a content, both in a response and in a request's
// params. A URL that the user opened has none.
func TestAcceptedFormsHaveContent(t *testing.T) {
	form, url := &mcp.ElicitParams{Mode: "form"}, &mcp.ElicitParams{Mode: "url"}
	for _, c := range []struct {
		name  string
		asked *mcp.ElicitParams
		given *mcp.ElicitResult
		then  func(*mcp.ElicitResult) // what the SDK does with it
		want  string
	}{
		{"nothing", form, &mcp.ElicitResult{Action: "accept"}, nil, `{"action":"accept","content":{}}`},
		{"an older form", &mcp.ElicitParams{}, &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil, `{"action":"accept","content":{}}`},
		{"a default", form, &mcp.ElicitResult{Action: "accept", Content: map[string]any{}},
			func(r *mcp.ElicitResult) { r.Content = map[string]any{"a": 1} }, `{"action":"accept","content":{"a":1}}`},
		{"a value", form, &mcp.ElicitResult{Action: "accept", Content: map[string]any{"a": 1}}, nil, `{"action":"accept","content":{"a":1}}`},
		{"an address", url, &mcp.ElicitResult{Action: "accept"}, nil, `{"action":"accept"}`},
		{"declined", form, &mcp.ElicitResult{Action: "decline"}, nil, `{"action":"decline"}`},
		{"metadata", form, &mcp.ElicitResult{Action: "accept", Meta: mcp.Meta{"k": 1}}, nil, `{"_meta":{"k":1},"action":"accept"}`},
	} {
		answer, err := Accepted(c.asked, c.given, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.then != nil {
			c.then(answer)
		}
		result, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		params, err := json.Marshal(&mcp.CallToolParams{Name: "x", InputResponses: mcp.InputResponseMap{"q": answer}})
		if err != nil {
			t.Fatal(err)
		}
		id, _ := jsonrpc.MakeID(1.0)
		for _, msg := range []jsonrpc.Message{&jsonrpc.Response{ID: id, Result: result}, &jsonrpc.Request{ID: id, Method: "tools/call", Params: params}} {
			if data, err := Encode(msg); err != nil || !strings.Contains(string(data), c.want) || strings.Contains(string(data), formMark) {
				t.Errorf("%s: %s, %v, want %s", c.name, data, err, c.want)
			}
		}
	}
	if _, err := Accepted(form, nil, errors.New("no user")); err == nil {
		t.Error("an error is lost")
	}
}
