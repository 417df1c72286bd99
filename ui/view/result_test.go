package view

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"
)

// Property 4 for results: everything that a tool gave is in a part of its card,
// as it was.
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
		for _, c := range r.Content {
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
		if r.StructuredContent != nil && !same(r.StructuredContent, r.Content) {
			if p := next(TextPart); !sameJSON(p.Text, FormatJSON(r.StructuredContent)) {
				t.Fatal("the structure is another")
			}
		}
		if len(parts) > 0 {
			t.Fatalf("nobody gave %+v", parts)
		}
	})
}

func sameJSON(a, b string) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, []byte(a)) == nil && json.Compact(&y, []byte(b)) == nil && x.String() == y.String()
}

func TestPreviewOfAnImage(t *testing.T) {
	r := &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: make([]byte, 34_000), MIMEType: "image/png"}}}
	if got := NewResult(r).Preview(); got != "image/png · 34.0 kB" {
		t.Errorf("it is %q", got)
	}
	var none *Result
	if none.Preview() != "" {
		t.Error("nothing has a preview")
	}
}

// Empty metadata says nothing, and is not there when the event is read back.
func TestResultWithEmptyMetadata(t *testing.T) {
	r := NewResult(&mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{MIMEType: "image/png", Data: []byte{1}, Meta: mcp.Meta{}}}})
	if len(r.Parts) != 1 {
		t.Errorf("an image with empty metadata has %d parts", len(r.Parts))
	}
}
