package wire

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/jezek/xgb/xproto"
)

// longest is the most that is read of a property, in units of four bytes: 256 KiB.
const longest = 64 << 10

// A Property is a request for a property whose reply has not been read yet. Several requests that are
// sent before the first reply is read cost one round trip together.
type Property struct {
	c      *Conn
	cookie xproto.GetPropertyCookie
	asked  bool
	reply  *xproto.GetPropertyReply
}

// Ask requests a property of a window.
func (c *Conn) Ask(w xproto.Window, name string) *Property {
	return &Property{c: c, cookie: xproto.GetProperty(c.X, false, w, c.Atom(name), xproto.GetPropertyTypeAny, 0, longest)}
}

// Reply waits for the property. It returns nil if the window is gone.
func (p *Property) Reply() *xproto.GetPropertyReply {
	if !p.asked {
		p.asked = true
		if r, err := p.cookie.Reply(); err == nil {
			p.reply = r
		}
	}
	return p.reply
}

// Cardinals returns the 32-bit values of the property.
func (p *Property) Cardinals() []uint32 {
	r := p.Reply()
	if r == nil || r.Format != 32 {
		return nil
	}
	out := make([]uint32, len(r.Value)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(r.Value[4*i:])
	}
	return out
}

// Cardinal returns the first value of the property.
func (p *Property) Cardinal() (uint32, bool) {
	if v := p.Cardinals(); len(v) > 0 {
		return v[0], true
	}
	return 0, false
}

// Atoms returns the names of the property's atoms.
func (p *Property) Atoms() []string {
	var out []string
	for _, v := range p.Cardinals() {
		out = append(out, p.c.AtomName(xproto.Atom(v)))
	}
	return out
}

// Text returns the property as UTF-8. Properties of type STRING are Latin-1. Text also accepts UTF-8 in
// that type, because some programs, such as xdotool, write it.
func (p *Property) Text() string {
	r := p.Reply()
	if r == nil || r.Format != 8 {
		return ""
	}
	if r.Type != xproto.AtomString || utf8.Valid(r.Value) {
		return strings.ToValidUTF8(string(r.Value), "\uFFFD")
	}
	return latin1(r.Value)
}

// latin1 converts ISO 8859-1 to UTF-8.
func latin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}
