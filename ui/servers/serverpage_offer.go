package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/errtext"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

// resourcesPage lists the server's resources.
func (o *offers) resourcesPage() fyne.CanvasObject {
	if o.openResource != nil {
		return o.openResource
	}
	page := kit.Vertical(6)
	for _, r := range o.resources[:min(len(o.resources), toolRows)] {
		about := r.URI
		if r.MIMEType != "" {
			about = r.MIMEType + " · " + about
		}
		page.Add(o.page.row(cmp.Or(r.Title, r.Name, r.URI), nil, kit.NewLabel(about, 12, kit.ColorMuted), "Read", func() { o.read(r) }))
	}
	if n := len(o.resources) - toolRows; n > 0 {
		page.Add(kit.NewLabel(format.Plural(n, "and %d more", "and %d more"), 12, kit.ColorFaint))
	}
	return o.withEmptyNote(page, len(o.resources), "file", "This server has no resources.")
}

// withEmptyNote adds a note to the page if the page is empty or incomplete.
func (o *offers) withEmptyNote(page *fyne.Container, n int, icon, none string) fyne.CanvasObject {
	switch {
	case o.problem != "":
		page.Add(kit.NewText(o.problem, 13, 20, kit.ColorBad))
	case o.page.server.Status != client.Connected:
		page.Add(kit.NewEmptyNote(icon, "The server is not connected."))
	case n == 0:
		page.Add(kit.NewEmptyNote(icon, none))
	}
	return page
}

// read fetches a resource and shows it. It shows it again after each change until the user leaves it
// or closes the page. The text comes first, because a subscription may wait for a server that is slow
// to end an earlier one.
func (o *offers) read(r *mcp.Resource) {
	ps, id := o.page.ps, o.page.server.ID
	ctx, leave := context.WithCancel(ps.Ctx)
	back := o.page.backButton("All resources", func() { o.closeResource(); o.page.draw(serverResources) })
	o.leave = leave
	title := kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 10, Left: 0}, kit.NewLabel(cmp.Or(r.Title, r.Name, r.URI), 16, kit.ColorText).Strong().Elided())
	o.openResource = kit.Vertical(0, back, title, kit.NewLabel("Reading…", 13, kit.ColorMuted))
	o.page.Show(o.openResource)
	show := func(got *mcp.ReadResourceResult, err error) {
		if ctx.Err() != nil || ps.Page != o.page || errors.Is(err, context.Canceled) {
			leave()
			return
		}
		page := kit.Vertical(8)
		if err != nil {
			page.Add(kit.NewText(errtext.PlainSentence(err), 13, 20, kit.ColorBad))
		} else {
			for _, c := range got.Contents {
				o.contents(page, cmp.Or(c.MIMEType, "text/plain"), view.ContentsText(c))
			}
		}
		o.openResource = kit.Vertical(0, back, title, page)
		if o.page.At == serverResources {
			o.page.Show(o.openResource)
		}
	}
	ps.Go(func() {
		defer func() { ps.Post(leave) }() // runs after the last show, which does nothing once ctx has ended
		followResource(ctx, ps.Host, id, r.URI, func(got *mcp.ReadResourceResult, err error) { ps.Post(func() { show(got, err) }) })
	})
}

// closeResource ends the view of the open resource, if there is one.
func (o *offers) closeResource() {
	if o.leave != nil {
		o.leave()
	}
	o.leave, o.openResource = nil, nil
}

