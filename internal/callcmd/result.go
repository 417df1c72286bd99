package callcmd

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/ui/view"
	"goated/ui/view/format"
)

// A Place is where the result of a call goes.
type Place struct {
	Tool     string // names the files
	Terminal bool   // a person reads it: images, sounds and other data are described
	Dir      string // of --output: they are saved there; empty: nowhere
}

// Text returns a result as text. Without a person and without a folder, it is the whole result.
func (p Place) Text(r *mcp.CallToolResult) (string, error) {
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

// Media describes the data of a result that is no text, for a chat in a terminal, which can't
// show it. name is the name of the tool in calls.
func Media(r *mcp.CallToolResult, name string) (lines []string) {
	if r == nil {
		return nil
	}
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.ImageContent:
			lines = append(lines, about(cmp.Or(c.MIMEType, "image"), c.Data))
		case *mcp.AudioContent:
			lines = append(lines, about(cmp.Or(c.MIMEType, "audio"), c.Data))
		case *mcp.EmbeddedResource:
			if c.Resource != nil && len(c.Resource.Blob) > 0 {
				lines = append(lines, about(cmp.Or(c.Resource.MIMEType, "data"), c.Resource.Blob))
			}
		}
	}
	if len(lines) > 0 {
		lines[len(lines)-1] += ". This call saves such results: goated call " + view.ShellWord(name) + " --output DIR"
	}
	return lines
}

func about(kind string, data []byte) string {
	return fmt.Sprintf("%s, %s", kind, format.Size(int64(len(data))))
}

// hasData reports whether a result has data that is no text.
func hasData(r *mcp.CallToolResult) bool {
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.ImageContent, *mcp.AudioContent:
			return true
		case *mcp.EmbeddedResource:
			if c.Resource != nil && len(c.Resource.Blob) > 0 {
				return true
			}
		}
	}
	return false
}

// block returns one part of a result as text.
func (p Place) block(c mcp.Content) (string, error) {
	switch c := c.(type) {
	case *mcp.TextContent:
		return view.FormatResult(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: c.Text}}}), nil
	case *mcp.ImageContent:
		return p.data(cmp.Or(c.MIMEType, "image"), c.Data)
	case *mcp.AudioContent:
		return p.data(cmp.Or(c.MIMEType, "audio"), c.Data)
	case *mcp.ResourceLink:
		return strings.TrimSpace(c.Name + " " + c.URI), nil
	case *mcp.EmbeddedResource:
		switch {
		case c.Resource == nil:
			return "", nil
		case len(c.Resource.Blob) > 0:
			line, err := p.data(cmp.Or(c.Resource.MIMEType, "data"), c.Resource.Blob)
			return strings.TrimSpace(c.Resource.URI + " " + line), err
		}
		return strings.TrimSpace(c.Resource.URI + "\n" + c.Resource.Text), nil
	}
	return view.FormatJSON(c), nil
}

// data describes data that is no text, and says where it is or how to get it.
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
