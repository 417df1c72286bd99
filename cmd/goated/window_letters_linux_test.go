package main

import (
	"os/exec"
	"strings"
)

// everyScript is an answer that [desk.showsEveryScript] expects.
const everyScript = "**日本語**の答え: 한국어, 中文, Привет, ελλ, 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ❤️ 1️⃣ 🙂 `code 🙂 中`"

// showsEveryScript sees in a new conversation that text in any script, typed or pasted, and emoji of
// several characters come back from the window unchanged, and are drawn. goated has its own emoji,
// whatever the system has.
func (d *desk) showsEveryScript() {
	d.t.Helper()
	const (
		typed  = "ñ好"
		pasted = "日本語 한국어 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ❤️"
	)
	d.opens("ctrl+n")
	before, conversations := len(d.colours()), len(d.history())
	// The keyboard has no keys for these characters. xdotool maps one for each and removes it after
	// the delay. If the window reads the map after that, on a busy machine, it gets nothing.
	d.run("xdotool", "type", "--delay", "1500", typed)
	d.press("space")
	d.paste(pasted)
	d.still()
	d.press("Return")
	d.until("the conversation is kept", func() bool { return len(d.history()) > conversations && len(d.turns()) == 1 })
	d.turn(1)
	want := typed + " " + pasted
	d.reads("the window shows all of it", exactly(want+"\n\n"+strings.NewReplacer("*", "", "`", "").Replace(everyScript)))
	if got := d.history()[0].Conversation.Title; got != want {
		d.t.Errorf("the conversation is called %q", got)
	}
	d.until("emoji bring their own colours", func() bool { return len(d.colours()) >= before+200 })
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
