package ui_test

import (
	"testing"

	"goated/ui"
	"goated/ui/view"
)

// One message names all scripts without a font. A text of five scripts once caused five
// messages, which covered the text.
func TestMissingFontsAreOneMessage(t *testing.T) {
	const mark = "\U00010A3F" // it joins the letter before it, whose font does not contain it
	const unknown = "\U000100C0"
	for text, want := range map[string]string{
		"漢" + mark + " か" + mark + " カ" + mark + " 한" + mark + " " + unknown: "No installed font has Chinese, Japanese or Korean characters. They are shown as boxes. Install a font for them, such as one of the Noto fonts.",
		unknown: "No installed font has some of these characters. They are shown as boxes.",
	} {
		d := newDesk(t, ui.Options{})
		d.window.ShowChat(view.Chat{}.Say(text), false)
		d.until("the scripts are noted", func() bool { return len(d.queue) == 0 })
		d.beats(5)
		if d.Count(want) != 1 || d.Icons("info") != 1 {
			t.Errorf("for %q the window shows %q", text, d.Texts())
		}
	}
}
