package servers

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/ui/kit"
)

// Fail shows an error, the advice for it, and the server's output; nil hides
// it. For the failure of a server that started, see explain.
func (c *connectSheet) Fail(err error) {
	if err != nil {
		yes := true
		c.tell(c.why(client.Server{}, &yes).card(client.Server{}, err))
		return
	}
	if c.problem.Visible() || c.tried.Path != "" {
		c.problem.Hide()
		c.trying(config.Launch{})
	}
}

// trying records the launch that the form connects. After an empty launch, the
// list shows the last failure.
func (c *connectSheet) trying(l config.Launch) {
	if c.about, c.tried = (client.Server{}), l; l.Path == "" {
		c.show(c.seen)
	}
}

// mine reports whether the form launched s. Only the form shows the failure of
// such a server.
func (c *connectSheet) mine(s client.Server) bool {
	return c.tried.Path != "" && s.Path == c.tried.Path && slices.Equal(s.Args, c.tried.Args)
}

// lost reports whether the form launched s and s failed.
func (c *connectSheet) lost(s client.Server) bool { return s.Status == client.Failed && c.mine(s) }

// explain shows in the form why its server does not run, for as long as the
// failure lasts.
func (c *connectSheet) explain(s client.Snapshot) {
	i := slices.IndexFunc(s.Servers, c.lost)
	switch {
	case i >= 0:
		c.about = s.Servers[i]
		c.tell(c.failed(c.about))
	case c.about.ID != "":
		c.about = client.Server{}
		c.problem.Hide()
	}
}

func (c *connectSheet) say(text, advice string) {
	words := kit.NewText(text, 13, 20, kit.ColorText)
	words.Style.Bold = true
	parts := []fyne.CanvasObject{words}
	if advice != "" {
		parts = append(parts, kit.NewText(advice, 13, 20, kit.ColorMuted))
	}
	column := kit.Vertical(4, parts...)
	c.tell(kit.Boxed(kit.NewPanel(kit.ColorBadSoft, kit.ColorNone, 10), kit.Margin{Top: 11, Right: 14, Bottom: 12, Left: 14},
		container.New(kit.Row{Gap: 10, Flex: column, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorBad)), column)))
}

// tell shows box as the problem.
func (c *connectSheet) tell(box fyne.CanvasObject) {
	c.problem.Objects = []fyne.CanvasObject{kit.Inset(kit.Margin{Top: 14, Right: 0, Bottom: 0, Left: 0}, box)}
	c.problem.Show()
	c.Refit()
}
