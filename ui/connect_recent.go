package ui

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
)

// recall lists the servers of before that are not connected now.
func (c *connector) recall(s client.Snapshot) {
	c.past.Objects = nil
	for _, l := range c.recent {
		there := slices.ContainsFunc(s.Servers, func(have client.Server) bool {
			return have.Status != client.Disconnected && l.Same(config.Launch{Path: have.Path, Args: have.Args})
		})
		if !there {
			c.past.Add(c.before(l))
		}
	}
	if len(c.past.Objects) > 0 {
		title := inset(margin{14, 0, 0, 0}, newLabel("RECENT", 11, colorFaint).medium())
		c.past.Objects = append([]fyne.CanvasObject{title}, c.past.Objects...)
	}
}

// before is one server of before.
func (c *connector) before(l config.Launch) fyne.CanvasObject {
	text := launchLine(l)
	if n := len(l.Env); n > 0 {
		text += "  " + fmt.Sprintf("+%d env", n)
	}
	line := newLabel(text, 12, colorMuted).mono().elided()
	again := newButton(outline, "plug", "Connect", func() {
		if c.OnAgain != nil && !c.connect.Disabled() {
			c.fail(nil)
			c.OnAgain(l)
		}
	}).small()
	edit := newButton(ghost, "pencil", "", func() {
		if c.OnEdit != nil && !c.connect.Disabled() {
			c.OnEdit(l)
		}
	}).small()
	forget := newButton(ghost, "close", "", func() {
		if c.OnForget != nil {
			c.OnForget(l)
		}
	}).small()
	c.tips.name(edit, "Change it before it is connected", shortcut{})
	c.tips.name(forget, "Take off this list", shortcut{})
	return boxed(newPanel(colorSurface, colorBorder, 12), margin{7, 10, 7, 14},
		horizontal(8, line, newGlyph("clock", 15, colorFaint), line, again, edit, forget))
}
