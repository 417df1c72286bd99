package servers

import (
	"fyne.io/fyne/v2"

	"goated/internal/launch"
	"goated/internal/transfer"
	"goated/ui/kit"
	"goated/ui/view/format"
)

// FoundElsewhere returns the servers that other MCP clients on this computer have. It reads
// their configuration files.
func FoundElsewhere() []transfer.Found {
	var found []transfer.Found
	sys := launch.Here(nil)
	for _, f := range transfer.Files(transfer.Here("")) {
		found = append(found, transfer.Read(f, sys))
	}
	return found
}

// preselectedClient is the client whose servers are preselected, because most users come from it.
const preselectedClient = "claude-desktop"

// offer lists the servers of other clients under the form if the user can choose at least one
// of them.
func (c *connectSheet) offer(l *ImportList, chosen func()) {
	free := false
	for _, r := range l.rows {
		free = free || r.taken == ""
		r.option.Set(r.taken == "" && r.own.Name == "" && r.app.ID == preselectedClient && !r.draft.Off && len(r.draft.Missing) == 0)
	}
	if !free {
		return
	}
	note := kit.NewLabel("Nothing runs before you import it. Those files are not changed.", 12, kit.ColorMuted).Elided()
	do := kit.NewButton(kit.Outline, "plug", "Import", chosen)
	l.OnChange = func() {
		n := len(l.Chosen()) + len(l.Own())
		do.SetEnabled(n > 0)
		do.SetText(format.Plural(n, "Import 1 server", "Import %d servers"))
		if n == 0 {
			do.SetText("Import")
		}
		c.Refit()
	}
	c.found.Objects = []fyne.CanvasObject{kit.Inset(kit.Margin{Top: 16, Right: 0, Bottom: 4, Left: 0}, kit.NewLine()), l.Root,
		kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 0, Left: 0}, kit.Horizontal(8, note, note, do))}
	c.found.Show()
	l.OnChange()
}

// findElsewhere fills the open sheet's list of servers from other clients.
func (f connectFlow) findElsewhere(c *connectSheet) {
	if f.Elsewhere == nil {
		return
	}
	f.Go(func() {
		found := f.Elsewhere()
		f.Post(func() {
			if f.Connector != c {
				return
			}
			l := NewImportList(f.Clock, found, *f.Settings, f.On.Bundled)
			c.offer(l, func() {
				f.closeConnect()
				importFlow(f).saveChosen(l)
			})
		})
	})
}
