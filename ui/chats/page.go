// Package chats is the page of the conversations: the sidebar with the search, the transcript of
// the shown conversation, the composer, attachments and versions.
//
// It owns the list of conversations, what the user types and deletes, and how much of each
// conversation was read. [goated/internal/chat] runs and saves the turns. The package must not
// depend on other pages. [Hooks] contains what it needs from the window. Everything in it belongs
// to the UI goroutine, except where a comment says otherwise.
package chats

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
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
	History archive

	Sidebar    *sidebar
	Transcript *transcript.Transcript
	Composer   *composer
	WarningBar *warningBar

	Side     *sideList
	Search   *historySearch
	Files    *attachments
	Versions *versionPager
	Menu     *menu

	Questions *questions
	Choices   *choices
}

// An archive is the part of the page that deals with saved conversations.
type archive struct {
	Store  *store.Store // nil: conversations last only as long as the window
	Drafts *draftSaver
	Loader *loader
	Trash  *trash
}

// ModelHooks are the functions of the window that deal with the models of conversations. All are
// set.
type ModelHooks struct {
	Shown        func(c *Conversation)             // c was drawn
	Open         func(config.ModelRef) agent.Model // opens a model that the user chose for a conversation
	Other        func()                            // the user wants to choose another model
	Key          func()                            // the user wants to see the key of the model
	Instructions func()                            // the user wants to see or change the instructions of the shown conversation
	Begin        func(c *Conversation)             // a turn of c begins
}

// Hooks are the functions of the window that the page calls. All are set.
type Hooks struct {
	NewSession func() *agent.Session                                             // uses the current model and settings; without Approve, the page asks
	Grants     *consent.Grants                                                   // the calls that the user always allows; nil: "always" is not available
	Model      func() string                                                     // the name of the model that answers
	Change     func()                                                            // the page must be drawn again soon; safe to call from any goroutine
	Front      func()                                                            // the user chose a conversation: show it instead of a page
	Layout     func()                                                            // a part of the page changed its size
	Talk       ModelHooks                                                        // for the model of a conversation
	Title      func(title string)                                                // sets the title of the shown conversation
	Save       func(name string, data []byte)                                    // saves data to a file that the user chooses
	LookFor    func(confirm string, found func(path string), endings ...string)  // lets the user choose a file
	Clipboard  func(context.Context) (picture []byte, files []string, err error) // runs off the UI goroutine; nil: the page pastes only text
	Host       *client.Host                                                      // the composer offers its prompts and resources; nil: none
	Away       func() bool                                                       // reports whether the user does not see the window
	Notify     func(title, text string)                                          // runs off the UI goroutine; nil: no notifications
	Unread     func(n int)                                                       // runs off the UI goroutine, one call at a time; nil: ignored
}

// New returns the page, without a conversation.
func New(s *shell.Shell, on Hooks, history *store.Store) *Page {
	p := &Page{shell: s, on: on, History: archive{Store: history}}
	p.History.Drafts = NewDraftSaver(history,
		func(c *Conversation, id string) { s.Post(func() { p.name(c, id) }) },
		func(err error) { s.Post(func() { s.Alert(err) }) })
	p.History.Loader = &loader{page: p}
	p.History.Loader.Other.loader = p.History.Loader
	p.Side = &sideList{page: p}
	p.Search = &historySearch{page: p}
	p.Files = &attachments{page: p}
	p.Versions = &versionPager{page: p}
	p.Menu = &menu{page: p}
	p.Questions = &questions{page: p, grants: on.Grants, model: on.Model}
	p.Choices = &choices{page: p}
	p.History.Trash = &trash{page: p}
	p.WarningBar = newWarningBar(s, on.Layout)
	p.buildSidebar()
	p.buildTranscript()
	return p
}

