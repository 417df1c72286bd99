// Package offers is what connected servers offer to people rather than to models:
// prompts, which begin a message, and resources, which belong to one. It lists, finds
// and fills them for the composer and the terminal. It must not know windows.
package offers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/safetext"
)

// A Kind says what an offer is.
type Kind int

// The kinds.
const (
	Prompt   Kind = iota
	Resource      // a document at its URI
	Template      // documents at URIs with arguments
)

// An Offer is one prompt, resource or template of a server.
type Offer struct {
	Kind    Kind
	Server  string // its id
	From    string // its name for users
	Name    string // of a prompt, as it is typed; of a resource, its name
	Title   string // for users, on one line; never empty
	About   string // what the server says about it
	URI     string // of a resource; of a template, with {arguments}
	Type    string // MIME type, if the server names one
	Entries []Argument
}

// An Argument is one argument of a prompt or of a template.
type Argument struct {
	Name, Title, About string
	Required           bool
}

// A Cache lists the offers of a host. It asks a server again only after it was connected
// again, or tells a change. The zero value is ready. It is safe for concurrent use.
type Cache struct {
	mu   sync.Mutex
	kept map[string]page
}

// A page is what one server offers.
type page struct {
	since string // names the connection, and the changes since then
	list  []Offer
}

// List returns the offers of all connected servers, in their order. A server that does
// not list something offers nothing; List waits for all of them.
func (c *Cache) List(ctx context.Context, h *client.Host) []Offer {
	servers := h.Snapshot().Servers
	pages := make([][]Offer, len(servers))
	var wg sync.WaitGroup
	for i, s := range servers {
		if s.Status != client.Connected {
			continue
		}
		since := fmt.Sprint(s.Since.UnixNano(), s.Reloads, s.Offered)
		c.mu.Lock()
		have, ok := c.kept[s.ID]
		c.mu.Unlock()
		if ok && have.since == since {
			pages[i] = have.list
			continue
		}
		wg.Go(func() {
			list, whole := ask(ctx, h, s)
			pages[i] = list
			if !whole {
				return
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.kept == nil {
				c.kept = make(map[string]page)
			}
			c.kept[s.ID] = page{since, list}
		})
	}
	wg.Wait()
	return slices.Concat(pages...)
}

// ask lists what one server offers; whole is false if it did not answer.
func ask(ctx context.Context, h *client.Host, s client.Server) (list []Offer, whole bool) {
	prompts, err := h.Prompts(ctx, s.ID)
	for _, p := range prompts {
		if p == nil || p.Name == "" {
			continue
		}
		o := Offer{Kind: Prompt, Server: s.ID, From: s.Name, Name: p.Name, Title: name(p.Title, p.Name), About: p.Description}
		for _, a := range p.Arguments {
			if a != nil && a.Name != "" {
				o.Entries = append(o.Entries, Argument{a.Name, name(a.Title, a.Name), a.Description, a.Required})
			}
		}
		list = append(list, o)
	}
	resources, other := h.Resources(ctx, s.ID)
	for _, r := range resources {
		if r != nil && r.URI != "" {
			list = append(list, Offer{Kind: Resource, Server: s.ID, From: s.Name, Name: cmp.Or(r.Name, r.URI), Title: name(r.Title, cmp.Or(r.Name, r.URI)), About: r.Description, URI: r.URI, Type: r.MIMEType})
		}
	}
	templates, third := client.Templates(ctx, h, s.ID)
	for _, t := range templates {
		if t == nil || t.URITemplate == "" {
			continue
		}
		list = append(list, Offer{Kind: Template, Server: s.ID, From: s.Name, Name: cmp.Or(t.Name, t.URITemplate), Title: name(t.Title, cmp.Or(t.Name, t.URITemplate)), About: t.Description, URI: t.URITemplate, Type: t.MIMEType, Entries: variables(t.URITemplate)})
	}
	return list, err == nil && other == nil && third == nil
}

// name returns a title of a server on one line, or else its name.
func name(title, name string) string {
	return cmp.Or(safetext.Name(title), safetext.Name(name), "Without a name")
}

// Suggest asks the server for values of one argument that begin with value. known are
// the other arguments. A server that completes nothing suggests nothing.
func (o Offer) Suggest(ctx context.Context, h *client.Host, argument, value string, known map[string]string) []string {
	ref := &mcp.CompleteReference{Type: "ref/prompt", Name: o.Name}
	if o.Kind != Prompt {
		ref = &mcp.CompleteReference{Type: "ref/resource", URI: o.URI}
	}
	values, err := client.Complete(ctx, h, o.Server, &mcp.CompleteParams{Ref: ref,
		Argument: mcp.CompleteParamsArgument{Name: argument, Value: value}, Context: &mcp.CompleteContext{Arguments: known}})
	if err != nil {
		return nil
	}
	return values[:min(len(values), 100)]
}

// complete returns an error if an argument is missing.
func (o Offer) complete(args map[string]string) error {
	for _, a := range o.Entries {
		if a.Required && args[a.Name] == "" {
			what := "prompt"
			if o.Kind != Prompt {
				what = "resource"
			}
			return fmt.Errorf("the %s %s needs %s", what, o.Name, a.Name)
		}
	}
	return nil
}

// maxText bounds the text of a prompt, in bytes.
const maxText = 64 << 10

// Fill returns the text of a prompt with its arguments.
func (o Offer) Fill(ctx context.Context, h *client.Host, args map[string]string) (string, error) {
	if err := o.complete(args); err != nil {
		return "", err
	}
	got, err := h.GetPrompt(ctx, o.Server, o.Name, args)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, m := range got.Messages {
		switch c := m.Content.(type) {
		case *mcp.TextContent:
			texts = append(texts, c.Text)
		case *mcp.EmbeddedResource:
			if c.Resource != nil && c.Resource.Text != "" {
				texts = append(texts, c.Resource.Text)
			}
		}
	}
	text := strings.TrimSpace(strings.Join(texts, "\n\n"))
	switch {
	case text == "":
		return "", fmt.Errorf("%s gave no text for the prompt %s", o.From, o.Name)
	case len(text) > maxText:
		return "", fmt.Errorf("the text of the prompt %s is longer than %d kB", o.Name, maxText>>10)
	}
	return text, nil
}

// A Document is the content of a resource.
type Document struct {
	Name string // of a file with it
	Data []byte
}

// Read reads a resource of at most most bytes; a template needs its arguments.
func (o Offer) Read(ctx context.Context, h *client.Host, args map[string]string, most int) (Document, error) {
	uri := o.URI
	if o.Kind == Template {
		if err := o.complete(args); err != nil {
			return Document{}, err
		}
		full, err := Expand(uri, args)
		if err != nil {
			return Document{}, err
		}
		uri = full
	}
	got, err := h.ReadResource(ctx, o.Server, uri)
	if err != nil {
		return Document{}, err
	}
	var d Document
	for _, c := range got.Contents {
		if c == nil {
			continue
		}
		if len(c.Blob) > 0 {
			if len(d.Data) > 0 {
				continue // text came first: a file has one type
			}
			d.Data = append(d.Data, c.Blob...)
			break
		}
		if len(d.Data) > 0 {
			d.Data = append(d.Data, "\n\n"...)
		}
		d.Data = append(d.Data, c.Text...)
		if len(d.Data) > most {
			break
		}
	}
	switch {
	case len(d.Data) == 0:
		return d, errors.New(o.Title + " is empty")
	case len(d.Data) > most:
		return d, fmt.Errorf("%s is larger than %s", o.Title, bound(most))
	}
	d.Name = fileName(o, uri, got.Contents)
	return d, nil
}

// bound writes a limit in bytes.
func bound(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d kB", n>>10)
}

// fileName names the file with a resource: its own name, with an ending that fits.
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
