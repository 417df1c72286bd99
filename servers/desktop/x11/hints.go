package x11

import "strings"

// hints are the sizes that a program accepts (ICCCM 4.1.2.3), without the decoration.
type hints struct {
	minW, minH, maxW, maxH, baseW, baseH, incW, incH int
}

func readHints(v []uint32) (h hints) {
	const minSize, maxSize, increment, base = 1 << 4, 1 << 5, 1 << 6, 1 << 8
	if len(v) < 15 {
		return h
	}
	at := func(i int) int { return int(int32(v[i])) }
	flags := v[0]
	if flags&minSize != 0 {
		h.minW, h.minH = at(5), at(6)
		h.baseW, h.baseH = h.minW, h.minH
	}
	if flags&maxSize != 0 {
		h.maxW, h.maxH = at(7), at(8)
	}
	if flags&increment != 0 {
		h.incW, h.incH = at(9), at(10)
	}
	if flags&base != 0 && len(v) >= 17 {
		h.baseW, h.baseH = at(15), at(16)
		if flags&minSize == 0 {
			h.minW, h.minH = h.baseW, h.baseH
		}
	}
	return h
}

// fixed reports whether the program accepts only one size.
func (h hints) fixed() bool {
	return h.minW > 0 && h.minW == h.maxW && h.minH > 0 && h.minH == h.maxH
}

// nearest returns the largest accepted size that does not exceed the given size.
func (h hints) nearest(w, hh int) (int, int) {
	return fit(w, h.minW, h.maxW, h.baseW, h.incW), fit(hh, h.minH, h.maxH, h.baseH, h.incH)
}

func fit(n, low, high, base, step int) int {
	if high > 0 {
		n = min(n, high)
	}
	n = max(n, low, 1)
	if step > 1 && n > base {
		n = base + (n-base)/step*step
		if n < low {
			n += step
		}
	}
	return n
}

// resource looks up a line "name:<tab>value" of the resource database.
func resource(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
