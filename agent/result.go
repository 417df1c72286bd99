package agent

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent/contents"
	"goated/internal/exact"
)

// maxResult is the largest text of one result that goes to the model, in bytes. The
// user sees all of it.
const maxResult = 256 << 10

// maxImage is the largest image that goes to the model, in bytes.
const maxImage = 4 << 20

// respond returns the response to a function call: the result under "output", or the
// reason of the failure under "error" (Gemini API, FunctionResponse.response). A large
// result is stored, unless the model gets it whole.
func (s *Session) respond(call *genai.FunctionCall, r ToolReturned, whole bool) *genai.Part {
	resp := &genai.FunctionResponse{ID: call.ID, Name: call.Name}
	key, text := "error", r.Error
	if r.Error == "" {
		said, images := digest(r.Result)
		key, text = "output", said
		resp.Parts = images
	}
	resp.Response = map[string]any{key: s.shorten(text, whole)}
	return &genai.Part{FunctionResponse: resp}
}

// saidOf returns the text of a response, and where it is: "output", or "error" of a tool
// that failed.
func saidOf(r *genai.FunctionResponse) (key, text string) {
	for _, key := range []string{"output", "error"} {
		if text, ok := r.Response[key].(string); ok {
			return key, text
		}
	}
	return "output", ""
}

// boundary returns the last place at or before end where a character of text begins.
func boundary[T string | []byte](text T, end int) int {
	for back := range min(end+1, utf8.UTFMax) {
		if end == len(text) || utf8.RuneStart(text[end-back]) {
			return end - back
		}
	}
	return end // it is not UTF-8
}

// Received returns how many bytes of a result's text the model receives with the result, and how
// long that text is. Both are 0 for a call that failed and without a model. An event that does not
// say it is of a session with a store, and of a model with a large context.
func Received(r ToolReturned) (sent, all int) {
	if r.Error != "" || r.NoModel {
		return 0, 0
	}
	text, _ := digest(r.Result)
	switch {
	case r.Sent > 0:
		return r.Sent, len(text)
	case len(text) > largeResult:
		return shownResult, len(text)
	}
	return len(text), len(text)
}

// digest returns the text of a result, and its images.
func digest(r *mcp.CallToolResult) (string, []*genai.FunctionResponsePart) {
	if r == nil {
		return "", nil
	}
	var said []string
	var images []*genai.FunctionResponsePart
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			said = append(said, c.Text)
		case *mcp.ImageContent:
			if len(c.Data) > maxImage {
				said = append(said, fmt.Sprintf("[an image of %d bytes, too large to pass on]", len(c.Data)))
				continue
			}
			mime, ok := contents.ImageType(c.Data, c.MIMEType)
			if !ok {
				said = append(said, fmt.Sprintf("[an image of the type %s, which can't be passed on]", shortType(c.MIMEType)))
				continue
			}
			images = append(images, &genai.FunctionResponsePart{
				InlineData: &genai.FunctionResponseBlob{Data: c.Data, MIMEType: mime},
			})
		case *mcp.AudioContent:
			said = append(said, fmt.Sprintf("[audio, %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.ResourceLink:
			said = append(said, fmt.Sprintf("[resource %s: %s]", c.Name, c.URI))
		case *mcp.EmbeddedResource:
			said = append(said, embedded(c.Resource))
		}
	}
	// "For backwards compatibility, a tool that returns structured content SHOULD
	// also return the serialized JSON in a TextContent block" (MCP, Tools). If it
	// did not, serialize the structure.
	if len(said) == 0 && r.StructuredContent != nil {
		if data, err := exact.Encode(r.StructuredContent); err == nil {
			said = append(said, string(data))
		}
	}
	return strings.Join(said, "\n"), images
}

// shortType returns a type that a server wrote, short enough for a note.
func shortType(mime string) string { return strings.ToValidUTF8(mime[:min(len(mime), 60)], "") }

func embedded(r *mcp.ResourceContents) string {
	switch {
	case r == nil:
		return "[an empty resource]"
	case r.Text != "":
		return r.Text
	case utf8.Valid(r.Blob):
		return string(r.Blob)
	}
	return fmt.Sprintf("[resource %s, %s, %d bytes: %s…]", r.URI, r.MIMEType, len(r.Blob),
		base64.StdEncoding.EncodeToString(r.Blob[:min(len(r.Blob), 48)]))
}

// cut returns at most maxResult bytes of text, and a note if some are missing.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= maxResult {
		return text
	}
	end := boundary(text, maxResult)
	return contents.Shortened(text[:end], end, len(text))
}
