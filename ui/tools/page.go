// Package tools is the page of all servers. It shows which of them are on, their state, the
// cost of their tools, and which tools the model receives. It owns only what the page shows.
// The host has the servers, the settings determine which are on, and the grants determine which
// tools ask. The package must not depend on conversations or on other pages. It reaches the
// window through [Hooks].
package tools

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/registry"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view/format"
)

// Hooks are the functions that the page calls in the window. All are set unless their comment
// allows nil.
type Hooks struct {
	Add         func()                             // opens the field that adds a server
	Import      func()                             // opens the import from other apps
	Profiles    func(button fyne.CanvasObject)     // opens the menu of the profiles
	Open        func(id, tool string)              // opens the details of a running server, or one of its tools
	Permissions func(id string)                    // opens the permissions of a server
	Unconfine   func(client.Server)                // asks whether it may run without its sandbox
	Edit        func(client.Server, config.Launch) // opens the sheet that edits how a server starts
	Run         func(l config.Launch)              // starts a saved server
	Starting    func(l config.Launch) bool         // reports whether a saved server is about to start; nil: none is
	Lacks       func(l config.Launch) bool         // reports whether a saved server lacks a value; asks the keyring, off the UI goroutine
	Stop        func(s client.Server)              // disconnects a server and shows a toast
	// Removed disconnects a server that was removed, shows its name, and offers to undo the
	// removal. A server without an ID is not running.
	Removed func(s client.Server, name string, undo func())
	Restart func(s client.Server)           // restarts a server
	Layout  func()                          // runs when a part of the header has changed its size
	Bundled func(b config.Bundled, on bool) // starts or stops one of goated's own servers
}

// A Page is the page of all servers. It belongs to the UI goroutine.
type Page struct {
	*shell.Shell
	Host    *client.Host    // nil: there are no servers
	Policy  *consent.Policy // nil: every call asks
	Bundled []config.Bundled
	Nav     *kit.Button // the page's button in the sidebar
	On      Hooks

	seen   client.Snapshot
	memory memory
	costs  costs
	drawn  *drawn // nil while the page is closed
}

// A filter selects which servers the page lists.
type filter int

// These are the filters, in the order of their buttons.
const (
	all filter = iota
	onlyOn
	onlyNeeds
)

// drawn contains the parts of the open page.
type drawn struct {
	page    *shell.Page
	note    *kit.Label
	profile *kit.Button // names the profile in use
	search  *kit.Input
	field   fyne.CanvasObject
	filters []*kit.Button
	empty   *kit.Paragraph
	list    *list

	only filter
	all  []row // all servers
	rows []row // those that match the search and the filter
}

// Open shows the page.
func (p *Page) Open() {
	if p.drawn != nil {
		p.Main.Open(p.drawn.page)
		return
	}
	if p.Host != nil {
		p.seen = p.Host.Snapshot() // see Reread
	}
	if p.costs == nil {
		p.costs, p.memory = make(costs), make(memory)
	}
	d := &drawn{note: kit.NewLabel("", 13, kit.ColorMuted)}
	d.search = kit.NewInput(p.Clock, "Find a server or a tool", false)
	d.search.OnTyped = p.filtered
	ground := kit.NewField(d.search)
	ground.Objects[1] = kit.Inset(kit.Margin{Top: 0, Right: 6, Bottom: 0, Left: 12}, kit.Horizontal(2, d.search, kit.NewIcon("search", 15, kit.ColorFaint), d.search))
	d.field = ground
	d.list = newList(p)
	d.empty = kit.NewText("", 13, 20, kit.ColorMuted)
	tabs := kit.Horizontal(4, nil)
	for f := all; f <= onlyNeeds; f++ {
		b := kit.NewButton(kit.Ghost, "", "", func() { d.only = f; p.filtered() }).Small()
		d.filters = append(d.filters, b)
		tabs.Add(b)
	}
	bring := kit.NewButton(kit.Ghost, "save", "Import…", p.On.Import)
	bar := kit.Inset(kit.Margin{Top: 10, Right: 20, Bottom: 8, Left: 20}, container.New(barLayout{}, d.field, tabs, bring))
	var names []fyne.CanvasObject
	for _, text := range []string{"Server", "State", "Tools", "Tokens", "Last used", "On"} {
		l := kit.NewLabel(text, 12, kit.ColorMuted)
		l.Right = text != "Server" && text != "State"
		names = append(names, l)
	}
	head := container.New(headLayout{}, names...)
	top := kit.Vertical(0, bar, head, kit.NewLine())
	body := container.New(pageLayout{top}, top, d.list.root, kit.Inset(kit.Margin{Top: 40, Left: 28, Right: 28}, d.empty))
	d.profile = kit.NewButton(kit.Outline, "chevron-down", p.Settings.ProfileInUse(), func() { p.On.Profiles(d.profile) })
	d.page = &shell.Page{
		Title: "Tools", Note: d.note, Body: body, First: d.list, Nav: p.Nav,
		Actions: []fyne.CanvasObject{kit.NewLabel("Profile", 12, kit.ColorMuted), d.profile, kit.NewButton(kit.Primary, "plus", "Add server", p.On.Add)},
		OnKey:   d.list.key, OnFind: func() { kit.Focus(d.search) },
		OnRune: func(r rune) bool {
			if r == '/' {
				kit.Focus(d.search)
			}
			return r == '/'
		},
		OnClose: func() { d.list.close(); p.drawn = nil },
	}
	d.search.OnKey = func(e *fyne.KeyEvent) bool {
		switch {
		case e.Name == fyne.KeyEscape && d.search.Text != "":
			d.search.Put("")
		case e.Name == fyne.KeyDown, e.Name == fyne.KeyEscape:
			kit.Focus(d.list)
		default:
			return false
		}
		return true
	}
	d.search.OnSubmit = func() { kit.Focus(d.list) }
	p.drawn = d
	p.refresh()
	p.Main.Open(d.page)
}

