package servers

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/errtext"
	"goated/registry"
	"goated/ui/confinement"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/trial"
	"goated/ui/view"
)

// These are the pages of a server.
const (
	serverTools = iota
	serverResources
	serverPrompts
	ServerLog
	serverProcess
	ServerPermissions
)

// A serverPage is the sheet of one server, with its tools, resources, prompts, log, process and
// permissions.
type serverPage struct {
	*kit.Tabs
	ps     *Pages
	server client.Server
	gone   bool

	title       serverHead
	tools       toolsTab
	offers      offers
	Permissions permissionsTab
	process     processTab

	logTicker   *kit.Ticker // polls the log while it is open
	retryTicker *kit.Ticker // counts down while the server waits for its next start
	folded      bool        // whether the failure details are hidden
	drawn       int         // the shown page plus 1; 0: none was drawn
}

// A serverHead is the head of a server's page.
type serverHead struct {
	dot     *kit.Panel
	name    *kit.Label
	line    *kit.Label
	restart *kit.Button
	leave   *kit.Button // signs out of a server with a URL; hidden unless goated is signed in
	sign    signIn
	shield  *kit.Icon
	state   *kit.Label // of the sandbox
}

// A toolsTab is the state of the list of tools.
type toolsTab struct {
	page *serverPage

	tool       string // the name of the open tool; empty: the list
	opened     openTool
	filter     string
	focusFirst fyne.Focusable      // gets the focus after a redraw; nil: no change
	arrived    bool                // the user has just opened this tool
	left       map[string]openTool // by name: the tools that were open before, as the user left them
}

// An openTool is the page of a tool. A redraw shows it again with the values that the user
// entered. If the definition of the tool changes, the tool gets a new page with the values that
// still fit.
type openTool struct {
	entry    registry.Entry // its current definition in the host
	page     fyne.CanvasObject
	declared *fyne.Container // what models receive of it
	changed  *fyne.Container // how it changed since the user always allowed it
	trial    *trial.Trial
}

// offers are the resources and prompts of a server.
type offers struct {
	page *serverPage

	resources []*mcp.Resource
	prompts   []*mcp.Prompt
	problem   string // why the server did not list them

	openResource fyne.CanvasObject // the open resource; nil: their list
	leave        func()            // ends the view of the open resource; nil if there was none
	opened       openPrompt
	left         map[string]openPrompt // by name: the prompts that were open before, as the user left them
	forget       func()                // ignores the answer of the server to the last request for a prompt; nil if there was none

	fetching bool // a request for them is running
	outdated bool // they changed since that request began
}

// An openPrompt is the page of a prompt.
type openPrompt struct {
	prompt  *mcp.Prompt
	page    fyne.CanvasObject // nil: the list of prompts is open
	leaving *form.Leaving     // tracks the text in its fields
}

// A permissionsTab keeps the text in its fields across redraws.
type permissionsTab struct {
	page *serverPage

	folder  string // a folder to allow
	host    string // a host to allow
	leaving *form.Leaving
}

// A processTab is the state of the process page.
type processTab struct {
	page *serverPage

	unmasked map[string]bool // by variable name: whether its secret value is shown
}

// OpenServer opens the page of a server. If tool is not empty, it opens that tool.
func (ps *Pages) OpenServer(id, tool string) {
	i := slices.IndexFunc(ps.Snapshot.Servers, func(s client.Server) bool { return s.ID == id })
	if i < 0 || ps.Page != nil {
		return
	}
	p := ps.left[id]
	delete(ps.left, id)
	if p == nil {
		p = ps.newPage(ps.Snapshot.Servers[i])
	}
	if p.server = ps.Snapshot.Servers[i]; tool != "" {
		p.tools.open(tool)
	}
	ps.Page = p
	p.head()
	ps.Sheets.Open(p.Sheet)
	p.Select(serverTools)
	p.offers.fetchOffers()
	if p.tools.tool == "" {
		kit.Focus(p.Names[serverTools].Tappable)
	}
}

