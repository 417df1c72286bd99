package ui

import (
	"context"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/ui/kit"
	"goated/ui/pause"
	"goated/ui/shell"
	"goated/ui/tools"
)

// pages show either the conversation or a page in its place.
type pages struct {
	win   *Window
	tools *tools.Page // all servers
	work  *workPages
	past  *pause.Page // the questions of programs; nil: there is no history of them

	leaving []leavingServer // servers that a profile has turned off while turns still use them
}

// newQuestionsPage makes the page of the questions of programs. Its button appears in the sidebar once
// there is a question to see.
func (ps *pages) newQuestionsPage() *pause.Page {
	w := ps.win
	if w.options.Pages.Asked == nil {
		return nil
	}
	d := w.options.Dialogs
	p := pause.NewPage(w.shell, pause.PageHooks{
		History: w.options.Pages.Asked, Deferred: d.Deferred, Answer: d.Release,
		Choose: func(button *kit.Button) { w.shell.Waiting.Open(button, w.questions.Deferred) },
		Quiet:  func() bool { return w.prefs.current.Dialogs.Quiet },
		SetQuiet: func(on bool) {
			s := w.prefs.current
			s.Dialogs.Quiet = on
			w.prefs.change(s)
		},
	})
	p.Nav = w.chats.Sidebar.Add("message", "Questions", w.pages.openPast)
	w.chats.Sidebar.Reveal(p.Nav, w.options.Pages.Asked.Len() > 0)
	return p
}

// openPast opens or closes the page of the questions.
func (ps *pages) openPast() {
	main := ps.win.shell.Main
	main.Toggle(ps.past.Page, func() {
		ps.past.Draw()
		main.Open(ps.past.Page)
	})
}

// updateQuestions updates the waiting questions and the answered ones.
func (ps *pages) updateQuestions() {
	ps.win.questions.Sync()
	ps.win.shell.Waiting.Draw()
	if ps.past == nil {
		return
	}
	ps.win.chats.Sidebar.Reveal(ps.past.Nav, ps.win.options.Dialogs.Deferred()+ps.win.options.Pages.Asked.Len() > 0)
	badge := ""
	if n := ps.win.options.Dialogs.Deferred(); n > 0 {
		badge = strconv.Itoa(n)
	}
	ps.past.Nav.SetBadge(badge)
	ps.win.frame.layout()
	if ps.win.shell.Main.Page() == ps.past.Page {
		ps.past.Draw()
	}
}

// showPage shows the page p in place of the conversation, or the conversation if p is nil.
func (ps *pages) showPage(p *shell.Page) {
	w := ps.win
	s := w.frame.split
	if s.main = w.frame.talk; p != nil {
		s.main = ps.area(p)
	}
	w.frame.win.Canvas().Unfocus() // otherwise the cursor of a hidden field keeps blinking
	s.drawer = false
	if p == nil {
		w.chats.Look()
	} else {
		w.chats.Side.List() // no conversation is selected while a page covers it
	}
	w.shell.Tips.Hide() // its button is no longer visible
	w.frame.split.waits = w.chats.Questions.Away()
	ps.arrange()
	ps.refocus()
}

// area draws a page with its header.
func (ps *pages) area(p *shell.Page) fyne.CanvasObject {
	header := p.Header(ps.win.frame.split.unfold, ps.win.frame.split.asks)
	foot := container.New(kit.Margin{})
	foot.Hide()
	p.Area = container.New(&mainArea{header: header, body: p.Body, foot: foot}, newBackground(ps.win.options.Desktop), header, kit.NewLine(), p.Body, foot)
	return p.Area
}

// refocus gives the focus to the page, or to the composer without a page. It does nothing while a
// sheet or a file dialog is open.
func (ps *pages) refocus() {
	w := ps.win
	if w.shell.Sheets.Top() != nil || w.shell.Sheets.Picking() {
		return
	}
	switch p := w.shell.Main.Page(); {
	case p == nil:
		kit.Focus(w.chats.Composer.Input)
	case p.First != nil:
		kit.Focus(p.First)
	}
}

// insertPrompt puts a prompt of a server into the next message, and shows the message.
func (w *Window) insertPrompt(ctx context.Context, from client.Server, p *mcp.Prompt, args map[string]string, done func(error)) {
	w.chats.Composer.Suggest.Insert(ctx, from, p, args, func(err error) {
		switch done(err); {
		case err != nil:
		case w.shell.LeaveSheets():
			w.shell.Main.Close()
		default:
			w.shell.Toasts.Say("message", "The text of the prompt is in your message.")
		}
	})
}

// openTools opens or closes the page of the servers.
func (ps *pages) openTools() { ps.win.shell.Main.Toggle(ps.tools.Opened(), ps.tools.Open) }

// arrange puts the sidebar beside the page, or over it.
func (ps *pages) arrange() {
	f := &ps.win.frame
	s := f.split
	f.root.Objects = []fyne.CanvasObject{s.side, s.line, s.main}
	if s.drawer { // over the page
		f.root.Objects = []fyne.CanvasObject{s.main, s.side, s.line}
	}
	f.layout()
	f.root.Refresh()
}
