package callcmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/shellword"
	"goated/ui/view"
	"goated/ui/view/format"
)

// A Place describes where the result of a call goes.
type Place struct {
	Tool     string // for the names of files
	Terminal bool   // a person reads the result, so images, sounds and other data are only described
	Dir      string // the value of --output, where data is saved; empty: nowhere
}

// Text returns a result as text. For a program, without --output, that is the whole result. For a
// person it omits the metadata, which is for programs. Otherwise the answer would appear twice, as
// text and as structured data.
func (p Place) Text(r *mcp.CallToolResult) (string, error) {
	if p.Terminal && r != nil && len(r.Content) > 0 {
		shown := *r
		shown.Meta = nil
		r = &shown
	}
	if !p.Terminal && p.Dir == "" || !hasData(r) {
		return view.FormatResult(r), nil
	}
	var lines []string
	for _, c := range r.Content {
		line, err := p.block(c)
		if err != nil {
			return "", err
		}
		lines = append(lines, line)
	}
	if r.StructuredContent != nil {
		lines = append(lines, view.FormatJSON(r.StructuredContent))
	}
	return strings.Join(lines, "\n"), nil
}

// Media describes the data of a result that is not text, for a chat in a terminal, which cannot
// show it. name is the tool's name in calls.
func Media(r *mcp.CallToolResult, name string) (lines []string) {
	if r == nil {
		return nil
	}
	for _, c := range r.Content {
		if kind, data, ok := dataOf(c); ok {
			lines = append(lines, about(kind, data))
		}
	}
	if len(lines) > 0 {
		lines[len(lines)-1] += ". This call saves such results: goated call " + shellword.Quote(name) + " --output DIR"
	}
	return lines
}

func about(kind string, data []byte) string {
	return fmt.Sprintf("%s, %s", kind, format.Size(int64(len(data))))
}

// dataOf returns the data and the type of a part that is not text. ok is false for other parts.
func dataOf(c mcp.Content) (kind string, data []byte, ok bool) {
	switch c := c.(type) {
	case *mcp.ImageContent:
		return cmp.Or(c.MIMEType, "image"), c.Data, true
	case *mcp.AudioContent:
		return cmp.Or(c.MIMEType, "audio"), c.Data, true
	case *mcp.EmbeddedResource:
		if c.Resource != nil && len(c.Resource.Blob) > 0 {
			return cmp.Or(c.Resource.MIMEType, "data"), c.Resource.Blob, true
		}
	}
	return "", nil, false
}

func hasData(r *mcp.CallToolResult) bool {
	return slices.ContainsFunc(r.Content, func(c mcp.Content) bool { _, _, ok := dataOf(c); return ok })
}

// block formats one part of a result as text.
func (p Place) block(c mcp.Content) (string, error) {
	if kind, data, ok := dataOf(c); ok {
		line, err := p.data(kind, data)
		if r, ok := c.(*mcp.EmbeddedResource); ok {
			line = strings.TrimSpace(r.Resource.URI + " " + line)
		}
		return line, err
	}
	switch c := c.(type) {
	case *mcp.TextContent:
		return view.FormatResult(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: c.Text}}}), nil
	case *mcp.ResourceLink:
		return strings.TrimSpace(c.Name + " " + c.URI), nil
	case *mcp.EmbeddedResource:
		if c.Resource == nil {
			return "", nil
		}
		return strings.TrimSpace(c.Resource.URI + "\n" + c.Resource.Text), nil
	}
	return view.FormatJSON(c), nil
}

// data describes data that is not text, and where it was saved or how to get it.
func (p Place) data(kind string, data []byte) (string, error) {
	if p.Dir == "" {
		return about(kind, data) + ". To save it, add --output DIR; --json prints it as base64.", nil
	}
	path, err := save(p.Dir, p.Tool, kind, data)
	if err != nil {
		return "", fmt.Errorf("saving the result: %w", err)
	}
	return about(kind, data) + ", saved as " + path, nil
}
