package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// poem has paragraphs that break into several lines.
var poem = strings.Repeat("a line of many words that does not fit the field ", 3) + "\n\n" + strings.Repeat("and another one ", 12) + "end"

// If a field receives a text before it is shown, the cursor is at the end of the text.
func TestCursorIsAtTheEndOfATextGivenBefore(t *testing.T) {
	in := NewInput(NewClock(func(f func()) { f() }), "", true)
	in.Put(poem)
	w := test.NewTempApp(t).NewWindow("")
	defer w.Close()
	w.SetContent(NewField(in))
	w.Resize(fyne.NewSize(300, 300))
	in.TypedRune('!')
	if in.Text != poem+"!" {
		t.Errorf("typing changes the text to %q", in.Text)
	}
}

// Ctrl+Home and Ctrl+End move to the start and the end of a text. With Shift, they select.
func TestKeysForTheEndsOfAText(t *testing.T) {
	in := NewInput(NewClock(func(f func()) { f() }), "", true)
	w := test.NewTempApp(t).NewWindow("")
	defer w.Close()
	w.SetContent(NewField(in))
	w.Resize(fyne.NewSize(300, 300))
	in.Put(poem)
	press := func(key fyne.KeyName, m fyne.KeyModifier) {
		in.TypedShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault | m})
	}
	press(fyne.KeyHome, 0)
	in.TypedRune('<')
	press(fyne.KeyEnd, 0)
	in.TypedRune('>')
	if in.Text != "<"+poem+">" {
		t.Errorf("typing at both ends gives %q", in.Text)
	}
	for from, to := range map[fyne.KeyName]fyne.KeyName{fyne.KeyHome: fyne.KeyEnd, fyne.KeyEnd: fyne.KeyHome} {
		press(from, 0)
		in.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
		press(to, fyne.KeyModifierShift)
		in.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
		if in.SelectedText() != in.Text {
			t.Errorf("Ctrl+Shift+%s selects %q", to, in.SelectedText())
		}
	}
}
