package ui

import (
	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/transcript"
	"goated/ui/view"
)

// A chatPage is the page of the conversations: the sidebar, the transcript and
// the composer. It owns the conversations and their turns. Everything in it
// belongs to the UI goroutine.
type chatPage struct {
	chatList
	shell   *shell.Shell
	on      chatHooks
	history *store.Store // nil: conversations end with the window

	sidebar    *sidebar
	transcript *transcript.Transcript
	composer   *composer
	cautions   *cautions

	drafts   *keeper
	loader   *loader
	side     *sideList
	search   *historySearch
	files    *attachments
	versions *versionNav
	menu     *chatMenu
	trash    *trash
}

// chatHooks are what the page needs of the window. All are set.
type chatHooks struct {
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

// newChatPage makes the page, without a conversation.
func newChatPage(s *shell.Shell, on chatHooks, history *store.Store) *chatPage {
	p := &chatPage{shell: s, on: on, history: history}
	p.drafts = newKeeper(history,
		func(c *conversation, id string) { s.Post(func() { p.name(c, id) }) },
		func(err error) { s.Post(func() { s.Alert(err) }) })
	p.loader = &loader{page: p}
	p.side = &sideList{page: p}
	p.search = &historySearch{page: p}
	p.files = &attachments{page: p}
	p.versions = &versionNav{page: p}
	p.menu = &chatMenu{page: p}
	p.trash = &trash{page: p}
	p.cautions = newCautions(s, on.Layout)
	p.buildSidebar()
	p.buildTranscript()
	return p
}

func (p *chatPage) buildSidebar() {
	p.sidebar = newSidebar(p.shell.Clock, "Tools run on this computer. goated asks before a tool runs.", p.history != nil)
	p.sidebar.OnNew = p.newChat
	p.sidebar.roster.OnSelect = p.choose
	if p.history == nil {
		return
	}
	p.sidebar.roster.OnMenu = p.menu.open
	p.sidebar.OnMore = p.menu.more
	f := p.sidebar.finder
	f.now = p.shell.Now
	f.OnSeek, f.OnOpen = p.search.seek, p.search.openHit
	f.OnLeave = p.write
}

func (p *chatPage) buildTranscript() {
	p.transcript = transcript.New(p.shell.Clock)
	p.transcript.Grow = p.shell.Settings.Growth()
	p.transcript.OnCopy = p.shell.Copy
	p.transcript.OnRetry = p.retry
	p.transcript.OnExample = func(text string) {
		p.composer.fill(text)
		p.write()
	}
	p.transcript.Begin = p.shell.Go
	if p.history == nil {
		return
	}
	p.transcript.OnEdit = p.versions.edit
	p.transcript.OnRegenerate = p.versions.regenerate
	p.transcript.OnDelete = p.trash.remove
	p.transcript.OnVersion = p.versions.turnVersion
	p.transcript.OnScrolled = p.scrolled
	p.transcript.Versions = p.versions.versionOf
	p.transcript.Deletes = p.trash.deletes
}

// buildComposer makes the composer, which measures text: the fonts have to be
// there.
func (p *chatPage) buildComposer() {
	p.composer = newComposer(p.shell.Clock)
	p.composer.OnSend = p.send
	p.composer.OnStop = p.stop
	p.composer.OnResize = p.on.Layout
	p.composer.OnTyped = p.written
	p.composer.OnAttach = p.files.pick
	p.composer.OnDetach = p.files.detach
	p.composer.input.Large, p.composer.input.OnLarge = view.LargePaste, p.files.paste
	p.composer.input.OnRefuse = func(s string) { p.shell.Toasts.Say("alert", s) }
}

// write gives the composer the keyboard.
func (p *chatPage) write() { kit.Focus(p.composer.input) }

// overComposer reports whether at, in the window, is over the composer.
func (p *chatPage) overComposer(at fyne.Position) bool {
	o := p.composer.root
	top := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	return at.Y >= top.Y-8 && at.X >= top.X && at.X <= top.X+o.Size().Width
}
