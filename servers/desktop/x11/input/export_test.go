package input

// State returns the mask of pressed modifiers and buttons, and the number of keycodes that are lent to
// characters.
func (in *Input) State() (mask uint16, lent int) {
	k, err := in.layout()
	if err != nil {
		return ^uint16(0), -1
	}
	for i := range len(k.syms) / k.per {
		if k.syms[i*k.per] > 0x01000100 && k.syms[i*k.per] < 0x02000000 {
			lent++
		}
	}
	return k.number, lent
}

// LockGroup activates a keyboard layout.
func (in *Input) LockGroup(n byte) error {
	cookie := in.c.X.NewCookie(true, false)
	in.c.X.NewRequest(in.xkb(5, []byte{0, 1, 0, 0, 1, n}, make([]byte, 6)), cookie)
	return cookie.Check()
}
