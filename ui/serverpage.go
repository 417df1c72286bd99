package ui

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
	"goated/ui/view"
)

// The pages of a server.
const (
	serverTools = iota
	serverResources
	serverPrompts
	serverLog
	serverProcess
	serverPermissions
)

// A serverBook is the page of one server: its tools to look at and to try, what
// it has to read, what it says, and how it runs.
type serverBook struct {
	*book
	w      *Window
	server client.Server
	gone   bool

	dot     *panel
	name    *label
	line    *label
	restart *button
	shield  *glyph
	state   *label // of the sandbox

	tool       string // whose page is open; empty: the list
	filter     string
	wants      fyne.Focusable // what the page begins with; nil: where the focus is
	resources  []*mcp.Resource
	prompts    []*mcp.Prompt
	problem    string // why they are not there
	live       *beat  // looks at the log while it is open
	counts     *beat  // counts down while the server waits for its next start
	folded     bool   // the details of its failure
	adding     string // what is typed of a folder to allow
	addingHost string // and of a host
	unmasked   map[string]bool
	drawn      int         // the page that is shown, plus 1
	form       *launchForm // of the page of its process
}

// visit opens the page of a server, and there of one of its tools if it is named.
func (w *Window) visit(id, tool string) {
	i := slices.IndexFunc(w.servers.Servers, func(s client.Server) bool { return s.ID == id })
	if i < 0 || w.station != nil {
		return
	}
	b := &serverBook{w: w, server: w.servers.Servers[i], tool: tool, folded: true, unmasked: make(map[string]bool)}
	b.dot = newPanel(colorGood, colorNone, 4)
	b.name = newLabel("", 18, colorText).strong().elided()
	b.line = newLabel("", 12, colorMuted).mono().elided()
	b.shield = newGlyph("shield", 15, colorFaint)
	b.state = newLabel("", 12, colorMuted).medium()
	b.restart = newButton(outline, "retry", "Restart", func() { w.restart(b.server) }).small()
	words := vertical(2, b.name, b.line)
	guarded := newHotspot(8, func() { b.turn(serverPermissions) })
	shield := container.New(margin{}, guarded, inset(margin{5, 9, 5, 8}, horizontal(6, nil, sized(16, 18, b.shield), b.state)))
	title := horizontal(12, words, sized(8, 8, b.dot), words, shield)
	b.book = newBook(title, b.restart,
		[2]string{"tool", "Tools"}, [2]string{"file", "Resources"}, [2]string{"message", "Prompts"},
		[2]string{"list", "Log"}, [2]string{"server", "Process"}, [2]string{"shield", "Permissions"})
	b.OnTurn = b.draw
	b.OnClose = func() {
		b.follow(false)
		b.count(false)
		w.station = nil
		w.shut(b.sheet)
	}
	w.station = b
	b.head()
	w.open(b.sheet)
	b.turn(serverTools)
	b.ask()
	if b.tool == "" {
		focus(b.names[serverTools].spot)
	}
}

// visitAt opens a page of a server.
func (w *Window) visitAt(id string, page int) {
	if w.station == nil || w.station.server.ID != id {
		w.visit(id, "")
	}
	if w.station != nil {
		w.station.turn(page)
	}
}

// see takes over what has become of the server.
func (b *serverBook) see(s client.Snapshot) {
	i := slices.IndexFunc(s.Servers, func(o client.Server) bool { return o.ID == b.server.ID })
	if b.gone = i < 0; b.gone {
		b.OnClose()
		return
	}
	old := b.server
	b.server = s.Servers[i]
	b.head()
	shown := b.body.scroll.Offset
	switch {
	case old.Status != b.server.Status || len(old.Tools) != len(b.server.Tools):
		b.ask()
		if b.tool == "" || b.at != serverTools {
			b.draw(b.at)
			b.body.scroll.ScrollToOffset(shown)
		}
	case b.at == serverPermissions && (old.Sandbox != b.server.Sandbox || old.NoSandbox != b.server.NoSandbox || !slices.Equal(old.Needs, b.server.Needs)):
		b.draw(b.at)
		b.body.scroll.ScrollToOffset(shown)
	}
}

// count has the seconds counted until the server is started again.
func (b *serverBook) count(on bool) {
	switch {
	case !on && b.counts != nil:
		b.w.clock.remove(b.counts)
		b.counts = nil
	case on && b.counts == nil:
		b.counts = b.w.clock.add(5, b.head)
	}
}

