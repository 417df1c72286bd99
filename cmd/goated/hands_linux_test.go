package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// move moves the pointer to a place of the screen.
func (d *desk) move(x, y int) {
	d.run("xdotool", "mousemove", strconv.Itoa(d.screen.points(x)), strconv.Itoa(d.screen.points(y)))
}

func (d *desk) click(x, y int) {
	d.move(x, y)
	time.Sleep(250 * time.Millisecond) // Fyne 2.7.1 misses a click that follows immediately
	d.run("xdotool", "click", "1")
	d.still()
}

// write types faster than the window draws. The window then draws several letters at once.
func (d *desk) write(text string) { d.run("xdotool", "type", "--delay", "1", text) }

func (d *desk) press(keys ...string) {
	for _, k := range keys {
		d.run("xdotool", "key", k)
		time.Sleep(120 * time.Millisecond)
	}
}

// insist presses a key until that has an effect. A question accepts no answer in its first half
// second, and a busy machine shows it late. One key press too many would send the text in the
// composer, so insist waits long between two.
func (d *desk) insist(key, what string, done func() bool) {
	d.t.Helper()
	d.until(what, func() bool {
		d.press(key)
		for deadline := time.Now().Add(12 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			if done() {
				return true
			}
		}
		return false
	})
}

// say sends a message from the composer.
func (d *desk) say(text string) {
	d.write(text)
	d.press("Return")
}

// do runs a command through the palette. words find the command.
func (d *desk) do(words string) {
	d.opens("ctrl+k")
	d.write(words)
	d.still()
	d.press("Return")
	d.still()
}

// copied returns the text that do copies to the clipboard. If there is nothing to copy yet, it
// tries again.
func (d *desk) copied(do func()) (text string) {
	d.t.Helper()
	d.until("the window copies something", func() bool { text = d.copy(do); return text != "" })
	return text
}

// copy writes a mark to the clipboard, and returns the text with which do replaces it. It returns
// "" if do does not replace it within some seconds. A busy window copies late.
func (d *desk) copy(do func()) string {
	d.t.Helper()
	const mark = "nothing was copied yet"
	d.run("sh", "-c", "printf '"+mark+"' | xclip -selection clipboard >/dev/null 2>&1")
	do()
	for deadline := time.Now().Add(3 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if text := d.run("xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING"); text != "" && text != mark {
			return text
		}
	}
	return ""
}

// opens presses keys and waits until the window has changed and then stays unchanged. Later key
// presses reach what has opened.
func (d *desk) opens(keys ...string) {
	d.t.Helper()
	d.answers(strings.Join(keys, " "), func() { d.press(keys...) })
}

// answers runs do, and waits until the window has changed and then stays unchanged.
func (d *desk) answers(what string, do func()) {
	d.t.Helper()
	before := d.sum()
	do()
	d.until("the window answers "+what, func() bool { return d.sum() != before })
	d.rests()
}

// still waits until nothing moves any more, for example an opening sheet, and the program is idle.
// On a busy machine the program may wait long for a processor while nothing moves. still gives up
// after a while, because some things move as long as something runs.
func (d *desk) still() {
	d.t.Helper()
	before, same, moved := d.sum(), 0, 0
	for polls := 0; same < 3 && moved < 16 && polls < 100; polls++ {
		time.Sleep(80 * time.Millisecond)
		now := d.sum()
		switch {
		case now != before:
			same = 0
			moved++
		case d.computes():
			same = 0
		default:
			same++
		}
		before = now
	}
}

// computes reports whether a thread of the program is running or ready to run.
func (d *desk) computes() bool {
	d.t.Helper()
	tasks := fmt.Sprintf("/proc/%d/task", d.program.Process.Pid)
	threads, _ := os.ReadDir(tasks) // empty if it has exited
	return slices.ContainsFunc(threads, func(thread os.DirEntry) bool {
		stat, err := os.ReadFile(filepath.Join(tasks, thread.Name(), "stat"))
		if err != nil {
			return false // the thread has exited
		}
		_, after, _ := bytes.Cut(stat, []byte(") ")) // after the name
		return bytes.HasPrefix(after, []byte("R"))
	})
}

// rests waits until nothing moves any more, however long that takes. Use still if something moves
// as long as it runs.
func (d *desk) rests() {
	d.t.Helper()
	before, same := d.sum(), 0
	d.until("the window rests", func() bool {
		now := d.sum()
		if same++; now != before || d.computes() {
			same = 0
		}
		before = now
		return same == 4
	})
}

// read returns the conversation as the window shows it: it clicks into the conversation, selects
// all, and copies it.
func (d *desk) read() string {
	d.t.Helper()
	d.click(300, 120)
	text := d.copied(func() { d.press("ctrl+a", "ctrl+c") })
	d.press("ctrl+l") // back to the composer
	return strings.TrimSpace(text)
}

// reads waits until the window shows a conversation for which fits returns true. The history
// contains a turn before the window shows it.
func (d *desk) reads(what string, fits func(shown string) bool) {
	d.t.Helper()
	last := ""
	d.until(what, func() bool {
		shown := d.read()
		if fits(shown) {
			return true
		}
		if shown != last {
			d.t.Logf("the window shows %q", shown)
		}
		last = shown
		return false
	})
}

// exactly returns a function that accepts only the conversation want.
func exactly(want string) func(string) bool { return func(shown string) bool { return shown == want } }

// ending returns a function that accepts conversations that end with want.
func ending(want string) func(string) bool {
	return func(shown string) bool { return strings.HasSuffix(shown, want) }
}

// connect connects a server by typing its path, and waits until it is connected.
func (d *desk) connect(path string) {
	d.t.Helper()
	before := len(d.settings().Recent)
	d.opens("ctrl+shift+c")
	d.write(path)
	d.press("Return")
	d.until(path+" is connected", func() bool { return len(d.settings().Recent) > before })
	d.sheetCloses()
}
