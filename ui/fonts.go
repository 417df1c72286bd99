package ui

import (
	"slices"

	"goated/internal/enumeration"
	"goated/ui/kit"
	"goated/ui/shell"
)

// fontNotes tells which scripts have no font. It belongs to the UI goroutine.
type fontNotes struct {
	shell   *shell.Shell
	scripts []string    // that were not told yet
	wait    *kit.Ticker // nil: there is no message to show
}

// fontPause is the time in beats in which scripts come together in one message: a line
// of text may have several.
const fontPause = 5

// lack notes a script without a font; "" is some other characters.
func (f *fontNotes) lack(script string) {
	if !slices.Contains(f.scripts, script) {
		f.scripts = append(f.scripts, script)
	}
	if f.wait != nil {
		return
	}
	f.wait = f.shell.Clock.Add(fontPause, func() {
		f.shell.Clock.Remove(f.wait)
		f.shell.Toasts.Say("info", noFont(f.scripts))
		f.wait, f.scripts = nil, nil
	})
}

// noFont returns the sentence for the characters that no font has.
func noFont(scripts []string) string {
	named := slices.DeleteFunc(slices.Clone(scripts), func(s string) bool { return s == "" })
	slices.Sort(named)
	if len(named) == 0 {
		return "No installed font has some of these characters. They are shown as boxes."
	}
	return "No installed font has " + enumeration.Or(named) + " characters. They are shown as boxes. Install a font for them, such as one of the Noto fonts."
}
