package catalog

import (
	"context"
	"errors"

	"goated/internal/install"
)

// errCovered reports that something else has opened over the sheet that the form belongs to.
var errCovered = errors.New("something else opened while goated read what the server needs: try again")

// Bundle opens the form for a .mcpb file. See prepare for done.
func (p *Pages) Bundle(path string, done func(error)) {
	p.prepare(func(context.Context) (*install.Choice, error) { return p.Installer.Bundle(path) }, done)
}

// Named opens the form for the server with the given name in the registry, or for the bundle at
// an address. See prepare for done.
func (p *Pages) Named(name string, done func(error)) {
	p.prepare(func(ctx context.Context) (*install.Choice, error) { return p.Installer.Find(ctx, name, "") }, done)
}

// Stop cancels a running preparation, so that no form opens.
func (p *Pages) Stop() {
	if p.preparing != nil {
		p.preparing()
	}
}

// prepare finds the server to install, off the UI goroutine, and opens its form. This may take
// seconds, because it may download a bundle. Only the latest preparation counts: it cancels an
// earlier one. No form opens over a sheet that opened in the meantime, because the user may be
// typing there. prepare calls done on the UI goroutine, with nil just before the form opens,
// and otherwise with the reason why no form opens.
func (p *Pages) prepare(find func(context.Context) (*install.Choice, error), done func(error)) {
	p.Stop()
	ctx, cancel := context.WithCancel(p.Ctx)
	p.preparing = cancel
	below := p.Sheets.Top()
	p.Go(func() {
		c, err := find(ctx)
		if c != nil && ctx.Err() != nil { // by the user, or with the window, in which case the function below never runs
			c.Close()
			c = nil
		}
		p.Post(func() {
			switch {
			case ctx.Err() != nil:
				err = ctx.Err()
			case err == nil && p.Sheets.Top() != below:
				err = errCovered
			}
			cancel()
			if done(err); err == nil {
				newForm(p, c)
			} else if c != nil {
				c.Close()
			}
		})
	})
}