func (p *Page) buildSidebar() {
	p.Sidebar = newSidebar(p.shell.Clock, p.History.Store != nil)
	p.Sidebar.OnNew = p.NewChat
	p.Sidebar.List.OnSelect = p.Choose
	if p.History.Store == nil {
		return
	}
	p.Sidebar.List.OnMenu = p.Menu.Open
	p.Sidebar.OnMore = p.Menu.more
	f := p.Sidebar.Search
	f.Now = func() time.Time { return p.shell.Now() }
	f.On.Search, f.On.Open = p.Search.search, p.Search.openHit
	f.On.Leave = p.write
}

func (p *Page) buildTranscript() {
	p.Transcript = transcript.New(p.shell.Clock)
	p.Transcript.View.Grow = p.shell.Settings.TextGrowth()
	p.Transcript.On.Copy = p.shell.Copy
	p.Transcript.On.Retry = p.retry
	p.Transcript.On.Context = transcript.ContextHandlers{Model: p.on.Talk.Other, Key: p.on.Talk.Key, Undo: func(int) { p.Choices.Compact(true) }}
	p.Transcript.On.Example = func(text string) { p.Composer.Suggest.Fill(text) }
	p.Transcript.On.Question = p.Questions.object
	p.Transcript.On.Queue = transcript.QueueHandlers{Edit: p.editQueued, Drop: p.dropQueued}
	p.Transcript.On.Typed = p.TypedAway
	p.Transcript.On.Link = p.shell.OpenLink
	p.Transcript.Begin = p.shell.Go
	if p.History.Store == nil {
		return
	}
	p.Transcript.On.Edit = p.Versions.edit
	p.Transcript.On.Regenerate = p.Versions.regenerate
	p.Transcript.On.Delete = p.History.Trash.remove
	p.Transcript.On.Version = p.Versions.showVersion
	p.Transcript.On.Scrolled = p.Scrolled
	p.Transcript.On.Versions = p.Versions.versionOf
	p.Transcript.On.Deletes = p.History.Trash.deletes
}

// BuildComposer creates the composer. The composer measures text, so the fonts must be loaded.
func (p *Page) BuildComposer() {
	p.Composer = newComposer(p.shell.Clock, p.shell.Tips)
	p.Composer.On.Send = p.Send
	p.Composer.On.Stop = p.Stop
	p.Composer.On.Resize = p.on.Layout
	p.Composer.On.Typed = p.saveDraft
	p.Composer.On.Attach = p.Files.Pick
	p.Composer.On.Detach, p.Composer.On.TurnToText = p.Files.detach, p.Files.turnToText
	p.Composer.On.Open = func(a view.Attachment) func() { return p.Transcript.Actions.Opens(a) }
	p.Composer.Input.Paste.Large, p.Composer.Input.Paste.OnLarge = view.LargePaste, p.Files.paste
	if p.on.Clipboard != nil {
		p.Composer.Input.Paste.Other = p.Files.pasteOther
	}
	p.Composer.Suggest = newSuggestions(p, p.on.Host)
	p.Composer.Input.OnKey = p.Composer.Suggest.key
	p.Composer.Input.OnAccept = p.Questions.Accept
	p.Composer.Input.OnRefuse = func(s string) { p.shell.Toasts.Say("alert", s) }
}

// write focuses the composer.
func (p *Page) write() { kit.Focus(p.Composer.Input) }

// TypedAway handles a character that was typed elsewhere on the page. If the open question uses
// characters, the question receives it. Otherwise the composer receives it and gets the focus.
func (p *Page) TypedAway(r rune) {
	if p.Questions.Typed(r) {
		return
	}
	p.write()
	p.Composer.Input.TypedRune(r)
}

// OverComposer reports whether a position in the window is over the composer.
func (p *Page) OverComposer(at fyne.Position) bool {
	o := p.Composer.Root
	top := kit.PositionOf(o)
	return at.Y >= top.Y-8 && at.X >= top.X && at.X <= top.X+o.Size().Width
}
