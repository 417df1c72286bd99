package ui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/servers/pause/dialog"
	"goated/servers/pause/dialogsocket"
	"goated/servers/pause/history"
	"goated/ui/chats"
	"goated/ui/kit"
	"goated/ui/pause"
	"goated/ui/shell"
)

// errWindowClosed reports that the window closed before the user answered.
var errWindowClosed = errors.New("goated's window is closed")

// AskDialog shows a dialog of the pause server and blocks until the user answers or
// ctx ends. It is a dialogsocket.AskFunc.
func (d *Dialogs) AskDialog(ctx context.Context, r dialogsocket.Request) (dialog.Answer, error) {
	open := &openDialog{waits: true}
	answer, err := d.attention.askNotifying(ctx, r.Caller, r.Question, func(ctx context.Context) (dialog.Answer, error) {
		return d.askSheet(ctx, r, open)
	})
	if err != nil && open.wasShown() {
		d.attention.reportClosed(r.Caller, err, history.AnswerText(r.Question, answer, false) != "")
	}
	return answer, err
}

// askSheet shows a dialog on a sheet, as soon as the user accepts questions. If it returns an
// error, the answer holds what the user had entered.
func (d *Dialogs) askSheet(ctx context.Context, r dialogsocket.Request, open *openDialog) (dialog.Answer, error) {
	var following sync.WaitGroup
	defer following.Wait()
	shown, stop := context.WithCancel(ctx)
	defer stop()
	following.Go(func() { open.showWaits(shown, r.Waits) })
	listed := pause.Dialog{Question: r.Question, Caller: r.Caller}.Listed()
	answer, err := d.Put(ctx, shell.Question{Deferred: d.attention.isQuiet(), Again: open.markVisible, Listed: listed, Draw: func(sh *shell.Shell, count *shell.Counter, answer func(any)) *kit.Sheet {
		r.Shown()
		return open.draw(sh, pause.Dialog{
			Question: r.Question, Caller: r.Caller, Count: count, Former: r.Former,
			Answer: func(a dialog.Answer) { answer(a) }, Files: d.filesOf(sh),
		})
	}})
	if err != nil {
		return open.draft(), context.Cause(ctx)
	}
	if a, ok := answer.(dialog.Answer); ok {
		return a, nil
	}
	return dialog.Answer{}, errWindowClosed
}

// Elicit asks on behalf of a server. A question of goated's own pause server appears as the
// dialog of that server. It fits client.Options.
func (d *Dialogs) Elicit(ctx context.Context, from client.Asker, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if p == nil {
		p = &mcp.ElicitParams{}
	}
	sent, ok := p.Meta[client.DialogExtension]
	if !ok {
		return d.askServer(ctx, from, p)
	}
	q, err := readDialog(sent)
	if err != nil {
		return nil, fmt.Errorf("reading a dialog of %s: %w", from.Name, err)
	}
	caller := dialog.Caller{Name: "The model of this conversation"}
	a, err := d.attention.askNotifying(ctx, caller, q, func(ctx context.Context) (dialog.Answer, error) {
		return d.askInline(ctx, from, caller, q)
	})
	if errors.Is(err, errWindowClosed) || a.Cancelled {
		return &mcp.ElicitResult{Action: "cancel"}, nil
	}
	if err != nil {
		return nil, err
	}
	return &mcp.ElicitResult{Action: "accept", Meta: mcp.Meta{client.DialogExtension: a}}, nil
}

// askInline shows a dialog in the conversation whose call asks it. If there is no such
// conversation, it uses a sheet.
func (d *Dialogs) askInline(ctx context.Context, from client.Asker, caller dialog.Caller, q dialog.Question) (dialog.Answer, error) {
	if in := d.conversations(); in != nil {
		open := &openDialog{}
		answer, asked, err := in.Inline(ctx, from.ID, func(s chats.Slot, answer func(any)) chats.Question {
			card := pause.NewCard(s.Shell, pause.Dialog{
				Question: q, Caller: caller, Count: s.Count, Answer: func(a dialog.Answer) { answer(a) }, Files: d.filesOf(s.Shell),
			}, s.Room, s.Resized)
			open.show(s.Shell, card.Draft)
			return card
		})
		switch a, ok := answer.(dialog.Answer); {
		case ok:
			return a, err
		case asked && err == nil:
			return a, errWindowClosed
		case asked:
			return open.draft(), err
		}
	}
	return d.askSheet(ctx, dialogsocket.Request{Caller: caller, Question: q, Shown: func() {}}, &openDialog{})
}

// filesOf returns the ways to attach files to an answer in a window.
func (d *Dialogs) filesOf(sh *shell.Shell) pause.Sources {
	d.mu.Lock()
	defer d.mu.Unlock()
	return attacher{sh, d.pictures, d.show}.sources()
}

// setPictures sets the source of pictures of the desktop, and the function that hides and shows the
// window.
func (d *Dialogs) setPictures(p Pictures, show func(on bool)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pictures, d.show = p, show
}

func readDialog(sent any) (dialog.Question, error) {
	text, err := json.Marshal(sent)
	if err != nil {
		return nil, err
	}
	var d struct {
		Kind     dialog.Kind     `json:"kind"`
		Question json.RawMessage `json:"question"`
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	return dialog.Parse(d.Kind, d.Question)
}