// newPage returns the page of a server.
func (ps *Pages) newPage(s client.Server) *serverPage {
	p := &serverPage{ps: ps, server: s, folded: true}
	p.tools, p.offers = toolsTab{page: p, left: make(map[string]openTool)}, offers{page: p, left: make(map[string]openPrompt)}
	p.Permissions, p.process = newPermissionsTab(p), processTab{page: p, unmasked: make(map[string]bool)}
	p.title.dot = kit.NewPanel(kit.ColorGood, kit.ColorNone, 4)
	p.title.name = kit.NewLabel("", 18, kit.ColorText).Strong().Elided()
	p.title.line = kit.NewLabel("", 12, kit.ColorMuted).Mono().Elided()
	p.title.shield = kit.NewIcon("shield", 15, kit.ColorFaint)
	p.title.state = kit.NewLabel("", 12, kit.ColorMuted).Medium()
	p.title.restart = kit.NewButton(kit.Outline, "retry", "Restart", func() { ps.Restart(p.server) }).Small()
	p.title.leave = kit.NewButton(kit.Ghost, "", "Sign out", func() { signOut(ps, p.server) }).Small()
	p.title.leave.Hide()
	words := kit.Vertical(2, p.title.name, p.title.line)
	shieldButton := kit.NewTappable(8, func() { p.Select(ServerPermissions) })
	ps.Tips.Explain(shieldButton, func() string { return view.ShieldNote(p.server) })
	shield := container.New(kit.Margin{}, shieldButton, kit.Inset(kit.Margin{Top: 5, Right: 9, Bottom: 5, Left: 8}, kit.Horizontal(6, nil, kit.Sized(16, 18, p.title.shield), p.title.state)))
	title := kit.Horizontal(12, words, kit.Sized(8, 8, p.title.dot), words, shield)
	p.Tabs = kit.NewTabs(title, kit.Horizontal(6, nil, p.title.leave, p.title.restart),
		[2]string{"tool", "Tools"}, [2]string{"file", "Resources"}, [2]string{"message", "Prompts"},
		[2]string{"list", "Log"}, [2]string{"server", "Process"}, [2]string{"shield", "Permissions"})
	p.OnSelect = p.draw
	p.OnClose = func() {
		p.pollLog(false)
		p.runCountdown(false)
		p.offers.closeResource()
		p.offers.forgetPrompt()
		if ps.Page = nil; !p.gone && p.tools.running() {
			if ps.left == nil {
				ps.left = make(map[string]*serverPage)
			}
			ps.left[p.server.ID] = p
		}
		ps.Sheets.Shut(p.Sheet)
		if ps.On.Closed != nil {
			ps.On.Closed()
		}
	}
	p.Holds = func() bool {
		u, ok := p.unsaved()
		if ok {
			u.show()
		}
		return ok
	}
	p.OnAccept = func() { // Ctrl+Enter outside of a field
		if r := p.tools.opened.trial; r != nil && p.At == serverTools {
			r.Submit()
		}
	}
	p.OnEscape = p.escape
	return p
}

// OpenServerAt opens the sheet of a server at a page such as [ServerPermissions].
func (ps *Pages) OpenServerAt(id string, page int) {
	if ps.Page == nil || ps.Page.server.ID != id {
		ps.OpenServer(id, "")
	}
	if ps.Page != nil {
		ps.Page.Select(page)
	}
}

// update updates the page from a snapshot. It closes the page if the server was removed.
func (p *serverPage) update(s client.Snapshot) {
	i := slices.IndexFunc(s.Servers, func(o client.Server) bool { return o.ID == p.server.ID })
	if p.gone = i < 0; p.gone {
		p.OnClose()
		return
	}
	old := p.server
	p.server = s.Servers[i]
	p.head()
	if old.Offered != p.server.Offered {
		p.offers.fetchOffers()
	}
	shown := p.Body.Scroll.Offset
	switch {
	case old.Status != p.server.Status || !old.Since.Equal(p.server.Since) || len(old.Tools) != len(p.server.Tools): // the window may skip the states of a restart
		p.offers.fetchOffers()
		p.draw(p.At)
		p.Body.Scroll.ScrollToOffset(shown)
	case p.At == serverTools && !slices.EqualFunc(old.Tools, p.server.Tools, registry.Entry.Same): // its script may have changed
		p.draw(p.At)
		p.Body.Scroll.ScrollToOffset(shown)
	case p.At == ServerPermissions && (old.Sandbox != p.server.Sandbox || old.NoSandbox != p.server.NoSandbox || !slices.Equal(old.Needs, p.server.Needs)):
		p.draw(p.At)
		p.Body.Scroll.ScrollToOffset(shown)
	}
}

// runCountdown starts or stops the countdown to the server's next start.
func (p *serverPage) runCountdown(on bool) {
	switch {
	case !on && p.retryTicker != nil:
		p.ps.Clock.Remove(p.retryTicker)
		p.retryTicker = nil
	case on && p.retryTicker == nil:
		p.retryTicker = p.ps.Clock.Add(5, p.head)
	}
}

