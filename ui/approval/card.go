// Package approval draws the questions of a conversation inside its transcript: whether the calls
// of a step may run, and what a server wants to know. It owns the state of one open question. It
// must not depend on conversations, pages or the queue of questions: its owner passes it
// functions and places its card.
package approval

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/internal/consent"
	"goated/internal/safetext"
	"goated/registry"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// Options configure a card. All functions run on the UI goroutine.
type Options struct {
	Calls  []agent.Pending
	Asker  string                 // the model that requests the calls; empty: the user's message led to them directly
	Grants *consent.Grants        // nil: "always" is not available
	Server func(id string) string // returns the name of a server; nil: the id is used as the name
	// Room returns the height that is available for the card. Beyond it, the rows scroll.
	Room    func() float32
	Changed func()                   // Hint may have changed
	Resized func()                   // the height of the card may have changed
	Show    func(title, text string) // shows a long text in a separate view
	Answer  func(all []agent.Answer) // receives the answer, once
	Count   *shell.Counter           // opens the list of waiting questions
	Done    func()                   // the user finished editing; may be nil
}

// A Card asks whether the calls of one step may run. Its methods belong to the UI
// goroutine.
type Card struct {
	guard
	o       Options
	rows    []*callRow
	changed *consent.Difference // set for a question about one call whose tool has changed; otherwise nil
	scope   agent.Decision
	lasting *kit.Paragraph // explains what a lasting scope allows; hidden if there is nothing to explain

	root   *fyne.Container
	body   *kit.Bounded
	title  *kit.Label
	note   *kit.Label
	allow  *kit.Button
	deny   *kit.Button
	unread *kit.Label // explains why Allow is disabled
}

// New returns the card for a question. Call [Card.Appear] when the card becomes visible.
func New(sh *shell.Shell, o Options) *Card {
	c := &Card{guard: guard{sh: sh, since: sh.Now()}, o: o, scope: agent.AllowOnce}
	rows := kit.Vertical(0)
	for i, p := range o.Calls {
		var d *consent.Difference
		if o.Grants != nil && p.Entry.Tool != nil {
			d = o.Grants.DifferenceFor(p.Entry)
		}
		r := newCallRow(c, p, d)
		c.rows = append(c.rows, r)
		if i > 0 {
			rows.Add(kit.NewLine())
		}
		rows.Add(r.root)
	}
	if len(c.rows) == 1 {
		c.changed = c.rows[0].difference
	}
	c.body = kit.NewCardBody(rows, o.Room, leastHeight, c.draw)
	panel := kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 12)
	panel.Shadow = true
	c.root = container.New(kit.Margin{}, panel, kit.Vertical(0, c.head(), kit.NewLine(), c.body.Root, kit.NewLine(), c.foot()))
	c.draw()
	return c
}

// Object returns the widget of the card.
func (c *Card) Object() fyne.CanvasObject { return c.root }

// Preview returns a short text for the list of conversations.
func (c *Card) Preview() string {
	if c.changed != nil {
		return c.rows[0].name + " has changed"
	}
	if len(c.rows) == 1 {
		return "Wants to run " + c.rows[0].name
	}
	return fmt.Sprintf("Wants to run %d tools", len(c.rows))
}

// Listed returns the entry for the list of waiting questions.
func (c *Card) Listed() shell.Entry {
	return shell.Entry{Icon: "shield", Who: "Call of " + safetext.Name(c.rows[0].server), What: safetext.Cut(safetext.OneLine(c.Preview()), shell.MaxWhat)}
}

// Hint describes the keys.
func (c *Card) Hint() string {
	esc := " · Esc denies"
	r := c.edited()
	switch {
	case r != nil && r.wrong():
		esc = "" // the fields stay open
	case r != nil:
		esc = " · Esc keeps the change"
	}
	switch {
	case !c.body.Seen && r == nil:
		return "PgDn or Ctrl+Enter to read on" + esc
	case c.wrong():
		return "Correct the arguments to allow" + esc
	case c.ticked() == 0:
		return "Tick a call to allow" + esc
	case !c.body.Seen:
		return "Ctrl+Enter to read on" + esc
	case !c.ready():
		return "Look at every argument to allow" + esc
	case c.changed != nil && c.changed.Wording:
		return "Ctrl+Enter keeps allowing" + esc
	case c.changed != nil:
		return "Ctrl+Enter allows once" + esc
	}
	return "Ctrl+Enter allows" + esc
}

// edited returns the call whose arguments the user edits, or nil if there is none.
func (c *Card) edited() *callRow {
	if i := slices.IndexFunc(c.rows, func(r *callRow) bool { return r.editing }); i >= 0 {
		return c.rows[i]
	}
	return nil
}

// Accept handles Ctrl+Enter. It does nothing right after the card appeared. As long as the user
// cannot have seen everything, it scrolls instead and waits again, so that a key that is held
// down does not allow calls that have only just become visible.
func (c *Card) Accept() {
	if c.open() && !c.body.Seen {
		page(c.body, 1)
		c.since = c.sh.Now()
		return
	}
	if c.changed != nil && c.changed.Wording {
		c.answer(agent.AllowAlways)
		return
	}
	c.answer(c.scope)
}

