package input

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jezek/xgb/xproto"
)

// A Modifier is a key that modifies other keys while it is held.
type Modifier string

// The modifiers. Command is the key with the logo, and Option is Alt.
const (
	Shift   Modifier = "shift"
	Control Modifier = "control"
	Option  Modifier = "option"
	Command Modifier = "command"
	CapsKey Modifier = "capslock"
)

// modifierKeys returns the keysyms of a modifier in order of preference.
func modifierKeys(m Modifier) []xproto.Keysym {
	switch m {
	case Shift:
		return []xproto.Keysym{0xffe1, 0xffe2}
	case Control:
		return []xproto.Keysym{0xffe3, 0xffe4}
	case Option:
		return []xproto.Keysym{0xffe9, 0xffea, 0xffe7}
	case Command:
		return []xproto.Keysym{0xffeb, 0xffec}
	case CapsKey:
		return []xproto.Keysym{0xffe5}
	}
	return nil
}

// named returns the keysym of a named key. It ignores case and underscores.
func named(name string) xproto.Keysym {
	name = strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	switch name {
	case "return", "enter":
		return 0xff0d
	case "kpenter", "keypadenter":
		return 0xff8d
	case "escape", "esc":
		return 0xff1b
	case "tab":
		return 0xff09
	case "space", "spacebar":
		return 0x20
	case "backspace":
		return 0xff08
	case "delete", "del", "forwarddelete":
		return 0xffff
	case "left", "leftarrow", "arrowleft":
		return 0xff51
	case "up", "uparrow", "arrowup":
		return 0xff52
	case "right", "rightarrow", "arrowright":
		return 0xff53
	case "down", "downarrow", "arrowdown":
		return 0xff54
	case "pageup", "prior":
		return 0xff55
	case "pagedown", "next":
		return 0xff56
	case "home":
		return 0xff50
	case "end":
		return 0xff57
	case "insert", "ins":
		return 0xff63
	case "menu", "contextmenu":
		return 0xff67
	case "print", "printscreen":
		return 0xff61
	case "pause":
		return 0xff13
	case "numlock":
		return 0xff7f
	case "volumeup":
		return 0x1008ff13
	case "volumedown":
		return 0x1008ff11
	case "mute", "volumemute":
		return 0x1008ff12
	}
	if m, ok := modifierNamed(name); ok {
		return modifierKeys(m)[0]
	}
	var n int
	if _, err := fmt.Sscanf(name, "f%d", &n); err == nil && n >= 1 && n <= 35 && name == fmt.Sprintf("f%d", n) {
		return 0xffbe + xproto.Keysym(n-1)
	}
	return 0
}

func modifierNamed(name string) (Modifier, bool) {
	switch strings.ToLower(name) {
	case "shift":
		return Shift, true
	case "control", "ctrl":
		return Control, true
	case "alt", "option", "opt":
		return Option, true
	case "command", "cmd", "super", "meta", "win":
		return Command, true
	case "capslock":
		return CapsKey, true
	}
	return "", false
}

// ofRune returns the keysym of a character, or 0 for a control character.
func ofRune(r rune) xproto.Keysym {
	switch {
	case r == '\n' || r == '\r':
		return 0xff0d
	case r == '\t':
		return 0xff09
	case unicode.IsControl(r) || r == utf8.RuneError:
		return 0
	case r < 0x100:
		return xproto.Keysym(r)
	}
	return 0x01000000 | xproto.Keysym(r)
}

// chord parses a key such as "c", "Return" or "ctrl+shift+t".
func chord(key string) (xproto.Keysym, []Modifier, error) {
	var modifiers []Modifier
	for {
		name, rest, ok := strings.Cut(key, "+")
		m, is := modifierNamed(name)
		if !ok || !is || rest == "" {
			break
		}
		modifiers = append(modifiers, m)
		key = rest
	}
	if sym := named(key); sym != 0 {
		return sym, modifiers, nil
	}
	if r, n := utf8.DecodeRuneInString(key); n == len(key) && n > 0 {
		if sym := ofRune(r); sym != 0 {
			return sym, modifiers, nil
		}
	}
	return 0, nil, fmt.Errorf("%w: there is no key %q; use a character, or a name like Return, Escape, Tab, Delete, Left, PageDown, F5", ErrKey, key)
}

// Keysyms returns the keysyms of a text, one for each character.
func Keysyms(text string) ([]uint32, error) {
	var out []uint32
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		sym := ofRune(r)
		if sym == 0 {
			return nil, fmt.Errorf("%w: there is no key for the character %U", ErrKey, r)
		}
		out = append(out, uint32(sym))
	}
	return out, nil
}

// Chord parses a key such as "c", "Return" or "ctrl+shift+t". It returns the keysym of the key, and the
// keysyms to hold for its modifiers and more.
func Chord(key string, more ...Modifier) (sym uint32, held []uint32, err error) {
	s, names, err := chord(key)
	if err != nil {
		return 0, nil, err
	}
	for _, m := range append(names, more...) {
		held = append(held, uint32(modifierKeys(m)[0]))
	}
	return uint32(s), held, nil
}

// Canonical parses a key as [Chord] does. Each modifier, and each key of a combination that the guard
// refuses, has one name, however the caller spells it: "delete" also for Del and forward_delete,
// "command" also for Super and meta.
func Canonical(key string, more ...Modifier) (modifiers []string, name string, err error) {
	sym, held, err := chord(key)
	if err != nil {
		return nil, "", err
	}
	switch {
	case sym >= 0xffbe && sym < 0xffbe+35:
		name = fmt.Sprintf("f%d", sym-0xffbe+1)
	case sym == 0xff08:
		name = "backspace"
	case sym == 0xffff:
		name = "delete"
	case sym < 0x100: // Latin-1
		name = strings.ToLower(string(rune(sym)))
	default:
		name = strings.ToLower(key[strings.LastIndexByte(key, '+')+1:])
	}
	for _, m := range append(held, more...) {
		modifiers = append(modifiers, string(m))
	}
	return modifiers, name, nil
}