// head shows the server's name, state and counts.
func (p *serverPage) head() {
	s := p.server
	p.title.name.Set(s.Name)
	line := view.ServerCommand(s)
	if s.Status != client.Connected {
		line = cmp.Or(view.RetryNote(s, p.ps.Now()), view.ServerStatus(s)) + " · " + line
	}
	p.runCountdown(s.Status == client.Failed && !s.RetryAt.IsZero())
	icon, ink, _ := confinement.ShieldStyle(view.ShieldOf(s))
	p.title.shield.Set(icon, ink)
	p.title.state.Set(view.ShieldOf(s).String())
	p.title.line.Set(line)
	p.title.dot.Paint(statusColor(s.Status), kit.ColorNone)
	p.readSignIn()
	p.title.restart.SetEnabled(s.Status != client.Connecting && s.Status != client.Disconnected) // it is about to leave the list
	count := func(i, n int) {
		text := ""
		if n > 0 {
			text = strconv.Itoa(n)
		}
		p.Names[i].Count.Set(text)
	}
	count(serverTools, len(s.Tools))
	count(serverResources, len(p.offers.resources))
	count(serverPrompts, len(p.offers.prompts))
	p.Refit()
}

func statusColor(s client.Status) fyne.ThemeColorName {
	switch s {
	case client.Connecting:
		return kit.ColorWarn
	case client.Failed:
		return kit.ColorBad
	case client.Disconnected:
		return kit.ColorFaint
	}
	return kit.ColorGood
}

// draw draws a page. A redraw keeps the focus: each change of a permission redraws the permissions
// page, showing a value redraws the process page, and each change of the server's tools redraws
// their list.
func (p *serverPage) draw(page int) {
	at, hasFocus := kit.FocusPointOn(p.ps.Sheets.Window.Canvas(), p.Slots)
	if hasFocus && p.drawn == page+1 {
		defer func() {
			if page != serverTools || p.tools.focusFirst == nil {
				at.Restore(p.ps.Sheets.Window.Canvas(), p.Slots, p.Names[page].Tappable)
			}
		}()
	}
	p.drawn = page + 1
	p.pollLog(page == ServerLog)
	switch page {
	case serverTools:
		p.tools.focusFirst = nil
		page := p.tools.toolsPage()
		if r := p.tools.opened.trial; r != nil {
			p.ShowAbove(page, r.Foot)
		} else {
			p.Show(page)
		}
		if p.tools.focusFirst != nil {
			p.ps.Sheets.Focus(p.Sheet, p.tools.focusFirst)
		}
	case serverResources:
		p.Show(p.offers.resourcesPage())
	case serverPrompts:
		p.Show(p.offers.promptsPage())
	case ServerLog:
		p.Show(p.logPage())
	case serverProcess:
		p.Show(p.process.processPage())
	case ServerPermissions:
		p.ShowAbove(p.Permissions.permissionsPage(), p.Permissions.warning())
	}
}

// fetchOffers fetches the server's resources and prompts. Only one fetch runs at a time,
// because many changes must not cause many requests.
func (o *offers) fetchOffers() {
	ps, id := o.page.ps, o.page.server.ID
	if o.page.server.Status != client.Connected || ps.Host == nil {
		return
	}
	if o.fetching {
		o.outdated = true
		return
	}
	o.fetching, o.outdated = true, false
	ps.Go(func() {
		resources, err := ps.Host.Resources(ps.Ctx, id)
		prompts, other := ps.Host.Prompts(ps.Ctx, id)
		ps.Post(func() {
			o.resources, o.prompts, o.problem, o.fetching = resources, prompts, "", false
			if err = errors.Join(err, other); err != nil && !errors.Is(err, context.Canceled) {
				o.problem = errtext.PlainSentence(err)
			}
			if ps.Page == o.page {
				o.page.head()
				if o.page.At == serverResources || o.page.At == serverPrompts {
					shown := o.page.Body.Scroll.Offset
					o.page.draw(o.page.At)
					o.page.Body.Scroll.ScrollToOffset(shown)
				}
				if o.outdated {
					o.fetchOffers()
				}
			}
		})
	})
}

// Restart stops a server and starts it again under the same ID. If the server lacks values, it
// asks for them.
func (ps *Pages) Restart(s client.Server) {
	if l, _, ok := ps.launchOf(s.ID); ok && view.DiagnosisOf(s.Err).Cause == diagnose.ValueMissing {
		Run(ps, ps.Settings.Saved(l))
		return
	}
	ps.restartLookingIn(s, "")
}

// restartLookingIn restarts a server. If dir is not empty, the host also looks for programs in dir.
func (ps *Pages) restartLookingIn(s client.Server, dir string) {
	if ps.Host == nil {
		return
	}
	ps.restartBy(s.ID, func() error {
		if dir != "" {
			ps.Host.AddSearchDir(dir)
		}
		return ps.Host.Restart(ps.Ctx, s.ID)
	}, nil)
}
