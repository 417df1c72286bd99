package servers

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/wording"
	"goated/registry"
	"goated/ui/kit"
)

// declaration shows what a tool costs in every turn, and how what the model gets differs
// from the server's words.
func declaration(e registry.Entry) fyne.CanvasObject {
	d := agent.Declare(e)
	notes := wording.Declared(d)
	if d.Err != nil {
		return kit.NewText(notes[0], 12, 18, kit.ColorWarn)
	}
	list := kit.Vertical(2, kit.NewText(fmt.Sprintf("About %d tokens in every turn.", d.Tokens), 12, 18, kit.ColorMuted))
	for _, note := range notes {
		list.Add(kit.NewText(note, 12, 18, kit.ColorMuted))
	}
	return list
}
