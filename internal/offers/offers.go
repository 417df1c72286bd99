// Package offers handles what connected servers offer to users rather than to models: prompts,
// which begin a message, and resources, which a message includes. It lists, finds and fills them
// for the composer and the terminal. It must not depend on windows.
package offers

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/safetext"
)

// A Kind is the kind of an offer.
type Kind int

// The kinds.
const (
	Prompt   Kind = iota
	Resource      // a document with a fixed URI
	Template      // documents whose URIs have arguments
)

// An Offer is one prompt, resource or template of a server.
type Offer struct {
	Kind    Kind
	Server  string // ID of the server
	From    string // display name of the server
	Name    string // for a prompt, the name that the user types
	Title   string // display name on one line; never empty
	About   string // the server's description
	URI     string // for a resource; for a template, with {arguments}
	Type    string // MIME type, if the server gives one
	Entries []Argument
}

// An Argument is one argument of a prompt or of a template.
type Argument struct {
	Name, Title, About string
	Required           bool
}

// A Cache lists the offers of a host's servers. It asks a server again only after the server
// reconnects or reports a change. The zero value is ready to use. It is safe for concurrent use.
type Cache struct {
	mu   sync.Mutex
	kept map[string]page
}

// A page contains the offers of one server.
type page struct {
	since string // identifies the connection and the changes since then
	list  []Offer
	wrong []error // why the server did not list everything
}

// List returns the offers of all connected servers, in the order of the servers, and the reasons
// why some lists are incomplete. It waits for all servers.
func (c *Cache) List(ctx context.Context, h *client.Host) (list []Offer, wrong []error) {
	servers := h.Snapshot().Servers
	pages := make([]page, len(servers))
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
			pages[i] = have
			continue
		}
		wg.Go(func() {
			pages[i] = ask(ctx, h, s)
			pages[i].since = since
			if len(pages[i].wrong) > 0 {
				return
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.kept == nil {
				c.kept = make(map[string]page)
			}
			c.kept[s.ID] = pages[i]
		})
	}
	wg.Wait()
	for _, p := range pages {
		list, wrong = append(list, p.list...), append(wrong, p.wrong...)
	}
	return list, wrong
}

// ask requests the offers of one server.
func ask(ctx context.Context, h *client.Host, s client.Server) (p page) {
	failed := func(what string, err error) {
		// Many servers have resources but no templates, and do not support the request.
		if answer := client.Refusal(err); err != nil && (answer == nil || answer.Code != jsonrpc.CodeMethodNotFound) {
			p.wrong = append(p.wrong, fmt.Errorf("%s does not list its %s: %w", name("", s.Name), what, err))
		}
	}
	prompts, err := h.Prompts(ctx, s.ID)
	failed("prompts", err)
	for _, one := range prompts {
		if one == nil || one.Name == "" {
			continue
		}
		p.list = append(p.list, OfPrompt(s, one))
	}
	resources, err := h.Resources(ctx, s.ID)
	failed("resources", err)
	for _, r := range resources {
		if r != nil && r.URI != "" {
			p.list = append(p.list, Offer{Kind: Resource, Server: s.ID, From: s.Name, Name: cmp.Or(r.Name, r.URI), Title: name(r.Title, cmp.Or(r.Name, r.URI)), About: r.Description, URI: r.URI, Type: r.MIMEType})
		}
	}
	templates, err := client.Templates(ctx, h, s.ID)
	failed("templates of resources", err)
	for _, t := range templates {
		if t != nil && t.URITemplate != "" {
			p.list = append(p.list, Offer{Kind: Template, Server: s.ID, From: s.Name, Name: cmp.Or(t.Name, t.URITemplate), Title: name(t.Title, cmp.Or(t.Name, t.URITemplate)), About: t.Description, URI: t.URITemplate, Type: t.MIMEType, Entries: variables(t.URITemplate)})
		}
	}
	return p
}

// OfPrompt returns the offer of a server's prompt.
func OfPrompt(s client.Server, p *mcp.Prompt) Offer {
	o := Offer{Kind: Prompt, Server: s.ID, From: s.Name, Name: p.Name, Title: name(p.Title, p.Name), About: p.Description}
	for _, a := range p.Arguments {
		if a != nil && a.Name != "" {
			o.Entries = append(o.Entries, Argument{a.Name, name(a.Title, a.Name), a.Description, a.Required})
		}
	}
	return o
}

// name returns a title on one line, or the name if there is no title.
func name(title, name string) string {
	return cmp.Or(safetext.Name(title), safetext.Name(name), "Without a name")
}

// Suggest asks the server to complete value for one argument. known contains the other arguments.
// It returns nothing for a server without completions.
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

// complete returns an error if a required argument is missing.
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
