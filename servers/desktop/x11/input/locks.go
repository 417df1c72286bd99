package input

import (
	"encoding/binary"

	"github.com/jezek/xgb/xproto"
)

// xkb is the name of the extension for the state of the keyboard.
const xkb = "XKEYBOARD"

// useXKB announces to the server that the connection uses the extension, which the extension requires.
func (in *Input) useXKB() error {
	if !in.c.Has(xkb) {
		return nil
	}
	const useExtension, major, minor = 0, 1, 0
	cookie := in.c.X.NewCookie(true, true)
	in.c.X.NewRequest(in.xkb(useExtension, binary.LittleEndian.AppendUint16(nil, major), binary.LittleEndian.AppendUint16(nil, minor)), cookie)
	_, err := cookie.Reply()
	return err
}

// xkb encodes a request of the extension.
func (in *Input) xkb(number byte, parts ...[]byte) []byte {
	in.c.X.ExtLock.RLock()
	defer in.c.X.ExtLock.RUnlock()
	b := []byte{in.c.X.Extensions[xkb], number, 0, 0}
	for _, p := range parts {
		b = append(b, p...)
	}
	binary.LittleEndian.PutUint16(b[2:], uint16(len(b)/4))
	return b
}

// lockCaps turns Caps Lock on or off without pressing a key. With Caps Lock on, programs capitalize
// letters that the layout lacks, or that need AltGr, regardless of Shift.
func (in *Input) lockCaps(on bool) error {
	const latchLockState, coreKeyboard = 5, 0x100
	locks := byte(0)
	if on {
		locks = xproto.ModMaskLock
	}
	cookie := in.c.X.NewCookie(true, false)
	in.c.X.NewRequest(in.xkb(latchLockState, binary.LittleEndian.AppendUint16(nil, coreKeyboard), []byte{xproto.ModMaskLock, locks}, make([]byte, 8)), cookie)
	return cookie.Check()
}

// uncapped turns Caps Lock off until the end of the sequence.
func (s *sequence) uncapped(k *keyboard) error {
	if !k.caps || s.caps || !s.in.c.Has(xkb) {
		return nil
	}
	if err := s.in.lockCaps(false); err != nil {
		return err
	}
	s.caps, k.caps = true, false
	return nil
}
