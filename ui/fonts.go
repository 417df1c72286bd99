package ui

import (
	"slices"

	"goated/internal/enumeration"
	"goated/ui/kit"
	"goated/ui/shell"
)

// fontNotes collects the scripts that have no font, and shows a message about them. It belongs
// to the UI goroutine.
type fontNotes struct {
	shell   *shell.Shell
	scripts []string    // not yet in a message
	wait    *kit.Ticker // runs until the message appears; nil: no message is due
}

// fontPause is the delay of the message in beats of the clock. A line of text may have several
// scripts without a font, and one message names them all.
const fontPause = 5

// noteMissing notes that a script has no font. "" stands for characters without a named script.
func (f *fontNotes) noteMissing(script string) {
	if !slices.Contains(f.scripts, script) {
		f.scripts = append(f.scripts, script)
	}
	if f.wait != nil {
		return
	}
	f.wait = f.shell.Clock.Add(fontPause, func() {
		f.shell.Clock.Remove(f.wait)
		f.shell.Toasts.Say("info", missingFontText(f.scripts))
		f.wait, f.scripts = nil, nil
	})
}

// missingFontText returns the sentence for the characters that no font has.
func missingFontText(scripts []string) string {
	named := slices.DeleteFunc(slices.Clone(scripts), func(s string) bool { return s == "" })
	slices.Sort(named)
	if len(named) == 0 {
		return "No installed font has some of these characters. They are shown as boxes."
	}
	return "No installed font has " + enumeration.Or(named) + " characters. They are shown as boxes. Install a font for them, such as one of the Noto fonts."
}
