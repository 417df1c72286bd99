package input

import (
	"slices"
	"unicode"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// A keyboard is the keyboard layout at one moment.
type keyboard struct {
	first  xproto.Keycode
	per    int // keysyms per keycode
	syms   []xproto.Keysym
	group  int  // the active layout, counted from 0
	caps   bool // Caps Lock is on
	number uint16
}

// layout reads the present layout.
func (in *Input) layout() (*keyboard, error) {
	k := &keyboard{first: in.c.Setup.MinKeycode}
	count := byte(in.c.Setup.MaxKeycode - in.c.Setup.MinKeycode + 1)
	mapping := xproto.GetKeyboardMapping(in.c.X, k.first, count)
	pointer := xproto.QueryPointer(in.c.X, in.c.Root)
	m, err := mapping.Reply()
	if err != nil {
		return nil, wire.Gone(err)
	}
	p, err := pointer.Reply()
	if err != nil {
		return nil, wire.Gone(err)
	}
	k.per, k.syms, k.number = int(m.KeysymsPerKeycode), m.Keysyms, p.Mask
	k.caps = p.Mask&xproto.ModMaskLock != 0
	k.group = int(p.Mask >> 13 & 3)
	return k, nil
}

// at returns the keysym of a keycode in the active layout. level is 0 without Shift and 1 with Shift.
func (k *keyboard) at(code int, level int) xproto.Keysym {
	column := level
	if k.group == 1 && k.per >= 4 { // columns 2 and 3 hold the second layout
		if s := k.syms[code*k.per+2+level]; s != 0 {
			return s
		}
		if k.syms[code*k.per+2] != 0 {
			return 0
		}
	}
	if s := k.syms[code*k.per]; k.group > 1 && (s < 0xff00 || s > 0xffff) {
		return 0 // the core protocol does not report further layouts, but keys like Return are in all of them
	}
	if column >= k.per {
		return 0
	}
	return k.syms[code*k.per+column]
}

// find returns the keycode of a keysym and whether it needs Shift.
func (k *keyboard) find(sym xproto.Keysym) (code xproto.Keycode, shift, ok bool) {
	for level := range 2 {
		for i := range len(k.syms) / max(1, k.per) {
			if k.at(i, level) == sym {
				shift := level == 1
				if k.caps && letter(sym) {
					shift = !shift
				}
				return k.first + xproto.Keycode(i), shift, true
			}
		}
	}
	return 0, false, false
}

// letter reports whether Caps Lock affects a key.
func letter(sym xproto.Keysym) bool {
	r := rune(sym)
	if sym > 0x01000000 {
		r = rune(sym - 0x01000000)
	}
	return r < 0xff00 && unicode.ToUpper(r) != unicode.ToLower(r)
}

// spare lists the keycodes without a keysym in descending order, because real keyboards use the low
// ones.
func (k *keyboard) spare() (out []xproto.Keycode) {
	for i := range len(k.syms) / max(1, k.per) {
		if !slices.ContainsFunc(k.syms[i*k.per:(i+1)*k.per], func(s xproto.Keysym) bool { return s != 0 }) {
			out = append(out, k.first+xproto.Keycode(i))
		}
	}
	slices.Reverse(out)
	return out
}
