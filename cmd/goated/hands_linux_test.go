package main

import (
	"strconv"
	"strings"
	"time"
)

// move moves the pointer.
func (d *desk) move(x, y int) { d.run("xdotool", "mousemove", strconv.Itoa(x), strconv.Itoa(y)) }

func (d *desk) click(x, y int) {
	d.move(x, y)
	time.Sleep(250 * time.Millisecond) // Fyne 2.7.1 misses a click that follows at once
	d.run("xdotool", "click", "1")
	d.still()
}

func (d *desk) write(text string) { d.run("xdotool", "type", "--delay", "8", text) }

func (d *desk) press(keys ...string) {
	for _, k := range keys {
		d.run("xdotool", "key", k)
		time.Sleep(120 * time.Millisecond)
	}
}

// say sends a message from the composer.
func (d *desk) say(text string) {
	d.write(text)
	d.press("Return")
}

// do runs a command through the palette, by words that find it.
func (d *desk) do(words string) {
	d.press("ctrl+k")
	d.still()
	d.write(words)
	d.still()
	d.press("Return")
	d.still()
}

// copied is what is on the clipboard.
func (d *desk) copied() string { return d.run("xclip", "-o", "-selection", "clipboard") }

// read is the conversation as the window shows it: somebody clicks into it,
// marks all, and copies it.
func (d *desk) read() string {
	d.t.Helper()
	d.click(300, 120)
	d.press("ctrl+a", "ctrl+c")
	text := d.copied()
	d.press("ctrl+l") // back to the composer
	return strings.TrimSpace(text)
}

// connect connects a server by typing its path, and waits until it is.
func (d *desk) connect(path string) {
	d.t.Helper()
	before := len(d.settings().Recent)
	d.press("ctrl+shift+c")
	d.still()
	d.write(path)
	d.press("Return")
	d.until(path+" is connected", func() bool { return len(d.settings().Recent) > before })
	d.still() // the sheet closes by itself
}