// Decline handles Esc. It ends the editing of a row, and otherwise denies all calls. It does
// nothing right after the card appeared.
func (c *Card) Decline() {
	if r := c.edited(); r != nil {
		r.edit(false)
		return
	}
	c.answer(agent.Deny)
}

// Page scrolls the calls by a number of pages. It reports whether they scrolled.
func (c *Card) Page(pages float32) bool { return page(c.body, pages) }

// answer applies the decision to the ticked rows and denies the others.
func (c *Card) answer(d agent.Decision) {
	if !c.open() || d != agent.Deny && !c.ready() {
		return
	}
	answers := make([]agent.Answer, len(c.rows))
	for i, r := range c.rows {
		if r.ticked && d != agent.Deny {
			answers[i] = agent.Answer{Decision: d, Args: r.args}
			if d == agent.AllowReads && len(r.call.Reads) == 0 {
				answers[i].Decision = agent.AllowOnce
			}
		}
	}
	c.done = true
	c.o.Answer(answers)
}

// head returns the line that stays visible, with the asking model and the servers.
func (c *Card) head() fyne.CanvasObject {
	icon, ground, ink := "shield", kit.ColorWarnSoft, kit.ColorWarn
	var servers []string
	for _, r := range c.rows {
		if !slices.Contains(servers, r.server) {
			servers = append(servers, r.server)
		}
	}
	from := safetext.Cut(strings.Join(servers, ", "), 2*safetext.MaxName)
	title := "Allow this call?"
	note := "in this conversation"
	if c.o.Asker != "" {
		note = "asked by " + safetext.Name(c.o.Asker) + ", in this conversation"
	}
	right := ""
	if len(c.rows) > 1 {
		title = fmt.Sprintf("Allow %d calls?", len(c.rows))
		right = summary(c.rows)
	}
	if d := c.changed; d != nil {
		icon, title = "alert", c.rows[0].name+" changed since you allowed it"
		note = ""
		if d.Was.Version != d.Now.Version {
			right = safetext.Cut(d.Was.Version, 20) + " → " + safetext.Cut(d.Now.Version, 20)
		}
	}
	badge := container.New(kit.Fixed{Min: fyne.NewSize(30, 30)}, kit.NewPanel(ground, kit.ColorNone, 8), kit.NewIcon(icon, 16, ink))
	c.title = kit.NewLabel(title, 14, kit.ColorText).Strong()
	c.note = kit.NewLabel(strings.TrimPrefix(from+" · "+note, " · "), 12, kit.ColorMuted).Elided()
	if note == "" {
		c.note.Set(from)
	}
	line := c.o.Count.In(kit.Horizontal(10, c.note, badge, c.title, c.note, kit.NewLabel(right, 12, kit.ColorMuted), c.o.Count.Button))
	return container.New(kit.Fixed{Min: fyne.NewSize(1, 52)}, kit.Inset(kit.Margin{Right: 14, Left: 10}, line))
}

// summary describes what the calls have in common.
func summary(rows []*callRow) string {
	reads := 0
	for _, r := range rows {
		if r.effect == view.OnlyReads {
			reads++
		}
	}
	switch {
	case reads == len(rows):
		return upper(every(reads)) + " only read"
	case reads == 0:
		return upper(every(len(rows))) + " make changes"
	}
	return fmt.Sprintf("%d of %d make changes", len(rows)-reads, len(rows))
}

// every returns a phrase for all n calls or tools.
func every(n int) string {
	if n == 2 {
		return "both"
	}
	return fmt.Sprintf("all %d", n)
}

