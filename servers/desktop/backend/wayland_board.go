package backend

import (
	"context"

	"goated/servers/desktop/copied"
	"goated/servers/desktop/portal"
)

// A waylandBoard is the clipboard of a Wayland session. The desktop asks the user at the first use.
// In addition, goated asks before each read.
type waylandBoard struct{ *portal.Clipboard }

func (w *wayland) board() (board, error) {
	p, err := w.portals()
	if err != nil {
		return nil, err
	}
	return waylandBoard{p.Clipboard()}, nil
}

func (b waylandBoard) Read(ctx context.Context, want ...copied.Kind) (copied.Content, []copied.Kind, error) {
	c, kinds, err := b.Clipboard.Read(ctx, want...)
	return c, kinds, withPortalAdvice(err)
}

func (b waylandBoard) Write(ctx context.Context, c copied.Content) error {
	return withPortalAdvice(b.Clipboard.Write(ctx, c))
}

func (b waylandBoard) Clear(ctx context.Context) error {
	return withPortalAdvice(b.Clipboard.Clear(ctx))
}
