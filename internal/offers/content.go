package offers

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"path"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/safetext"
)

// maxText limits the text of a prompt, in bytes.
const maxText = 64 << 10

// A Document is the content of a resource, or a part of a prompt that is not text.
type Document struct {
	Name string // name for a file with the content
	Data []byte
	Text bool
}

// A Filled is a prompt that was filled with its arguments.
type Filled struct {
	Text  string
	Files []Document
}

// Fill fills a prompt with its arguments. The whole prompt becomes one message of the user, so if
// the prompt contains messages of the model, the text names the speakers.
func (o Offer) Fill(ctx context.Context, h *client.Host, args map[string]string) (f Filled, err error) {
	if err := o.complete(args); err != nil {
		return f, err
	}
	got, err := h.GetPrompt(ctx, o.Server, o.Name, args)
	if err != nil {
		return f, err
	}
	both := false
	for _, m := range got.Messages {
		both = both || m.Role == "assistant"
	}
	var texts []string
	speaks := mcp.Role("")
	for _, m := range got.Messages {
		before := len(f.Files)
		text := o.part(&f, m.Content)
		if both && len(f.Files) > before {
			text = "[" + f.Files[len(f.Files)-1].Name + "]"
		}
		if text == "" {
			continue
		}
		if both && m.Role != speaks {
			speaker := "User"
			if m.Role == "assistant" {
				speaker = "Assistant"
			}
			text, speaks = speaker+":\n"+text, m.Role
		}
		texts = append(texts, text)
	}
	f.Text = strings.TrimSpace(strings.Join(texts, "\n\n"))
	switch {
	case f.Text == "" && len(f.Files) == 0:
		return f, fmt.Errorf("%s gave nothing for the prompt %s", o.From, o.Name)
	case len(f.Text) > maxText:
		return f, fmt.Errorf("the text of the prompt %s is longer than %d kB", o.Name, maxText>>10)
	}
	return f, nil
}

// part returns the text of a content in a prompt, or adds a file with the content to f.
func (o Offer) part(f *Filled, content mcp.Content) (text string) {
	add := func(kind, uri string, data []byte) {
		c := &mcp.ResourceContents{URI: uri, MIMEType: kind}
		if uri == "" {
			uri = fmt.Sprintf("prompt:/%s %d", url.PathEscape(o.Name), len(f.Files)+1)
		}
		f.Files = append(f.Files, Document{Name: fileName(o, uri, []*mcp.ResourceContents{c}), Data: data})
	}
	switch c := content.(type) {
	case *mcp.TextContent:
		return c.Text
	case *mcp.ImageContent:
		add(c.MIMEType, "", c.Data)
	case *mcp.AudioContent:
		add(c.MIMEType, "", c.Data)
	case *mcp.ResourceLink:
		return strings.TrimSpace(name(c.Title, c.Name) + " " + c.URI)
	case *mcp.EmbeddedResource:
		switch {
		case c.Resource == nil:
		case len(c.Resource.Blob) > 0:
			add(c.Resource.MIMEType, c.Resource.URI, c.Resource.Blob)
		default:
			return c.Resource.Text
		}
	}
	return ""
}

// Read reads a resource of up to most bytes. A template needs its arguments. All texts of a
// resource become one document. Each of its other contents becomes a separate document.
func (o Offer) Read(ctx context.Context, h *client.Host, args map[string]string, most int) (all []Document, err error) {
	uri := o.URI
	if o.Kind == Template {
		if err := o.complete(args); err != nil {
			return nil, err
		}
		if uri, err = Expand(uri, args); err != nil {
			return nil, err
		}
	}
	got, err := h.ReadResource(ctx, o.Server, uri)
	if err != nil {
		return nil, err
	}
	var texts []string
	var written []*mcp.ResourceContents
	size := 0
	for _, c := range got.Contents {
		switch {
		case c == nil:
		case len(c.Blob) > 0:
			at := uri
			if c.URI != "" {
				at = c.URI
			}
			all = append(all, Document{Name: fileName(o, at, []*mcp.ResourceContents{c}), Data: c.Blob})
			size += len(c.Blob)
		case c.Text != "":
			texts, written = append(texts, c.Text), append(written, c)
			size += len(c.Text)
		}
	}
	if len(texts) > 0 {
		all = append([]Document{{fileName(o, uri, written), []byte(strings.Join(texts, "\n\n")), true}}, all...)
	}
	switch {
	case size == 0:
		return nil, errors.New(o.Title + " is empty")
	case size > most:
		return nil, fmt.Errorf("%s is larger than %s", o.Title, bound(most))
	}
	return all, nil
}

// bound formats a limit in bytes.
func bound(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d kB", n>>10)
}

// fileName returns a file name for a resource: its own name with a suitable file extension.
func fileName(o Offer, uri string, contents []*mcp.ResourceContents) string {
	name := o.Title
	if u, err := url.Parse(uri); err == nil {
		if base := path.Base(u.Host + u.Path); base != "." && base != "/" {
			name = base
		}
	}
	name = safetext.Name(strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' {
			return '-'
		}
		return r
	}, name))
	if path.Ext(name) != "" {
		return name
	}
	kind := o.Type
	for _, c := range contents {
		if c != nil && c.MIMEType != "" {
			kind = c.MIMEType
		}
	}
	if all, err := mime.ExtensionsByType(kind); err == nil && len(all) > 0 && kind != "text/plain" {
		return name + all[0]
	}
	return name + ".txt"
}