// Opened returns the open page, or nil if it is closed.
func (p *Page) Opened() *shell.Page {
	if p.drawn == nil {
		return nil
	}
	return p.drawn.page
}

// Update shows a new state of the servers, and turns their tools on or off to match the
// settings.
func (p *Page) Update(s client.Snapshot) {
	p.seen = s
	p.mark()
	p.Settle()
}

// Reread updates the open page from the host. It exists because a call changes the time of a
// server's last use without a notification.
func (p *Page) Reread() {
	if p.drawn != nil && p.Host != nil {
		p.Update(p.Host.Snapshot())
	}
}

// Settle turns the tools of the running servers on or off to match the settings, and updates
// the page. Another page or program may have changed the settings.
func (p *Page) Settle() {
	for _, s := range p.seen.Servers {
		off := p.Settings.ToolsOff(consent.LaunchOfServer(s))
		var now []string
		for _, e := range s.Off {
			now = append(now, e.Tool.Name)
		}
		missing := slices.ContainsFunc(s.Tools, func(e registry.Entry) bool { return e.Tool != nil && slices.Contains(off, e.Tool.Name) })
		surplus := slices.ContainsFunc(now, func(name string) bool { return !slices.Contains(off, name) })
		if p.Host != nil && (missing || surplus) {
			client.SetToolsOff(p.Host, s.ID, off)
		}
	}
	p.refresh()
}

// refresh redraws the page if it is open.
func (p *Page) refresh() {
	if p.drawn == nil {
		return
	}
	p.recall()
	p.drawn.all = p.rows()
	if name := p.Settings.ProfileInUse(); p.drawn.profile.Text != name {
		p.drawn.profile.SetText(name)
		p.On.Layout()
	}
	p.filtered()
}

// filtered shows the servers that match the search and the filter.
func (p *Page) filtered() {
	d := p.drawn
	on, needs := 0, 0
	for _, r := range d.all {
		if r.on {
			on++
		}
		if r.state.needs {
			needs++
		}
	}
	for i, text := range []string{fmt.Sprintf("All %d", len(d.all)), fmt.Sprintf("On %d", on), fmt.Sprintf("Needs you %d", needs)} {
		d.filters[i].SetText(text)
		d.filters[i].SetSelected(filter(i) == d.only)
	}
	d.note.Set(sum(d.all))
	d.rows = matches(d.all, d.search.Text, d.only)
	d.empty.Hidden = len(d.rows) > 0
	switch {
	case len(d.all) == 0:
		d.empty.SetText("No server yet. Press Add server, and paste what its README says.")
	case d.only == onlyNeeds && d.search.Text == "":
		d.empty.SetText("No server needs you.")
	case d.only == onlyOn && d.search.Text == "":
		d.empty.SetText("All servers are off.")
	default:
		d.empty.SetText(format.Plural(len(d.all), "The server does not match.", "No server and no tool matches."))
	}
	d.list.show(d.rows, d.search.Text != "")
}
