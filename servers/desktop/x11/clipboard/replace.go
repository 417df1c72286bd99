package clipboard

import (
	"context"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/copied"
)

const (
	// maxTyped is how many bytes of text Replace types rather than pastes.
	maxTyped = 200
	// pasteWait is how long a program may take to read pasted text.
	pasteWait = 300 * time.Millisecond
)

// A Keyboard presses keys, such as "ctrl+a", and types text.
type Keyboard interface {
	Press(ctx context.Context, chord string) error
	Type(ctx context.Context, text string) error
}

// Replace replaces the text of the focused element. It selects everything and types the text. It pastes
// long text if it can restore the clipboard's contents afterwards.
func (b *Clipboard) Replace(ctx context.Context, k Keyboard, text string) error {
	if err := k.Press(ctx, "ctrl+a"); err != nil {
		return err
	}
	switch {
	case text == "":
		return k.Press(ctx, "Delete")
	case len(text) <= maxTyped:
		return k.Type(ctx, text)
	}
	restore, ok := b.restorer(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !ok || b.Write(ctx, copied.Content{Kind: copied.Text, Text: text}) != nil {
		return k.Type(ctx, text)
	}
	defer restore()
	if err := k.Press(ctx, "ctrl+v"); err != nil {
		return err
	}
	// The reader of the clipboard may be a clipboard manager, so only waiting helps.
	late := time.NewTimer(pasteWait)
	defer late.Stop()
	select {
	case <-late.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// restorer returns a function that restores what the clipboard holds now. ok is false if that is impossible:
// its owner does not answer or refuses, a password manager marked it, or it has formats that one write does
// not restore.
func (b *Clipboard) restorer(ctx context.Context) (restore func(), ok bool) {
	owner, err := xproto.GetSelectionOwner(b.c.X, b.c.Atom("CLIPBOARD")).Reply()
	if err != nil {
		return nil, false
	}
	if owner.Owner == 0 {
		return func() { _ = b.Clear(context.WithoutCancel(ctx)) }, true
	}
	// An owner without known kinds has formats of its own.
	before, kinds, err := b.Read(ctx)
	if err != nil || before.Kind != copied.Text || !copied.Restorable(kinds) {
		return nil, false
	}
	return func() { _ = b.Write(context.WithoutCancel(ctx), before) }, true
}
