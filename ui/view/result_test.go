package view

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"goated/agent"
)

// Property 4 for results: a part of the card contains everything that a tool returned, unchanged.
func TestResultLosesNothing(t *testing.T) {
	content := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) mcp.Content {
			c := &mcp.TextContent{Text: rapid.OneOf(rapid.String(), rapid.Map(value(3), func(v any) string { return FormatJSON(v) })).Draw(t, "text")}
			if rapid.Bool().Draw(t, "annotated") {
				c.Annotations = &mcp.Annotations{Priority: 0.5}
			}
			return c
		}),
		rapid.Custom(func(t *rapid.T) mcp.Content {
			return &mcp.ImageContent{Data: rapid.SliceOf(rapid.Byte()).Draw(t, "data"), MIMEType: "image/png"}
		}),
		rapid.Custom(func(t *rapid.T) mcp.Content {
			return &mcp.AudioContent{Data: rapid.SliceOf(rapid.Byte()).Draw(t, "data"), MIMEType: "audio/wav"}
		}),
		rapid.Custom(func(t *rapid.T) mcp.Content {
			return &mcp.ResourceLink{URI: rapid.String().Draw(t, "uri"), Name: "n", Description: rapid.String().Draw(t, "about")}
		}),
		rapid.Custom(func(t *rapid.T) mcp.Content {
			r := &mcp.ResourceContents{URI: "a:/b", Text: rapid.String().Draw(t, "text")}
			if r.Text == "" {
				r.Blob = []byte{1, 2, 3}
			}
			return &mcp.EmbeddedResource{Resource: r, Meta: mcp.Meta{"k": "v"}}
		}),
	)
	rapid.Check(t, func(t *rapid.T) {
		r := &mcp.CallToolResult{Content: rapid.SliceOfN(content, 0, 4).Draw(t, "content")}
		if rapid.Bool().Draw(t, "structured") {
			r.StructuredContent = map[string]any{"s": rapid.String().Draw(t, "structure")}
		}
		parts := NewResult(r).Parts
		next := func(kind PartKind) Part {
			if len(parts) == 0 || parts[0].Kind != kind {
				t.Fatalf("a part of kind %d is missing: %+v", kind, parts)
			}
			p := parts[0]
			parts = parts[1:]
			return p
		}
		twice := repetitionOf(r)
		switch {
		case twice.all():
			if p := next(TextPart); !sameJSON(p.Text, twice.text) && p.Text != twice.text {
				t.Fatalf("%s became %s", twice.text, p.Text)
			}
		case r.StructuredContent != nil:
			if p := next(TextPart); !sameJSON(p.Text, FormatJSON(r.StructuredContent)) {
				t.Fatal("the structure is another")
			}
		}
		for i, c := range r.Content {
			if instead, replaced := twice.instead[i]; replaced {
				if r.StructuredContent != nil {
					continue
				}
				if len(instead) > 0 { // the first of several records
					records, n := []string{c.(*mcp.TextContent).Text}, i+1
					for ; n < len(r.Content) && twice.instead[n] == nil && isObject(textAlone(r.Content[n])); n++ {
						records = append(records, textAlone(r.Content[n]))
					}
					if p := next(TextPart); !sameJSON(p.Text, "["+strings.Join(records, ",")+"]") {
						t.Fatalf("%q became %s", records, p.Text)
					}
				}
				continue
			}
			switch c := c.(type) {
			case *mcp.TextContent:
				p := next(TextPart)
				if p.Raw != c.Text || p.Root == nil && p.Text != c.Text {
					t.Fatalf("%q became %q", c.Text, p.Text)
				}
				if p.Root != nil && !sameJSON(p.Text, c.Text) {
					t.Fatalf("%s became %s", c.Text, p.Text)
				}
				if c.Annotations != nil && !strings.Contains(next(TextPart).Text, `"priority": 0.5`) {
					t.Fatal("the annotations are lost")
				}
			case *mcp.ImageContent:
				if p := next(ImagePart); !bytes.Equal(p.Data, c.Data) || p.MIME != c.MIMEType {
					t.Fatal("the image is another")
				}
			case *mcp.AudioContent:
				if p := next(AudioPart); !bytes.Equal(p.Data, c.Data) || p.MIME != c.MIMEType {
					t.Fatal("the sound is another")
				}
			case *mcp.ResourceLink:
				if p := next(LinkPart); p.URI != c.URI || p.Name != c.Name || p.About != c.Description {
					t.Fatal("the link is another")
				}
			case *mcp.EmbeddedResource:
				if p := next(ResourcePart); p.URI != c.Resource.URI || p.Raw != c.Resource.Text || !bytes.Equal(p.Data, c.Resource.Blob) {
					t.Fatal("the resource is another")
				}
				if !strings.Contains(next(TextPart).Text, `"k": "v"`) {
					t.Fatal("the metadata is lost")
				}
			}
		}
		if len(parts) > 0 {
			t.Fatalf("nobody gave %+v", parts)
		}
	})
}