// head shows the server's name, state and counts.
func (b *serverBook) head() {
	s := b.server
	b.name.set(s.Name)
	line := view.ServerCommand(s)
	if s.Status != client.Connected {
		line = firstOf(view.RetryNote(s, b.w.now()), view.ServerStatus(s)) + " · " + line
	}
	b.count(s.Status == client.Failed && !s.RetryAt.IsZero())
	icon, ink, _ := shieldLook(view.ShieldOf(s))
	b.shield.set(icon, ink)
	b.state.set(view.ShieldOf(s).String())
	b.line.set(line)
	b.dot.paint(statusColor(s.Status), colorNone)
	b.restart.enable(s.Status != client.Connecting)
	count := func(i, n int) {
		text := ""
		if n > 0 {
			text = strconv.Itoa(n)
		}
		b.names[i].count.set(text)
	}
	count(serverTools, len(s.Tools))
	count(serverResources, len(b.resources))
	count(serverPrompts, len(b.prompts))
	b.refit()
}

func statusColor(s client.Status) fyne.ThemeColorName {
	switch s {
	case client.Connecting:
		return colorWarn
	case client.Failed:
		return colorBad
	}
	return colorGood
}

// draw draws a page. One that is drawn anew keeps the focus where it is: it is
// drawn with each thing that is allowed, and each restart for that.
func (b *serverBook) draw(page int) {
	at, held := footingOn(b.w.win.Canvas(), b.slots)
	if held && page == serverPermissions && b.drawn == page+1 {
		defer func() { at.stand(b.w.win.Canvas(), b.slots, b.names[page].spot) }()
	}
	b.drawn = page + 1
	b.follow(page == serverLog)
	switch page {
	case serverTools:
		b.wants = nil
		b.show(b.toolsPage())
		if b.wants != nil {
			focus(b.wants)
		}
	case serverResources:
		b.show(b.resourcesPage())
	case serverPrompts:
		b.show(b.promptsPage())
	case serverLog:
		b.show(b.logPage())
	case serverProcess:
		b.show(b.processPage())
	case serverPermissions:
		b.show(b.permissionsPage())
	}
}

// follow looks at the log twice a second while it is open.
func (b *serverBook) follow(on bool) {
	if b.live != nil {
		b.w.clock.remove(b.live)
		b.live = nil
	}
	if !on {
		return
	}
	b.live = b.w.clock.add(5, func() {
		if b.w.options.Host == nil {
			return
		}
		for _, s := range b.w.options.Host.Snapshot().Servers {
			if s.ID == b.server.ID && !slices.Equal(s.Stderr, b.server.Stderr) {
				b.server.Stderr = s.Stderr
				b.show(b.logPage())
				b.body.scroll.ScrollToBottom()
			}
		}
	})
}

// ask has the server list its resources and its prompts.
func (b *serverBook) ask() {
	w, id := b.w, b.server.ID
	if b.server.Status != client.Connected || w.options.Host == nil {
		return
	}
	w.begin(func() {
		resources, err := w.options.Host.Resources(w.ctx, id)
		prompts, other := w.options.Host.Prompts(w.ctx, id)
		w.post(func() {
			b.resources, b.prompts, b.problem = resources, prompts, ""
			if err = errors.Join(err, other); err != nil && !errors.Is(err, context.Canceled) {
				b.problem = view.Sentence(err.Error())
			}
			if w.station == b {
				b.head()
				if b.at == serverResources || b.at == serverPrompts {
					b.draw(b.at)
				}
			}
		})
	})
}

// restart ends a server and starts it anew, in its place.
func (w *Window) restart(s client.Server) {
	w.lookIn(s, "")
}

// lookIn is restart, with programs being looked for in a folder, too.
func (w *Window) lookIn(s client.Server, dir string) {
	if w.options.Host == nil {
		return
	}
	w.begin(func() {
		if dir != "" {
			w.options.Host.LookIn(dir)
		}
		err := w.options.Host.Restart(w.ctx, s.ID)
		w.post(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				w.alert(err)
			case err == nil:
				w.mended(s)
				w.toasts.say("check", fmt.Sprintf("%s is running anew", s.Name))
			}
		})
	})
}
