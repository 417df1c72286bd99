package servers

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/kit"
)

// listRecent lists the recent servers that are not in the list above.
func (c *connectSheet) listRecent(s client.Snapshot) {
	c.recentRows.Objects = nil
	for _, l := range c.recent {
		there := slices.ContainsFunc(s.Servers, func(have client.Server) bool {
			return have.Status != client.Disconnected && l.Same(consent.LaunchOfServer(have))
		})
		if !there {
			c.recentRows.Add(c.recentRow(l))
		}
	}
	if len(c.recentRows.Objects) > 0 {
		title := kit.Inset(kit.Margin{Top: 14, Right: 0, Bottom: 0, Left: 0}, kit.NewLabel("RECENT", 11, kit.ColorFaint).Medium())
		c.recentRows.Objects = append([]fyne.CanvasObject{title}, c.recentRows.Objects...)
	}
}

// recentRow makes the row of a recent server.
func (c *connectSheet) recentRow(l config.Launch) fyne.CanvasObject {
	text := LaunchLine(l)
	if n := len(l.Env); n > 0 {
		text += "  " + fmt.Sprintf("+%d env", n)
	}
	line := kit.NewLabel(text, 12, kit.ColorMuted).Mono().Elided()
	name := kit.NewLabel(l.Name, 13, kit.ColorText).Medium()
	name.Hidden = l.Name == ""
	again := kit.NewButton(kit.Outline, "plug", "Connect", func() {
		if c.OnAgain != nil && !c.Path.Disabled() {
			c.Fail(nil)
			c.OnAgain(l)
		}
	}).Small()
	edit := kit.NewButton(kit.Ghost, "pencil", "", func() {
		if c.OnEdit != nil && !c.Path.Disabled() {
			c.OnEdit(l)
		}
	}).Small()
	forget := kit.NewButton(kit.Ghost, "close", "", func() {
		if c.OnForget != nil {
			c.OnForget(l)
		}
	}).Small()
	c.tips.Name(edit, "Edit before connecting", kit.Shortcut{})
	c.tips.Name(forget, "Remove from this list", kit.Shortcut{})
	return kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 7, Right: 10, Bottom: 7, Left: 14},
		kit.Horizontal(8, line, kit.NewIcon("clock", 15, kit.ColorFaint), name, line, again, edit, forget))
}