// textAlone returns a text without annotations, or "" for other content.
func textAlone(c mcp.Content) string {
	text, _ := plainText(c)
	return text
}

func sameJSON(a, b string) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, []byte(a)) == nil && json.Compact(&y, []byte(b)) == nil && x.String() == y.String()
}

// The line of a closed card names its pictures, even if there is also a text.
func TestPreviewNamesPictures(t *testing.T) {
	picture, text := &mcp.ImageContent{Data: make([]byte, 134_000), MIMEType: "image/png"}, &mcp.TextContent{Text: "Here it is."}
	for want, content := range map[string][]mcp.Content{
		"Picture, 134 kB":          {picture},
		"2 pictures":               {picture, picture},
		"Picture · Here it is.":    {text, picture},
		"2 pictures · Here it is.": {picture, text, picture},
		"Here it is.":              {text},
	} {
		if got := NewResult(&mcp.CallToolResult{Content: content}).Preview(); got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
	var none *Result
	if none.Preview() != "" {
		t.Error("nothing has a preview")
	}
}

// Empty metadata is not shown, and it is missing when the event is read back.
func TestResultWithEmptyMetadata(t *testing.T) {
	r := NewResult(&mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{MIMEType: "image/png", Data: []byte{1}, Meta: mcp.Meta{}}}})
	if len(r.Parts) != 1 {
		t.Errorf("an image with empty metadata has %d parts", len(r.Parts))
	}
}

func texts(all ...string) (out []mcp.Content) {
	for _, text := range all {
		out = append(out, &mcp.TextContent{Text: text})
	}
	return out
}

// A list of records is one table in all forms in which servers send it, and a text that repeats
// structured content is not shown.
func TestListsOfRecordsAreOneTable(t *testing.T) {
	t.Parallel()
	one, two := `{"id":1,"name":"a"}`, `{"id":12345678901234567890,"name":"b"}`
	list := "[" + one + "," + two + "]"
	for name, r := range map[string]*mcp.CallToolResult{
		"one text":                       {Content: texts(list)},
		"a text for each":                {Content: texts(one, two)},
		"structured alone":               {StructuredContent: json.RawMessage(list)},
		"the Python SDK's list[dict]":    {Content: texts(one, two), StructuredContent: json.RawMessage(`{"result":` + list + `}`)},
		"structured and its text":        {Content: texts(`{"orders": ` + list + `}`), StructuredContent: json.RawMessage(`{"orders":` + list + `}`)},
		"structured with another member": {Content: texts(list), StructuredContent: json.RawMessage(`{"result":` + list + `}`)},
	} {
		parts := NewResult(r).Parts
		if len(parts) != 1 || parts[0].Grid == nil {
			t.Errorf("%s: it is %d parts, the first %+v", name, len(parts), parts[0])
			continue
		}
		if g := parts[0].Grid; len(g.Rows) != 2 || g.Rows[1][0].Text != "12345678901234567890" || g.Rows[0][1].Text != "a" {
			t.Errorf("%s: the table is %+v", name, g.Rows)
		}
	}
	r := NewResult(&mcp.CallToolResult{Content: texts("Two people were found."), StructuredContent: json.RawMessage(`{"found":2}`)})
	if len(r.Parts) != 2 || r.Parts[0].Title != "Result" || r.Parts[0].Root == nil || r.Parts[1].Text != "Two people were found." {
		t.Errorf("a text of its own: %+v", r.Parts)
	}
}

// A list of strings from the Python SDK is one list too.
func TestListOfStringsIsOneValue(t *testing.T) {
	t.Parallel()
	r := NewResult(&mcp.CallToolResult{Content: texts("a", `b "c"`), StructuredContent: map[string]any{"result": []any{"a", `b "c"`}}})
	if len(r.Parts) != 1 || !sameJSON(r.Parts[0].Text, `["a","b \"c\""]`) {
		t.Errorf("it is %+v", r.Parts)
	}
}

