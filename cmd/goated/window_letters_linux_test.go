package main

import (
	"os/exec"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// Text in any script, typed or pasted, and emoji of several characters come back from the window
// unchanged, and are drawn. goated has its own emoji, whatever the system has.
func TestWindowShowsEveryScript(t *testing.T) {
	const (
		typed  = "ñ好"
		pasted = "日本語 한국어 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ❤️"
		answer = "**日本語**の答え: 한국어, 中文, Привет, ελλ, 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ❤️ 1️⃣ 🙂 `code 🙂 中`"
	)
	p := newPlace(t)
	s := p.gemini()
	s.Script(geminitest.Text(answer))
	d := openDesk(t, p)
	before := len(d.colours())
	// The keyboard has no keys for these characters. xdotool maps one for each and removes it after
	// the delay. If the window reads the map after that, on a busy machine, it gets nothing.
	d.run("xdotool", "type", "--delay", "1500", typed)
	d.press("space")
	d.paste(pasted)
	d.still()
	d.press("Return")
	d.turn(1)
	want := typed + " " + pasted
	d.reads("the window shows all of it", exactly(want+"\n\n"+strings.NewReplacer("*", "", "`", "").Replace(answer)))
	if got := d.history()[0].Conversation.Title; got != want {
		t.Errorf("the conversation is called %q", got)
	}
	d.until("emoji bring their own colours", func() bool { return len(d.colours()) >= before+200 })
	d.close()
	s.Done()
}

// paste copies text to the clipboard, and pastes it at the cursor.
func (d *desk) paste(text string) {
	d.t.Helper()
	clip := exec.Command("xclip", "-selection", "clipboard")
	clip.Env = append(clip.Environ(), "DISPLAY="+d.name)
	clip.Stdin = strings.NewReader(text)
	if err := clip.Run(); err != nil {
		d.t.Fatal(err)
	}
	d.press("ctrl+v")
}
