package servers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/ui/kit"
	"goated/ui/view"
)

// The pages of a server.
const (
	serverTools = iota
	serverResources
	serverPrompts
	serverLog
	serverProcess
	ServerPermissions
)

// A serverPage is the page of one server: its tools, resources, prompts, log,
// process and permissions.
type serverPage struct {
	*kit.Tabs
	ps     *Pages
	server client.Server
	gone   bool

	serverHead
	toolsTab
	offers
	permissionsTab
	processTab

	logTicker   *kit.Beat // polls the log while it is open
	retryTicker *kit.Beat // counts down while the server waits for its next start
	folded      bool      // whether the failure details are hidden
	drawn       int       // the shown page plus 1
}

// A serverHead is the head of a server's page.
type serverHead struct {
	dot     *kit.Panel
	name    *kit.Label
	line    *kit.Label
	restart *kit.Button
	shield  *kit.Icon
	state   *kit.Label // of the sandbox
}

// A toolsTab is the state of the list of tools.
type toolsTab struct {
	tool       string // the name of the open tool; empty: the list
	filter     string
	focusFirst fyne.Focusable // has the focus when the page opens; nil: no change
}

// offers are the resources and prompts of a server.
type offers struct {
	resources []*mcp.Resource
	prompts   []*mcp.Prompt
	problem   string // why the server did not list them
}

// A permissionsTab keeps the text of its fields across redraws.
type permissionsTab struct {
	folder     string // a folder to allow
	AddingHost string // a host to allow
}

// A processTab is the state of the process page.
type processTab struct {
	unmasked map[string]bool // by variable name: whether its secret value is shown
	form     *runConfig
}

// Visit opens the page of a server. If tool is not empty, it opens that tool.
func (ps *Pages) Visit(id, tool string) {
	i := slices.IndexFunc(ps.Snapshot.Servers, func(s client.Server) bool { return s.ID == id })
	if i < 0 || ps.Page != nil {
		return
	}
	b := &serverPage{ps: ps, server: ps.Snapshot.Servers[i], folded: true}
	b.tool, b.unmasked = tool, make(map[string]bool)
	b.dot = kit.NewPanel(kit.ColorGood, kit.ColorNone, 4)
	b.name = kit.NewLabel("", 18, kit.ColorText).Strong().Elided()
	b.line = kit.NewLabel("", 12, kit.ColorMuted).Mono().Elided()
	b.shield = kit.NewIcon("shield", 15, kit.ColorFaint)
	b.state = kit.NewLabel("", 12, kit.ColorMuted).Medium()
	b.restart = kit.NewButton(kit.Outline, "retry", "Restart", func() { ps.Restart(b.server) }).Small()
	words := kit.Vertical(2, b.name, b.line)
	shieldButton := kit.NewTappable(8, func() { b.Turn(ServerPermissions) })
	shield := container.New(kit.Margin{}, shieldButton, kit.Inset(kit.Margin{Top: 5, Right: 9, Bottom: 5, Left: 8}, kit.Horizontal(6, nil, kit.Sized(16, 18, b.shield), b.state)))
	title := kit.Horizontal(12, words, kit.Sized(8, 8, b.dot), words, shield)
	b.Tabs = kit.NewTabs(title, b.restart,
		[2]string{"tool", "Tools"}, [2]string{"file", "Resources"}, [2]string{"message", "Prompts"},
		[2]string{"list", "Log"}, [2]string{"server", "Process"}, [2]string{"shield", "Permissions"})
	b.OnTurn = b.draw
	b.OnClose = func() {
		b.pollLog(false)
		b.runCountdown(false)
		ps.Page = nil
		ps.Sheets.Shut(b.Sheet)
	}
	ps.Page = b
	b.head()
	ps.Sheets.Open(b.Sheet)
	b.Turn(serverTools)
	b.fetchOffers()
	if b.tool == "" {
		kit.Focus(b.Names[serverTools].Spot)
	}
}

// visitAt opens a page of a server.
func (ps *Pages) visitAt(id string, page int) {
	if ps.Page == nil || ps.Page.server.ID != id {
		ps.Visit(id, "")
	}
	if ps.Page != nil {
		ps.Page.Turn(page)
	}
}

// see updates the page from a snapshot. It closes the page of a removed server.
func (b *serverPage) see(s client.Snapshot) {
	i := slices.IndexFunc(s.Servers, func(o client.Server) bool { return o.ID == b.server.ID })
	if b.gone = i < 0; b.gone {
		b.OnClose()
		return
	}
	old := b.server
	b.server = s.Servers[i]
	b.head()
	shown := b.Body.Scroll.Offset
	switch {
	case old.Status != b.server.Status || len(old.Tools) != len(b.server.Tools):
		b.fetchOffers()
		if b.tool == "" || b.At != serverTools {
			b.draw(b.At)
			b.Body.Scroll.ScrollToOffset(shown)
		}
	case b.At == ServerPermissions && (old.Sandbox != b.server.Sandbox || old.NoSandbox != b.server.NoSandbox || !slices.Equal(old.Needs, b.server.Needs)):
		b.draw(b.At)
		b.Body.Scroll.ScrollToOffset(shown)
	}
}