// upper capitalizes the first letter of text.
func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// foot returns the footer with the scope and the buttons.
func (c *Card) foot() fyne.CanvasObject {
	c.unread = kit.NewLabel("", 12, kit.ColorWarn).Elided()
	c.unread.Right, c.unread.Whole = true, true // the composer shows it too
	c.deny = kit.NewButton(kit.Outline, "", "Deny", func() { c.answer(agent.Deny) }).Keyed("Esc")
	margin := kit.Margin{Top: 12, Right: 12, Bottom: 12, Left: 15}
	if d := c.changed; d != nil {
		remove := kit.NewButton(kit.Ghost, "trash", "Revoke “Always”", c.remove).Warning()
		again := kit.NewButton(kit.Ghost, "", "Allow always again", func() { c.answer(agent.AllowAlways) })
		c.allow = kit.NewButton(kit.Outline, "", "Allow once", func() { c.answer(agent.AllowOnce) }).Keyed("Ctrl+Enter")
		c.lasting = kit.NewText("", 12, 18, kit.ColorMuted)
		c.explain(agent.AllowAlways)
		if d.Wording {
			again = kit.NewButton(kit.Ghost, "", "Allow once", func() { c.answer(agent.AllowOnce) })
			c.allow = kit.NewButton(kit.Primary, "", "Keep allowing", func() { c.answer(agent.AllowAlways) }).Keyed("Ctrl+Enter")
		}
		return kit.Inset(margin, kit.Vertical(8, c.lasting, container.New(kit.SideBySide{Gap: 8, Least: 170, Right: true}, kit.Horizontal(8, c.unread, remove, c.unread), kit.Horizontal(8, nil, again, c.deny, c.allow))))
	}
	c.allow = kit.NewButton(kit.Primary, "", "Allow", func() { c.answer(c.scope) }).Keyed("Ctrl+Enter")
	scopes := []agent.Decision{agent.AllowOnce, agent.AllowChat, agent.AllowAlways}
	remember := kit.NewSegments("Once", "This conversation", "Always")
	switch {
	case slices.ContainsFunc(c.rows, func(r *callRow) bool { return r.call.Entry.EachCall() }):
		return kit.Inset(margin, container.New(kit.SideBySide{Gap: 8, Least: 350, Right: true}, kit.Horizontal(12, c.unread, kit.NewLabel("goated asks about each call of this tool.", 12, kit.ColorMuted), c.unread), kit.Horizontal(8, nil, c.deny, c.allow)))
	case c.o.Grants == nil:
		remember = kit.NewSegments("Once", "This conversation")
	}
	all := c.readers()
	if len(all) > 0 {
		scopes = append(scopes, agent.AllowReads)
		remember = kit.NewSegments("Once", "This conversation", "Always", upper(every(len(all)))+" read-only tools")
	}
	c.lasting = kit.NewText("", 12, 18, kit.ColorMuted)
	c.lasting.Hide()
	remember.Set(0)
	remember.OnChoose = func(i int) {
		c.scope = scopes[i]
		c.explain(c.scope)
		c.resized()
	}
	left := container.New(scopeRow{}, kit.NewLabel("Remember", 12, kit.ColorMuted), remember.Root, c.unread)
	least := float32(350)
	if len(all) > 0 {
		least = 500 // with a fourth scope
	}
	line := container.New(kit.SideBySide{Gap: 8, Least: least, Right: true}, left, kit.Horizontal(8, nil, c.deny, c.allow))
	return kit.Inset(margin, kit.Vertical(8, c.lasting, line))
}

// explain describes what a lasting scope allows, and whether the code of the tools can change
// without another question.
func (c *Card) explain(scope agent.Decision) {
	text, tools := "", c.readers()
	switch scope {
	case agent.AllowReads:
		text = "goated always allows these tools: " + view.ToolTitles(tools) + ". The server declares them read-only. If one changes, goated asks again.\n"
	case agent.AllowAlways:
		tools = nil
		for _, r := range c.rows {
			tools = append(tools, r.call.Entry)
		}
	default:
		tools = nil
	}
	text = strings.TrimSpace(text + view.CodeUnseen(tools...))
	c.lasting.SetText(text)
	c.lasting.Hidden = text == ""
}

// readers returns the read-only tools that the user can allow together, at least two. It returns
// tools only if all calls go to the same server.
func (c *Card) readers() []registry.Entry {
	if c.o.Grants == nil || slices.ContainsFunc(c.rows, func(r *callRow) bool {
		return len(r.call.Reads) < 2 || r.call.Entry.Server != c.rows[0].call.Entry.Server
	}) {
		return nil
	}
	return c.rows[0].call.Reads
}

// remove revokes the permission that a change of the tool suspended, and denies the call.
func (c *Card) remove() {
	if !c.open() {
		return
	}
	if _, err := c.o.Grants.Revoke(c.changed.Was.ID()); err != nil {
		c.sh.Alert(err)
	}
	c.answer(agent.Deny)
}

// draw updates the parts that depend on the ticks and on what the user has seen.
func (c *Card) draw() {
	if c.allow == nil {
		return
	}
	n := c.ticked()
	c.allow.SetEnabled(c.ready())
	c.deny.SetBadge("Esc")
	if c.edited() != nil {
		c.deny.SetBadge("") // Esc ends the editing first
	}
	switch {
	case n == 0:
		c.unread.Set("Nothing is ticked")
	case !c.body.Seen:
		c.unread.Set("PgDn to read on")
	case c.wrong():
		c.unread.Set("Correct the arguments first")
	case !c.ready():
		c.unread.Set("Look at every argument first")
	default:
		c.unread.Set("")
	}
	if c.changed == nil {
		switch {
		case len(c.rows) == 1:
			c.allow.SetText("Allow")
		case n == len(c.rows):
			c.allow.SetText("Allow " + every(n))
		default:
			c.allow.SetText(fmt.Sprintf("Allow %d", n))
		}
	}
	if c.o.Changed != nil {
		c.o.Changed()
	}
	if c.root != nil && c.root.Size().Width > 0 {
		c.root.Layout.Layout(c.root.Objects, c.root.Size())
	}
}

// resized updates the card after the height of a row changed.
func (c *Card) resized() {
	c.draw()
	if c.o.Resized != nil {
		c.o.Resized()
	}
}
