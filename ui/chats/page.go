// Package chats is the page of the conversations: the sidebar with the search, the
// transcript of the shown conversation, the composer, attachments and versions.
//
// It owns the list of conversations, what the user types and deletes, and how far
// a conversation was read. [goated/internal/chat] runs and saves the turns. It must
// not know other pages: what it needs of the window is in [Hooks]. Everything in it
// belongs to the UI goroutine, except where a comment says otherwise.
package chats

import (
	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/transcript"
	"goated/ui/view"
)

// A Page is the page of the conversations: the sidebar, the transcript and
// the composer. It owns the conversations and their turns. Everything in it
// belongs to the UI goroutine.
type Page struct {
	chatList
	shell   *shell.Shell
	on      Hooks
	history *store.Store // nil: conversations end with the window

	Sidebar    *sidebar
	Transcript *transcript.Transcript
	Composer   *composer
	Cautions   *cautions

	Drafts   *drafts
	Loader   *loader
	Side     *sideList
	Search   *historySearch
	Files    *attachments
	Versions *versions
	Menu     *menu
	Trash    *trash
}

// Hooks are what the page needs of the window. All are set.
type Hooks struct {
	NewSession func() *agent.Session                                            // of the present model and settings
	Change     func()                                                           // the page has to be drawn soon; from any goroutine
	Layout     func()                                                           // a part changed its size
	Title      func(title string)                                               // of the shown conversation
	Save       func(name string, data []byte)                                   // to a file that the user names
	LookFor    func(confirm string, found func(path string), endings ...string) // a file that the user picks
	Away       func() bool                                                      // the user does not see the window
	Notify     func(title, text string)                                         // off the UI goroutine; nil: no notifications
	Unread     func(n int)                                                      // off the UI goroutine, one call at a time; nil: ignored
}

// New makes the page, without a conversation.
func New(s *shell.Shell, on Hooks, history *store.Store) *Page {
	p := &Page{shell: s, on: on, history: history}
	p.Drafts = NewDrafts(history,
		func(c *Conversation, id string) { s.Post(func() { p.name(c, id) }) },
		func(err error) { s.Post(func() { s.Alert(err) }) })
	p.Loader = &loader{page: p}
	p.Side = &sideList{page: p}
	p.Search = &historySearch{page: p}
	p.Files = &attachments{page: p}
	p.Versions = &versions{page: p}
	p.Menu = &menu{page: p}
	p.Trash = &trash{page: p}
	p.Cautions = newCautions(s, on.Layout)
	p.buildSidebar()
	p.buildTranscript()
	return p
}

func (p *Page) buildSidebar() {
	p.Sidebar = newSidebar(p.shell.Clock, "Tools run on this computer. goated asks before a tool runs.", p.history != nil)
	p.Sidebar.OnNew = p.NewChat
	p.Sidebar.List.OnSelect = p.Choose
	if p.history == nil {
		return
	}
	p.Sidebar.List.OnMenu = p.Menu.open
	p.Sidebar.OnMore = p.Menu.more
	f := p.Sidebar.Search
	f.now = p.shell.Now
	f.OnSeek, f.OnOpen = p.Search.seek, p.Search.openHit
	f.OnLeave = p.write
}

func (p *Page) buildTranscript() {
	p.Transcript = transcript.New(p.shell.Clock)
	p.Transcript.View.Grow = p.shell.Settings.Growth()
	p.Transcript.On.Copy = p.shell.Copy
	p.Transcript.On.Retry = p.retry
	p.Transcript.On.Example = func(text string) {
		p.Composer.Fill(text)
		p.write()
	}
	p.Transcript.Begin = p.shell.Go
	if p.history == nil {
		return
	}
	p.Transcript.On.Edit = p.Versions.edit
	p.Transcript.On.Regenerate = p.Versions.regenerate
	p.Transcript.On.Delete = p.Trash.remove
	p.Transcript.On.Version = p.Versions.turnVersion
	p.Transcript.On.Scrolled = p.Scrolled
	p.Transcript.On.Versions = p.Versions.versionOf
	p.Transcript.On.Deletes = p.Trash.deletes
}

// BuildComposer makes the composer, which measures text: the fonts have to be
// there.
func (p *Page) BuildComposer() {
	p.Composer = newComposer(p.shell.Clock)
	p.Composer.OnSend = p.Send
	p.Composer.OnStop = p.Stop
	p.Composer.OnResize = p.on.Layout
	p.Composer.OnTyped = p.written
	p.Composer.OnAttach = p.Files.Pick
	p.Composer.OnDetach = p.Files.detach
	p.Composer.Input.Paste.Large, p.Composer.Input.Paste.OnLarge = view.LargePaste, p.Files.paste
	p.Composer.Input.OnRefuse = func(s string) { p.shell.Toasts.Say("alert", s) }
}

// write gives the composer the keyboard.
func (p *Page) write() { kit.Focus(p.Composer.Input) }

// OverComposer reports whether at, in the window, is over the composer.
func (p *Page) OverComposer(at fyne.Position) bool {
	o := p.Composer.Root
	top := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	return at.Y >= top.Y-8 && at.X >= top.X && at.X <= top.X+o.Size().Width
}