// A table sorts by value, compares every digit, and puts missing values last in both directions.
func TestGridSorts(t *testing.T) {
	t.Parallel()
	root, _ := ParseNode(`[{"n":9,"s":"b"},{"n":100,"s":"A"},{"n":12345678901234567891},{"n":null,"s":"c"},{"n":12345678901234567890,"s":"B"},{"n":-1.5e1}]`)
	g, ok := newGrid(root)
	if !ok {
		t.Fatal("no table")
	}
	all := g.Matching("")
	for _, tt := range []struct {
		column int
		down   bool
		want   []int
	}{
		{0, false, []int{5, 0, 1, 4, 2, 3}},
		{0, true, []int{2, 4, 1, 0, 5, 3}},
		{1, false, []int{1, 0, 4, 3, 2, 5}},
	} {
		if got := g.Sorted(all, tt.column, tt.down); !slices.Equal(got, tt.want) {
			t.Errorf("column %d, down %t: %v, want %v", tt.column, tt.down, got, tt.want)
		}
	}
	if got := g.Matching(" B "); !slices.Equal(got, []int{0, 4}) {
		t.Errorf("found %v", got)
	}
	if !g.Columns[0].Right || g.Columns[1].Right {
		t.Error("only the numbers are at the right")
	}
}

// The card shows the tool's reason for a failure, without prefixes that only say that it failed.
func TestCausesHaveNoPrefixes(t *testing.T) {
	t.Parallel()
	for _, e := range []agent.ToolReturned{
		{ID: "1", Error: "Tool execution failed: disk full"},
		{ID: "1", Result: &mcp.CallToolResult{IsError: true, Content: texts("Error executing tool boom: disk full")}},
	} {
		c := Card{ID: "1", Tool: "boom", Status: Running}.returned(e)
		if c.Status != Failed || strings.TrimSuffix(c.Error, ".") != "disk full" || c.Preview() != c.Error {
			t.Errorf("the card says %q and %q", c.Error, c.Preview())
		}
	}
}

// The card of a long result describes what the model received. The card of a short result does
// not.
func TestCardsSayWhatTheModelReceived(t *testing.T) {
	t.Parallel()
	of := func(r *mcp.CallToolResult) string {
		return Card{ID: "1", Status: Running}.returned(agent.ToolReturned{ID: "1", Result: r}).Received
	}
	if got := of(&mcp.CallToolResult{Content: texts("ok")}); got != "" {
		t.Errorf("a short result: %q", got)
	}
	for _, n := range []int{16_000, 1_000_000} {
		e := agent.ToolReturned{ID: "1", NoModel: true, Result: &mcp.CallToolResult{Content: texts(strings.Repeat("x", n))}}
		if got := (Card{ID: "1", Status: Running}).returned(e).Received; got != "" {
			t.Errorf("%d bytes without a model: %q", n, got)
		}
	}
	if got := of(&mcp.CallToolResult{Content: texts(strings.Repeat("x", 16_000))}); got != "The model received all of it · about 4.0k tokens" {
		t.Errorf("a long result: %q", got)
	}
	if got := of(&mcp.CallToolResult{Content: texts(strings.Repeat("x", 1_000_000))}); got != "The model received the first 12.3 kB of 1.0 MB · about 3.1k tokens. It can ask for more." {
		t.Errorf("a longer one: %q", got)
	}
	record := `{"id":1,"name":"` + strings.Repeat("n", 80) + `"}` // 98 bytes and a comma
	if got := of(&mcp.CallToolResult{Content: texts("[" + strings.TrimSuffix(strings.Repeat(record+",", 10_000), ",") + "]")}); got != "The model received 124 of 10,000 rows · about 3.1k tokens. It can ask for more." {
		t.Errorf("rows: %q", got)
	}
}

// A stored result shows the characters that a live one shows: & was \u0026 after a restart.
func TestStoredStructureShowsAsLive(t *testing.T) {
	live := &mcp.CallToolResult{StructuredContent: map[string]any{"page": "<a> & \\u003c"}}
	data, err := json.Marshal(live)
	if err != nil {
		t.Fatal(err)
	}
	stored := &mcp.CallToolResult{}
	if err := json.Unmarshal(data, stored); err != nil {
		t.Fatal(err)
	}
	stored.StructuredContent = json.RawMessage(data[strings.IndexByte(string(data[1:]), '{')+1 : len(data)-1])
	want := "{\n  \"page\": \"<a> & \\\\u003c\"\n}"
	for name, r := range map[string]*mcp.CallToolResult{"live": live, "stored": stored} {
		if got := NewResult(r).Parts[0].Text; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
