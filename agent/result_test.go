package agent

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/registry"
)

// The structured content of a result goes to the model unless the texts contain all of it.
func TestStructureGoesToTheModel(t *testing.T) {
	text := func(texts ...string) (content []mcp.Content) {
		for _, s := range texts {
			content = append(content, &mcp.TextContent{Text: s})
		}
		return content
	}
	link := &mcp.ResourceLink{URI: "x://1", Name: "one"}
	const rows = `{"rows":[{"id":1}],"next":null}`
	for _, c := range []struct {
		name       string
		content    []mcp.Content
		structured any
		want       string
	}{
		{"alone", nil, map[string]any{"n": "a<b & c"}, `{"n":"a<b & c"}`}, // without escapes for browsers
		{"an empty text", text(""), json.RawMessage(rows), rows},
		{"a link", []mcp.Content{link}, json.RawMessage(rows), "[resource one: x://1]\n" + rows},
		{"a summary", text("One row."), json.RawMessage(rows), "One row.\n" + rows},
		{"a note of goated", text("Note of goated: it breaks its schema."), json.RawMessage(rows), "Note of goated: it breaks its schema.\n" + rows},
		{"a part of it", text(`{"rows":[{"id":1}]}`), json.RawMessage(rows), `{"rows":[{"id":1}]}` + "\n" + rows},
		{"the same", text(rows), json.RawMessage(rows), rows},
		{"the same in another form", text("{\n \"next\": null, \"rows\": [ {\"id\": 1.0} ] }"), json.RawMessage(rows), "{\n \"next\": null, \"rows\": [ {\"id\": 1.0} ] }"},
		{"the same after words", text("Rows: " + rows + " Done."), json.RawMessage(rows), "Rows: " + rows + " Done."},
		{"a list of the Python SDK", text(`{"a":1}`, `{"a":2}`), json.RawMessage(`{"result":[{"a":1},{"a":2}]}`), `{"a":1}` + "\n" + `{"a":2}`},
		{"texts of the Python SDK", text("a", "b"), json.RawMessage(`{"result":["a","b"]}`), "a\nb"},
		{"a text of the Python SDK", text("a"), json.RawMessage(`{"result":"a"}`), "a"},
		{"a number of the Python SDK", text("5"), json.RawMessage(`{"result":5}`), "5"},
		{"null of the Python SDK", text("null"), json.RawMessage(`{"result":null}`), "null"},
		{"null", text("done"), json.RawMessage("null"), "done"},
		{"false", text("done"), json.RawMessage("false"), "done\nfalse"},
		{"a long number", text("123456789012345678"), json.RawMessage(`{"id":123456789012345679}`), "123456789012345678\n" + `{"id":123456789012345679}`},
	} {
		if got := responseTo(t, &mcp.CallToolResult{Content: c.content, StructuredContent: c.structured}).Response["output"]; got != c.want {
			t.Errorf("%s: the model gets %q, want %q", c.name, got, c.want)
		}
	}
}

// The model gets a resource with the server's description, and an image resource as an image.
func TestResourcesGoToTheModel(t *testing.T) {
	size := int64(99)
	response := responseTo(t, &mcp.CallToolResult{Content: []mcp.Content{
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///a.txt", Text: "AAA"}},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///b.txt", Blob: []byte("BBB")}},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///c.txt"}},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "shot://1", MIMEType: "image/png", Blob: tinyPicture()}},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "zip://1", MIMEType: "application/zip", Blob: []byte("PK\xff")}},
		&mcp.EmbeddedResource{},
		&mcp.ResourceLink{URI: "x://2", Name: "rep", Title: "Report 2025", Description: "Sales of Q3, read this first", MIMEType: "text/csv", Size: &size},
	}})
	const want = `[resource file:///a.txt]
AAA
[resource file:///b.txt]
BBB
[resource file:///c.txt, empty]
[resource shot://1, an image]
[resource zip://1, application/zip, 3 bytes: UEv/…]
[an empty resource]
[resource rep (Report 2025): x://2, text/csv, 99 bytes: Sales of Q3, read this first]`
	if got := response.Response["output"]; got != want {
		t.Errorf("the model gets %q, want %q", got, want)
	}
	if len(response.Parts) != 1 || response.Parts[0].InlineData.MIMEType != "image/png" {
		t.Errorf("the images are %+v", response.Parts)
	}
}

// A refusing is a given whose calls fail with a result.
type refusing struct {
	given
	err error
}

func (f refusing) CallEntry(ctx context.Context, e registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	result, _ := f.given.CallEntry(ctx, e, args, report)
	return result, f.err
}

// The model gets each part of an error result exactly once.
func TestFailedResultsGoToTheModel(t *testing.T) {
	session := func(r *mcp.CallToolResult, err string) *Session {
		return &Session{Tools: refusing{given{tools(echo, "x"), r}, errors.New(err)}, Policy: &Policy{AllowAll: true}}
	}
	for _, c := range []struct {
		content    []mcp.Content
		structured any
		err, want  string
		images     int
	}{
		{[]mcp.Content{&mcp.TextContent{Text: "no row"}}, nil, "failed: no row", "failed: no row", 0},
		{[]mcp.Content{&mcp.TextContent{Text: "click failed"}, &mcp.ImageContent{Data: tinyPicture(), MIMEType: "image/png"}, &mcp.ResourceLink{URI: "log://1", Name: "log"}}, nil,
			"failed: click failed", "failed: click failed\n[resource log: log://1]", 1},
		{nil, json.RawMessage(`{"code":"E42"}`), `failed: {"code":"E42"}`, `failed: {"code":"E42"}`, 0},
		{[]mcp.Content{&mcp.TextContent{Text: "no row"}}, json.RawMessage(`{"code":"E42"}`), "failed: no row", "failed: no row\n" + `{"code":"E42"}`, 0},
	} {
		got := responseOf(t, session(&mcp.CallToolResult{IsError: true, Content: c.content, StructuredContent: c.structured}, c.err))
		if got.Response["error"] != c.want || got.Response["output"] != nil || len(got.Parts) != c.images {
			t.Errorf("the model gets %q and %d images, want %q and %d", got.Response, len(got.Parts), c.want, c.images)
		}
	}
}
