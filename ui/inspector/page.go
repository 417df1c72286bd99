package inspector

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/inspect"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view/format"
)

// pause is the minimal time between two updates of the page while messages arrive.
const pause = 100 * time.Millisecond

// Hooks are the functions of the window that the page calls. All are set.
type Hooks struct {
	Recorder   *inspect.Recorder
	Name       func(server string) string                                       // returns the name of a server
	Start      func(server string) []string                                     // returns the flags of a command that connects the server
	Definition func(server, tool string) []byte                                 // returns the definition of a tool in JSON; nil: unknown
	Save       func(name string, data []byte)                                   // saves data to a file that the user chooses
	LookFor    func(confirm string, found func(path string), endings ...string) // lets the user choose a file
}

// A Page is the page of the inspector.
type Page struct {
	Page  *shell.Page // opens the page
	shell *shell.Shell
	on    Hooks

	shown   source
	bar     *bar
	tiles   *tiles
	list    *list
	detail  *detail
	head    *header
	empty   *empty
	columns *columns

	closed chan struct{} // closed when the page closes; nil while the page is closed
	runs   int           // the number of searches that have begun
}

// A source is the log that the page shows, together with the filter.
type source struct {
	log    *inspect.Log
	file   string // the name of an imported file; empty: the recorder
	filter inspect.Filter
	view   *inspect.View // nil until the first search has ended
}

// New returns the page. The page starts to record when it opens for the first time.
func New(sh *shell.Shell, on Hooks) *Page {
	p := &Page{shell: sh, on: on, shown: source{log: on.Recorder.Log()}}
	p.bar, p.tiles, p.list, p.detail, p.empty = newBar(p), newTiles(p), newList(p), newDetail(p), newEmpty(p)
	p.columns = &columns{page: p}
	body := container.New(p.columns, p.bar.root, p.tiles.root, p.list.head, p.list.Root, p.empty.root, p.detail.line, p.detail.root)
	p.head = newHeader(p)
	p.Page = &shell.Page{
		Title: "Inspector", Note: p.head.note, Actions: p.head.actions, Body: body, First: p.list.List,
		OnKey: p.key, OnFind: func() { kit.Focus(p.bar.find) }, OnClose: p.close,
	}
	return p
}

// Open shows the page. The first time, it starts the recording.
func (p *Page) Open() {
	if p.closed != nil {
		return
	}
	if !p.head.began {
		p.head.began = true
		p.on.Recorder.Record(true)
		defer p.shell.Go(p.on.Recorder.Begin)
	}
	wake, closed := make(chan struct{}, 1), make(chan struct{})
	p.closed = closed
	p.on.Recorder.Notify(func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	})
	p.head.show()
	p.search()
	p.shell.Main.Open(p.Page)
	p.shell.Go(func() { p.watch(wake, closed) })
}

// OpenCall shows the calls of a tool, and the detail of the first one that began soon after
// began.
func (p *Page) OpenCall(server, tool string, began time.Time) {
	if p.shown.file != "" {
		p.live()
	}
	p.bar.find.Put("")
	p.list.wanted = began
	p.shown.filter = inspect.Filter{Server: server, Tool: tool}
	p.bar.show(p.shown.filter)
	if p.closed != nil {
		p.search()
	}
	p.Open()
}

// close stops the updates. The recording continues until the user pauses it. A message that
// arrives at this moment may still write to the wake channel, so that channel stays open.
func (p *Page) close() {
	p.on.Recorder.Notify(nil)
	close(p.closed)
	p.closed = nil
	if p.shown.view != nil {
		p.shown.view.End()
		p.shown.view = nil
	}
}

// watch updates the page after new messages, on a separate goroutine, until the page closes.
func (p *Page) watch(wake, closed <-chan struct{}) {
	rest := time.NewTicker(pause)
	defer rest.Stop()
	for {
		select {
		case <-wake:
		case <-closed:
			return
		case <-p.shell.Ctx.Done():
			return
		}
		drawn := make(chan source, 1)
		p.shell.Post(func() { p.update(); drawn <- p.shown })
		var s source
		select {
		case s = <-drawn:
		case <-p.shell.Ctx.Done():
			return
		}
		figures := s.log.Figures(inspect.Filter{Server: s.filter.Server})
		p.shell.Post(func() { p.figures(s.log, figures) })
		select {
		case <-rest.C:
		case <-p.shell.Ctx.Done():
			return
		}
	}
}

// update shows the messages that arrived since the last update.
func (p *Page) update() {
	v := p.shown.view
	if v == nil {
		return
	}
	if added, changed := v.Update(); added > 0 || changed {
		p.list.follow(added)
		p.list.chooseWanted()
		p.detail.follow()
	}
	p.head.show()
	p.empty.show()
}

// filter changes the filter and searches again.
func (p *Page) filter(change func(*inspect.Filter)) {
	change(&p.shown.filter)
	p.bar.show(p.shown.filter)
	p.search()
}

