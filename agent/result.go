package agent

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent/contents"
)

// maxResult limits the text of one result that goes to the model, in bytes. The user sees all of
// it.
const maxResult = 256 << 10

// maxImage limits the size of an image that goes to the model, in bytes.
const maxImage = 4 << 20

// respond returns the response to a function call. It has the result under "output", or the error
// and everything that the server reported with it under "error" (Gemini API,
// FunctionResponse.response). It stores a large result, unless a builtin returned it: the model
// gets such a result whole.
func (s *Session) respond(call *genai.FunctionCall, r *run) *genai.Part {
	key := "output"
	if r.returned.Error != "" {
		key = "error"
	}
	return &genai.Part{FunctionResponse: &genai.FunctionResponse{
		ID: call.ID, Name: call.Name, Parts: r.reply.images,
		Response: map[string]any{key: s.shorten(r.reply.text, r.builtin != nil)},
	}}
}

// responseText returns the text of a response and its key: "output", or "error" if the call failed.
func responseText(r *genai.FunctionResponse) (key, text string) {
	for _, key := range []string{"output", "error"} {
		if text, ok := r.Response[key].(string); ok {
			return key, text
		}
	}
	return "output", ""
}

// boundary returns the last index at or before end where a character of text begins.
func boundary[T string | []byte](text T, end int) int {
	for back := range min(end+1, utf8.UTFMax) {
		if end == len(text) || utf8.RuneStart(text[end-back]) {
			return end - back
		}
	}
	return end // it is not UTF-8
}

// ReceivedBytes returns how many bytes of a result's text the model receives immediately, and the size
// of the whole text. Both are 0 if the call failed or if no model receives the result. For an event
// without these numbers, ReceivedBytes assumes a session with a result store and a model with a large
// context.
func ReceivedBytes(r ToolReturned) (sent, all int) {
	if r.Error != "" || r.NoModel {
		return 0, 0
	}
	sent, all = r.Sent, r.Size
	if all == 0 {
		all = len(replyOf(r).text)
	}
	switch {
	case sent > 0:
		return sent, all
	case all > largeResultSize:
		return shownResultSize, all
	}
	return all, all
}

// A reply is the part of a result for the model: the images, and the text before it is shortened.
type reply struct {
	text   string
	images []*genai.FunctionResponsePart
}

// replyOf extracts the reply from a result. Call it once for each result: the result may be large,
// and comparing its text with its structured content decodes both. If the tool itself failed, the
// error already contains some of the result's text. The rest follows the error, because a tool may
// explain its failure in a resource, a screenshot or structured content.
func replyOf(r ToolReturned) reply {
	if r.Error != "" && (r.Result == nil || !r.Result.IsError) {
		return reply{text: r.Error}
	}
	said, images := textsAndImages(r.Result)
	if r.Error != "" {
		said = slices.DeleteFunc(said, func(block string) bool { return strings.Contains(r.Error, block) })
		said = append([]string{r.Error}, said...)
	}
	return reply{strings.Join(said, "\n"), images}
}

// textsAndImages returns the texts and the images of a result.
func textsAndImages(r *mcp.CallToolResult) (said []string, images []*genai.FunctionResponsePart) {
	if r == nil {
		return nil, nil
	}
	var texts []string // text blocks, which may repeat the structured content
	for _, c := range r.Content {
		text, image := "", (*genai.FunctionResponsePart)(nil)
		switch c := c.(type) {
		case *mcp.TextContent:
			text = c.Text
			texts = append(texts, text)
		case *mcp.ImageContent:
			text, image = picture(c.Data, c.MIMEType)
		case *mcp.AudioContent:
			text = fmt.Sprintf("[audio, %s, %d bytes]", c.MIMEType, len(c.Data))
		case *mcp.ResourceLink:
			text = linked(c)
		case *mcp.EmbeddedResource:
			text, image = embedded(c.Resource)
		}
		if text != "" {
			said = append(said, text)
		}
		if image != nil {
			images = append(images, image)
		}
	}
	// "For backwards compatibility, a tool that returns structured content SHOULD
	// also return the serialized JSON in a TextContent block" (MCP, Tools). Many return
	// a summary instead, and the data only as the structure.
	if structure := contents.Structure(texts, r.StructuredContent); structure != "" {
		said = append(said, structure)
	}
	return said, images
}

// picture returns an image for the model, or a note if the model cannot receive it.
func picture(data []byte, mime string) (note string, _ *genai.FunctionResponsePart) {
	if len(data) > maxImage {
		return fmt.Sprintf("[an image of %d bytes, too large to pass on]", len(data)), nil
	}
	found, ok := contents.ImageType(data, mime)
	if !ok {
		return fmt.Sprintf("[an image of the type %s, which can't be passed on]", shortType(mime)), nil
	}
	return "", &genai.FunctionResponsePart{InlineData: &genai.FunctionResponseBlob{Data: data, MIMEType: found}}
}

// shortType truncates a server's MIME type for a note.
func shortType(mime string) string { return strings.ToValidUTF8(mime[:min(len(mime), 60)], "") }

// linked returns a resource link as text, with the server's description of the resource, so that
// the model can decide which one to read.
func linked(c *mcp.ResourceLink) string {
	text := "[resource " + c.Name
	if c.Title != "" && c.Title != c.Name {
		text += " (" + c.Title + ")"
	}
	text += ": " + c.URI
	if c.MIMEType != "" {
		text += ", " + shortType(c.MIMEType)
	}
	if c.Size != nil {
		text += fmt.Sprintf(", %d bytes", *c.Size)
	}
	if c.Description != "" {
		text += ": " + c.Description
	}
	return text + "]"
}

// embedded returns the URI and text of a resource, or its image.
func embedded(r *mcp.ResourceContents) (string, *genai.FunctionResponsePart) {
	if r == nil {
		return "[an empty resource]", nil
	}
	text := r.Text
	if text == "" && contents.IsTextType(r.MIMEType) && utf8.Valid(r.Blob) {
		text = string(r.Blob)
	}
	head := "[resource " + r.URI
	switch {
	case text != "" && r.URI == "":
		return text, nil
	case text != "":
		return head + "]\n" + text, nil
	case len(r.Blob) == 0:
		return head + ", empty]", nil
	}
	if _, ok := contents.ImageType(r.Blob, r.MIMEType); ok {
		note, image := picture(r.Blob, r.MIMEType)
		return strings.TrimSuffix(head+", an image]\n"+note, "\n"), image
	}
	return fmt.Sprintf("%s, %s, %d bytes: %s…]", head, shortType(r.MIMEType), len(r.Blob),
		base64.StdEncoding.EncodeToString(r.Blob[:min(len(r.Blob), 48)])), nil
}

// cut truncates text to maxResult bytes. It adds a note if it leaves anything out.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= maxResult {
		return text
	}
	end := boundary(text, maxResult)
	return contents.Shortened(text[:end], end, len(text))
}