// followResource shows a resource, and shows it again after each change until ctx ends. The text stays
// visible if the server has no subscriptions or refuses this one.
func followResource(ctx context.Context, h *client.Host, id, uri string, show func(*mcp.ReadResourceResult, error)) {
	got, err := h.ReadResource(ctx, id, uri)
	show(got, err)
	if err != nil {
		return
	}
	changed, err := client.Subscribe(ctx, h, id, uri)
	if changed == nil || err != nil {
		return
	}
	for {
		next, err := h.ReadResource(ctx, id, uri) // fetches what changed before the subscription
		if err != nil || !reflect.DeepEqual(next.Contents, got.Contents) {
			show(next, err)
		}
		if err != nil {
			return
		}
		got = next
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// contents adds a text to a page, cut to a length that draws quickly.
func (o *offers) contents(page *fyne.Container, name, text string) {
	shown, note := view.Clip(text, view.CardBytes, view.CardLines)
	body := kit.NewText(shown, 12, 18, kit.ColorText)
	body.Style.Monospace = true
	page.Add(kit.NewListing(name, body, func() { o.page.ps.Copy(text) }))
	if note != "" {
		page.Add(kit.NewText(fmt.Sprintf("%s. Copy copies all of it.", note), 12, 18, kit.ColorWarn))
	}
}

// promptsPage lists the server's prompts.
func (o *offers) promptsPage() fyne.CanvasObject {
	if o.opened.page != nil {
		return o.opened.page
	}
	page := kit.Vertical(6)
	for _, p := range o.prompts[:min(len(o.prompts), toolRows)] {
		page.Add(o.page.row(cmp.Or(p.Title, p.Name), nil, kit.NewLabel(cmp.Or(format.Cut(p.Description, 160), "The server gives no description."), 12, kit.ColorMuted), "Use", func() { o.prompt(p) }))
	}
	return o.withEmptyNote(page, len(o.prompts), "message", "This server has no prompts.")
}

// open opens the page of a prompt, or the list for the zero value. The previous page keeps its
// state until it is opened again.
func (o *offers) open(p openPrompt) {
	if was := o.opened; was.page != nil {
		o.left[was.prompt.Name] = was
	}
	if o.opened = p; p.page != nil {
		delete(o.left, p.prompt.Name)
	}
}

// forgetPrompt lets the answer to the last request for a prompt do nothing.
func (o *offers) forgetPrompt() {
	if o.forget != nil {
		o.forget()
	}
	o.forget = nil
}

// prompt asks for a prompt's arguments and puts the prompt into the next message.
func (o *offers) prompt(p *mcp.Prompt) {
	if was, ok := o.left[p.Name]; ok && reflect.DeepEqual(was.prompt, p) {
		o.open(was)
		o.page.draw(serverPrompts)
		return
	}
	ps := o.page.ps
	properties, required := map[string]any{}, []any{}
	for _, a := range p.Arguments {
		properties[a.Name] = map[string]any{"type": "string", "title": cmp.Or(a.Title, a.Name), "description": a.Description}
		if a.Required {
			required = append(required, a.Name)
		}
	}
	f := form.New(ps.Shell, map[string]any{"type": "object", "properties": properties, "required": required}, nil, nil)
	f.Sheet = o.page.Sheet
	outcome := kit.Vertical(8)
	status := kit.NewLabel("", 13, kit.ColorMuted).Elided()
	submit := func() {
		values, ok := f.Submit()
		if !ok {
			return
		}
		args := make(map[string]string, len(values))
		for k, v := range values {
			args[k] = fmt.Sprint(v)
		}
		status.Set("Asking the server…")
		o.forgetPrompt() // a second press inserts the prompt only once
		var ctx context.Context
		ctx, o.forget = context.WithCancel(ps.Ctx)
		ps.On.Prompt(ctx, o.page.server, p, args, func(err error) {
			o.forgetPrompt()
			status.Set("")
			outcome.Objects = nil
			if err != nil {
				outcome.Add(kit.NewText(errtext.PlainSentence(err), 13, 20, kit.ColorBad))
				o.page.Refit()
				return
			}
			f.Sent()
		})
	}
	f.OnSubmit = submit
	page := kit.Vertical(0, o.page.backButton("All prompts", func() { o.open(openPrompt{}); o.page.draw(serverPrompts) }),
		kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 0, Left: 0}, kit.NewLabel(cmp.Or(p.Title, p.Name), 16, kit.ColorText).Strong().Elided()))
	if p.Description != "" {
		page.Add(kit.Inset(kit.Margin{Top: 4, Right: 0, Bottom: 0, Left: 0}, kit.NewText(p.Description, 13, 20, kit.ColorMuted)))
	}
	if !f.Empty() {
		page.Add(kit.Inset(kit.Margin{Top: 20, Right: 0, Bottom: 0, Left: 0}, f.Root))
	}
	page.Add(kit.Inset(kit.Margin{Top: 16}, kit.Vertical(8, f.Warning, kit.Horizontal(10, status, kit.NewButton(kit.Primary, "message", "Insert into message", submit), status))))
	page.Add(kit.Inset(kit.Margin{Top: 12, Right: 0, Bottom: 0, Left: 0}, outcome))
	o.open(openPrompt{p, page, f.Leaving})
	o.page.Show(page)
}
