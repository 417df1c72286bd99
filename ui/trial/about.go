package trial

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

// maxDescription is how much of a description is shown above the form, in characters.
const maxDescription = 400

// Description shows a server's description of a tool. A long text is truncated until the user
// opens it, so that the form is visible. refit lays out the page again.
func Description(text string, refit func()) fyne.CanvasObject {
	text = safetext.Mark(strings.TrimSpace(text))
	words := kit.NewText(text, 13, 20, kit.ColorMuted)
	short := format.Cut(strings.Join(strings.Fields(text), " "), maxDescription)
	if utf8.RuneCountInString(text) <= maxDescription && strings.Count(text, "\n") < 8 {
		return words
	}
	words.SetText(short)
	all := kit.NewButton(kit.Ghost, "chevron-right", "Show all", nil).Small()
	shown := false
	all.OnTapped = func() {
		if shown = !shown; shown {
			words.SetText(text)
			all.SetIcon("chevron-down")
			all.SetText("Show less")
		} else {
			words.SetText(short)
			all.SetIcon("chevron-right")
			all.SetText("Show all")
		}
		refit()
	}
	return kit.Vertical(2, words, kit.Inset(kit.Margin{Left: -9}, kit.Horizontal(0, nil, all)))
}

// Schema shows the input schema of a tool after a press. refit lays out the page again.
func Schema(tool *mcp.Tool, refit func(), toClipboard func(string)) fyne.CanvasObject {
	text := view.FormatJSON(tool.InputSchema)
	words := kit.NewText(text, 12, 18, kit.ColorText)
	words.Style.Monospace = true
	listing := kit.NewListing("Schema", words, func() { toClipboard(text) })
	listing.Hide()
	more := kit.NewButton(kit.Ghost, "chevron-right", "Schema", nil).Small()
	both := kit.Vertical(6, kit.Inset(kit.Margin{Left: -9}, kit.Horizontal(0, nil, more)), listing)
	more.OnTapped = func() {
		if listing.Hidden = !listing.Hidden; listing.Hidden {
			more.SetIcon("chevron-right")
			refit()
			return
		}
		more.SetIcon("chevron-down")
		refit()
		kit.ScrollIntoView(both, both)
	}
	return both
}