// search shows the entries that match the filter. It searches off the UI goroutine, and only the
// latest search counts.
func (p *Page) search() {
	p.runs++
	run, log, filter := p.runs, p.shown.log, p.shown.filter
	p.work().Run(func() func() {
		v := log.View(filter)
		figures := log.Figures(inspect.Filter{Server: filter.Server})
		return func() {
			if run != p.runs || p.closed == nil {
				v.End()
				return
			}
			if p.shown.view != nil {
				p.shown.view.End()
			}
			p.shown.view = v
			v.Update() // adds what arrived during the search
			p.list.show()
			p.list.chooseWanted()
			p.figures(log, figures)
			p.head.show()
			p.empty.show()
			p.detail.follow()
			p.layout()
		}
	})
}

// figures shows the statistics of a log in the tiles. It adds the definitions of tools that the
// log has not seen.
func (p *Page) figures(log *inspect.Log, all []inspect.Figures) {
	if log != p.shown.log {
		return
	}
	for i := range all {
		f := &all[i]
		if f.Tokens > 0 || p.shown.file != "" {
			continue
		}
		if d := p.on.Definition(f.Server, f.Tool); d != nil {
			f.Tokens = log.Define(f.Server, f.Tool, d)
		}
	}
	if p.tiles.show(all) {
		p.layout()
	}
}

// work runs functions off the UI goroutine.
func (p *Page) work() kit.Runner { return kit.Runner{Begin: p.shell.Go, Post: p.shell.Post} }

// layout lays out the page again after a part appeared or disappeared.
func (p *Page) layout() {
	body := p.Page.Body.(*fyne.Container)
	p.columns.Layout(body.Objects, body.Size())
}

// key handles the keys of the page.
func (p *Page) key(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyP:
		p.head.pause()
	case fyne.KeyE:
		p.filter(func(f *inspect.Filter) { f.Errors = !f.Errors })
	case fyne.KeyEscape:
		switch {
		case p.detail.open():
			p.detail.close()
		case p.shown.filter != inspect.Filter{}:
			p.bar.find.Put("")
			p.filter(func(f *inspect.Filter) { *f = inspect.Filter{} })
		default:
			return false
		}
		kit.Focus(p.list.List)
	case fyne.KeyUp, fyne.KeyDown, fyne.KeyHome, fyne.KeyEnd, fyne.KeyPageUp, fyne.KeyPageDown:
		return p.list.key(e)
	default:
		return false
	}
	return true
}

// A header is the part of the page that is in the window's header.
type header struct {
	page    *Page
	began   bool // the page has been opened before
	note    *kit.Label
	live    *pill
	stop    *kit.Button
	back    *kit.Button
	clear   *kit.Button
	actions []fyne.CanvasObject
}

func newHeader(p *Page) *header {
	h := &header{page: p, note: kit.NewLabel("", 13, kit.ColorMuted), live: newPill()}
	h.stop = kit.NewButton(kit.Ghost, "pause", "Pause", h.pause).Small()
	h.clear = kit.NewButton(kit.Ghost, "trash", "Clear", p.clear).Small()
	h.back = kit.NewButton(kit.Outline, "back", "Back to live", p.live).Small()
	h.back.Hide()
	h.actions = []fyne.CanvasObject{h.live.root, h.back, h.stop, h.clear,
		kit.NewButton(kit.Ghost, "", "Import…", p.pick).Small(), kit.NewButton(kit.Outline, "save", "Export…", p.export).Small()}
	return h
}

// pause pauses or resumes the recording.
func (h *header) pause() {
	r := h.page.on.Recorder
	r.Record(!r.On())
	h.page.head.show()
	h.page.empty.show()
}

// show shows how much the log contains, and whether it records.
func (h *header) show() {
	s := h.page.shown
	total := s.log.Total()
	parts := []string{format.Plural(total.Frames, "%d message", "%[2]s messages", format.Grouped(total.Frames))}
	if n := len(h.page.bar.servers()); n > 0 {
		parts = append(parts, format.Plural(n, "%d server", "%d servers"))
	}
	parts = append(parts, bytesOf(total.Bytes))
	if total.Dropped > 0 {
		parts = append(parts, fmt.Sprintf("%s older ones dropped", format.Grouped(total.Dropped)))
	}
	if s.file != "" {
		parts = append([]string{s.file}, parts...)
	}
	on := h.page.on.Recorder.On()
	h.stop.SetText("Pause")
	h.stop.SetIcon("pause")
	if !on {
		h.stop.SetText("Resume")
		h.stop.SetIcon("play")
	}
	switch {
	case s.file != "":
		h.live.show("From a file", kit.ColorMuted, kit.ColorSunken)
	case on:
		h.live.show("Live", kit.ColorGood, kit.ColorSoft)
	default:
		h.live.show("Paused", kit.ColorWarn, kit.ColorWarnSoft)
	}
	h.back.Hidden, h.stop.Hidden, h.clear.Hidden = s.file == "", s.file != "", s.file != ""
	h.note.Set(strings.Join(parts, " · "))
	h.page.Page.Refit()
}
