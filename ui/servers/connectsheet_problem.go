package servers

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/ui/kit"
)

// Fail shows an error with its advice and the server's output. A nil error hides them. For the
// failure of a started server, see explain.
func (c *connectSheet) Fail(err error) {
	if err != nil {
		yes := true
		c.showProblem(c.newCard(client.Server{}, &yes).Draw(client.Server{}, err))
		pointToFailure(c)
		return
	}
	if c.problem.Visible() || c.tried.Subject() != "" {
		c.problem.Hide()
		c.Status.Set("")
		showSaveAnyway(c, false)
		c.setTried(config.Launch{})
	}
}

// setTried records the launch that the form is connecting. After an empty launch, the list
// shows the last failure.
func (c *connectSheet) setTried(l config.Launch) {
	if c.about, c.tried = (client.Server{}), l; l.Subject() == "" {
		c.show(c.seen)
	}
}

// fromForm reports whether the form launched s. Only the form shows the failure of such a
// server.
func (c *connectSheet) fromForm(s client.Server) bool {
	return c.tried.Subject() != "" && s.Path == c.tried.Subject() && slices.Equal(s.Args, c.tried.Args)
}

// failedFromForm reports whether the form launched s and s failed.
func (c *connectSheet) failedFromForm(s client.Server) bool {
	return s.Status == client.Failed && c.fromForm(s)
}

// showFormFailure shows in the form why its server is not running, for as long as the failure
// lasts.
func (c *connectSheet) showFormFailure(s client.Snapshot) {
	i := slices.IndexFunc(s.Servers, c.failedFromForm)
	switch {
	case i >= 0:
		c.about = s.Servers[i]
		c.showProblem(c.failureRow(c.about))
		pointToFailure(c)
	case c.about.ID != "":
		c.about = client.Server{}
		c.problem.Hide()
		c.Status.Set("")
	}
}

// pointToFailure adds a note about the failure if the fields of the edited server may push it
// out of view.
func pointToFailure(c *connectSheet) {
	if c.others.Hidden && c.problem.Visible() && !c.Path.Disabled() {
		c.Status.Set("It did not start. The reason is below.")
	}
}

func (c *connectSheet) showMessage(text, advice string) {
	words := kit.NewText(text, 13, 20, kit.ColorText)
	words.Style.Bold = true
	parts := []fyne.CanvasObject{words}
	if advice != "" {
		parts = append(parts, kit.NewText(advice, 13, 20, kit.ColorMuted))
	}
	column := kit.Vertical(4, parts...)
	c.showProblem(kit.Boxed(kit.NewPanel(kit.ColorBadSoft, kit.ColorNone, 10), kit.Margin{Top: 11, Right: 14, Bottom: 12, Left: 14},
		container.New(kit.Row{Gap: 10, Flex: column, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorBad)), column)))
}

// showProblem shows box in the place for problems.
func (c *connectSheet) showProblem(box fyne.CanvasObject) {
	c.problem.Objects = []fyne.CanvasObject{kit.Inset(kit.Margin{Top: 14, Right: 0, Bottom: 0, Left: 0}, box)}
	c.problem.Show()
	c.Refit()
}
