package servers

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/ui/kit"
)

// Fail shows an error, what to do about it, and what the server wrote; nil takes
// it away. One of a server that was started is told of that server; see explain.
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

// trying notes what is being connected from the form. Where that is nothing, the
// failure of what was is told in the list.
func (c *connectSheet) trying(l config.Launch) {
	if c.about, c.tried = (client.Server{}), l; l.Path == "" {
		c.show(c.seen)
	}
}

// mine reports whether s is what was tried from the form: where it fails it is
// told there, and nowhere else.
func (c *connectSheet) mine(s client.Server) bool {
	return c.tried.Path != "" && s.Path == c.tried.Path && slices.Equal(s.Args, c.tried.Args)
}

// lost reports whether s is what was tried, and failed.
func (c *connectSheet) lost(s client.Server) bool { return s.Status == client.Failed && c.mine(s) }

// explain shows in the form why the server that was tried there does not run, as
// long as it is so.
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

// tell shows what is wrong.
func (c *connectSheet) tell(box fyne.CanvasObject) {
	c.problem.Objects = []fyne.CanvasObject{kit.Inset(kit.Margin{Top: 14, Right: 0, Bottom: 0, Left: 0}, box)}
	c.problem.Show()
	c.Refit()
}
