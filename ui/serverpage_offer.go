package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/ui/view"
)

// resourcesPage lists what the server has to read.
func (b *serverBook) resourcesPage() fyne.CanvasObject {
	page := vertical(6)
	for _, r := range b.resources[:min(len(b.resources), toolRows)] {
		about := r.URI
		if r.MIMEType != "" {
			about = r.MIMEType + " · " + about
		}
		page.Add(b.listed(firstOf(r.Title, r.Name, r.URI), nil, about, "Read", func() { b.read(r) }))
	}
	if n := len(b.resources) - toolRows; n > 0 {
		page.Add(newLabel(fmt.Sprintf("and %d more", n), 12, colorFaint))
	}
	return b.orNone(page, len(b.resources), "file", "This server has no resources.")
}

// orNone is the page, or what there is instead of one.
func (b *serverBook) orNone(page *fyne.Container, n int, icon, none string) fyne.CanvasObject {
	switch {
	case b.problem != "":
		page.Add(newText(b.problem, 13, 20, colorBad))
	case b.server.Status != client.Connected:
		page.Add(emptyNote(icon, "The server is not connected."))
	case n == 0:
		page.Add(emptyNote(icon, none))
	}
	return page
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// read fetches a resource and shows it.
func (b *serverBook) read(r *mcp.Resource) {
	w, id := b.w, b.server.ID
	back := b.back("All resources", func() { b.draw(serverResources) })
	title := inset(margin{8, 0, 10, 0}, newLabel(firstOf(r.Title, r.Name, r.URI), 16, colorText).strong().elided())
	b.show(vertical(0, back, title, newLabel("Reading…", 13, colorMuted)))
	w.begin(func() {
		got, err := w.options.Host.ReadResource(w.ctx, id, r.URI)
		w.post(func() {
			if w.station != b || b.at != serverResources || errors.Is(err, context.Canceled) {
				return
			}
			page := vertical(8)
			if err != nil {
				page.Add(newText(view.Sentence(err.Error()), 13, 20, colorBad))
			} else {
				for _, c := range got.Contents {
					b.contents(page, firstOf(c.MIMEType, "text/plain"), contentsText(c))
				}
			}
			b.show(vertical(0, back, title, page))
		})
	})
}

func contentsText(c *mcp.ResourceContents) string {
	if len(c.Blob) > 0 {
		return fmt.Sprintf("(%d bytes that are no text)", len(c.Blob))
	}
	return c.Text
}

// contents adds a text to a page, cut where it would be too long to draw.
func (b *serverBook) contents(page *fyne.Container, name, text string) {
	shown, note := view.Clip(text, cardBytes, cardLines)
	body := newText(shown, 12, 18, colorText)
	body.style.Monospace = true
	page.Add(newListing(name, body, func() { b.w.copy(text) }))
	if note != "" {
		page.Add(newText(note+". Copy takes all of it.", 12, 18, colorWarn))
	}
}

// promptsPage lists the messages that the server has prepared.
func (b *serverBook) promptsPage() fyne.CanvasObject {
	page := vertical(6)
	for _, p := range b.prompts[:min(len(b.prompts), toolRows)] {
		page.Add(b.listed(firstOf(p.Title, p.Name), nil, firstOf(view.Cut(p.Description, 160), "The server says nothing about it."), "Use", func() { b.prompt(p) }))
	}
	return b.orNone(page, len(b.prompts), "message", "This server has no prompts.")
}

// prompt asks for a prompt's arguments, and puts what the server makes of them
// into the composer.
func (b *serverBook) prompt(p *mcp.Prompt) {
	w, id := b.w, b.server.ID
	properties, required := map[string]any{}, []any{}
	for _, a := range p.Arguments {
		properties[a.Name] = map[string]any{"type": "string", "title": firstOf(a.Title, a.Name), "description": a.Description}
		if a.Required {
			required = append(required, a.Name)
		}
	}
	form := w.newForm(map[string]any{"type": "object", "properties": properties, "required": required}, nil, nil)
	form.sheet = b.sheet
	outcome := vertical(8)
	said := newLabel("", 13, colorMuted).elided()
	submit := func() {
		values, ok := form.submit()
		if !ok {
			return
		}
		args := make(map[string]string, len(values))
		for k, v := range values {
			args[k] = fmt.Sprint(v)
		}
		said.set("Asking the server…")
		w.begin(func() {
			got, err := w.options.Host.GetPrompt(w.ctx, id, p.Name, args)
			w.post(func() {
				if w.station != b {
					return
				}
				said.set("")
				outcome.Objects = nil
				if err != nil {
					outcome.Add(newText(view.Sentence(err.Error()), 13, 20, colorBad))
					b.refit()
					return
				}
				text := promptText(got)
				b.OnClose()
				w.clear()
				w.composer.fill(text)
				focus(w.composer.input)
			})
		})
	}
	form.OnSubmit = submit
	page := vertical(0, b.back("All prompts", func() { b.draw(serverPrompts) }),
		inset(margin{8, 0, 0, 0}, newLabel(firstOf(p.Title, p.Name), 16, colorText).strong().elided()))
	if p.Description != "" {
		page.Add(inset(margin{4, 0, 0, 0}, newText(p.Description, 13, 20, colorMuted)))
	}
	if len(form.fields) > 0 {
		page.Add(inset(margin{20, 0, 0, 0}, form.root))
	}
	page.Add(inset(margin{16, 0, 0, 0}, horizontal(10, said, newButton(primary, "message", "Put into the message", submit), said)))
	page.Add(inset(margin{12, 0, 0, 0}, outcome))
	b.show(page)
}

// promptText is what a prompt says, for the composer.
func promptText(r *mcp.GetPromptResult) string {
	var said []string
	for _, m := range r.Messages {
		switch c := m.Content.(type) {
		case *mcp.TextContent:
			said = append(said, c.Text)
		case *mcp.EmbeddedResource:
			if c.Resource != nil && c.Resource.Text != "" {
				said = append(said, c.Resource.Text)
			}
		}
	}
	return strings.Join(said, "\n\n")
}

// logPage is what the server last wrote to its stderr.
func (b *serverBook) logPage() fyne.CanvasObject {
	lines := b.server.Stderr
	page := vertical(12)
	if b.server.Err != nil {
		words := newText(view.Sentence(b.server.Err.Error()), 13, 20, colorBad)
		page.Add(container.New(row{gap: 8, flex: words, top: true}, sized(16, 20, newGlyph("alert", 15, colorBad)), words))
		if advice := client.Advice(b.server.Err); advice != "" {
			page.Add(newText(advice, 13, 20, colorMuted))
		}
	}
	if len(lines) == 0 {
		page.Add(emptyNote("list", "The server has written nothing yet. What it writes to stderr appears here at once."))
		return page
	}
	text := strings.Join(lines, "\n")
	body := newText(text, 12, 18, colorText)
	body.style.Monospace = true
	page.Add(newListing("stderr, the last lines", body, func() { b.w.copy(text) }))
	return page
}

// mask stands for a value that is not shown.
const mask = "••••••••"

// processPage is how the server runs: its command, and its environment.
func (b *serverBook) processPage() fyne.CanvasObject {
	w, s := b.w, b.server
	how := []fyne.CanvasObject{facts("Command", view.ServerCommand(s), "Prefix", s.ID+"__")}
	if !s.Bundled {
		l := view.Launch{Path: s.Path, Args: s.Args}
		o := newOption(boxMark, "Start with goated", w.settings.AtLaunch(l), nil)
		o.OnChange = func() { w.change(w.settings.Start(l, o.on)) }
		how = append(how, o.root)
	}
	list := vertical(0)
	if w.options.Host != nil {
		for _, v := range w.options.Host.Environment(s.ID) {
			list.Add(b.variable(v))
		}
	}
	if len(list.Objects) == 0 {
		list.Add(emptyNote("server", "Nothing of it is known while the server is not running."))
	}
	return vertical(26, chapter("How it runs", "", how...),
		chapter("Environment", "All that the server is given: a few of your variables, and what was set for it. Keys of yours are not among them.", list))
}

// variable is one line of the environment. What was set for the server may be a
// secret, so it is shown on request.
func (b *serverBook) variable(v client.Variable) fyne.CanvasObject {
	name := newLabel(v.Name, 12, colorText).mono().elided()
	value := newLabel(firstOf(v.Value, "(empty)"), 12, colorMuted).mono().elided()
	parts := []fyne.CanvasObject{sized(190, 30, name), value}
	if v.Set {
		if !b.unmasked[v.Name] {
			value.set(mask)
		}
		word := newLabel("set for it", 11, colorFaint)
		parts = append(parts, word, newButton(ghost, "eye", "", func() {
			b.unmasked[v.Name] = !b.unmasked[v.Name]
			b.draw(serverProcess)
		}).small())
	}
	return vertical(0, container.New(row{gap: 10, flex: value}, parts...), newLine())
}
