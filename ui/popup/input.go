package popup

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// Input opens the menu of an input field.
func Input(in *kit.Input, at fyne.Position) {
	c := kit.CanvasOf(in)
	if c == nil || in.Disabled() {
		return
	}
	clip := fyne.CurrentApp().Clipboard()
	marked := in.SelectedText() != "" && !in.Password
	c.Focus(in)
	Show(c, at,
		Item{Text: "Cut", Disabled: !marked, Keys: kit.ModKey(fyne.KeyX), Do: func() { in.TypedShortcut(&fyne.ShortcutCut{Clipboard: clip}) }},
		Item{Text: "Copy", Icon: "copy", Disabled: !marked, Keys: kit.ModKey(fyne.KeyC), Do: func() { in.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clip}) }},
		Item{Text: "Paste", Keys: kit.ModKey(fyne.KeyV), Do: func() { in.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip}) }},
		Item{},
		Item{Text: "Select all", Keys: kit.ModKey(fyne.KeyA), Do: func() { in.TypedShortcut(&fyne.ShortcutSelectAll{}) }},
	)
}