// runCountdown starts or stops the countdown to the server's restart.
func (b *serverPage) runCountdown(on bool) {
	switch {
	case !on && b.retryTicker != nil:
		b.ps.Clock.Remove(b.retryTicker)
		b.retryTicker = nil
	case on && b.retryTicker == nil:
		b.retryTicker = b.ps.Clock.Add(5, b.head)
	}
}

// head shows the server's name, state and counts.
func (b *serverPage) head() {
	s := b.server
	b.name.Set(s.Name)
	line := view.ServerCommand(s)
	if s.Status != client.Connected {
		line = FirstOf(view.RetryNote(s, b.ps.Now()), view.ServerStatus(s)) + " · " + line
	}
	b.runCountdown(s.Status == client.Failed && !s.RetryAt.IsZero())
	icon, ink, _ := shieldStyle(view.ShieldOf(s))
	b.shield.Set(icon, ink)
	b.state.Set(view.ShieldOf(s).String())
	b.line.Set(line)
	b.dot.Paint(statusColor(s.Status), kit.ColorNone)
	b.restart.SetEnabled(s.Status != client.Connecting)
	count := func(i, n int) {
		text := ""
		if n > 0 {
			text = strconv.Itoa(n)
		}
		b.Names[i].Count.Set(text)
	}
	count(serverTools, len(s.Tools))
	count(serverResources, len(b.resources))
	count(serverPrompts, len(b.prompts))
	b.Refit()
}

func statusColor(s client.Status) fyne.ThemeColorName {
	switch s {
	case client.Connecting:
		return kit.ColorWarn
	case client.Failed:
		return kit.ColorBad
	}
	return kit.ColorGood
}

// draw draws a page. Each permission change redraws the permissions page, so a
// redraw of it keeps the focus.
func (b *serverPage) draw(page int) {
	at, hasFocus := kit.FocusPointOn(b.ps.Sheets.Window.Canvas(), b.Slots)
	if hasFocus && page == ServerPermissions && b.drawn == page+1 {
		defer func() { at.Restore(b.ps.Sheets.Window.Canvas(), b.Slots, b.Names[page].Spot) }()
	}
	b.drawn = page + 1
	b.pollLog(page == serverLog)
	switch page {
	case serverTools:
		b.focusFirst = nil
		b.Show(b.toolsPage())
		if b.focusFirst != nil {
			kit.Focus(b.focusFirst)
		}
	case serverResources:
		b.Show(b.resourcesPage())
	case serverPrompts:
		b.Show(b.promptsPage())
	case serverLog:
		b.Show(b.logPage())
	case serverProcess:
		b.Show(b.processPage())
	case ServerPermissions:
		b.Show(b.permissionsPage())
	}
}

// pollLog starts or stops polling the log, twice a second.
func (b *serverPage) pollLog(on bool) {
	if b.logTicker != nil {
		b.ps.Clock.Remove(b.logTicker)
		b.logTicker = nil
	}
	if !on {
		return
	}
	b.logTicker = b.ps.Clock.Add(5, func() {
		if b.ps.Host == nil {
			return
		}
		for _, s := range b.ps.Host.Snapshot().Servers {
			if s.ID == b.server.ID && !slices.Equal(s.Stderr, b.server.Stderr) {
				b.server.Stderr = s.Stderr
				b.Show(b.logPage())
				b.Body.Scroll.ScrollToBottom()
			}
		}
	})
}

// fetchOffers fetches the server's resources and prompts.
func (b *serverPage) fetchOffers() {
	ps, id := b.ps, b.server.ID
	if b.server.Status != client.Connected || ps.Host == nil {
		return
	}
	ps.Go(func() {
		resources, err := ps.Host.Resources(ps.Ctx, id)
		prompts, other := ps.Host.Prompts(ps.Ctx, id)
		ps.Post(func() {
			b.resources, b.prompts, b.problem = resources, prompts, ""
			if err = errors.Join(err, other); err != nil && !errors.Is(err, context.Canceled) {
				b.problem = view.Sentence(err.Error())
			}
			if ps.Page == b {
				b.head()
				if b.At == serverResources || b.At == serverPrompts {
					b.draw(b.At)
				}
			}
		})
	})
}

// Restart stops a server and starts it again under the same ID.
func (ps *Pages) Restart(s client.Server) {
	ps.lookIn(s, "")
}

// lookIn restarts a server. If dir is not empty, the host also looks for
// programs there.
func (ps *Pages) lookIn(s client.Server, dir string) {
	if ps.Host == nil {
		return
	}
	ps.Go(func() {
		if dir != "" {
			ps.Host.LookIn(dir)
		}
		err := ps.Host.Restart(ps.Ctx, s.ID)
		ps.Post(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				ps.Alert(err)
			case err == nil:
				ps.restarted(s)
				ps.Toasts.Say("check", fmt.Sprintf("%s restarted", s.Name))
			}
		})
	})
}
