package safetext

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxAccents is the maximum number of marks on a character. Languages need up to six. More than
// eight could cover the lines above and below.
const maxAccents = 8

// pieces yields the pieces of a text, in order.
func pieces(text string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		for text != "" {
			p := first(text)
			if !yield(p) {
				return
			}
			text = text[len(p.text):]
		}
	}
}

// first returns the first piece of a text.
func first(text string) piece {
	r, n := utf8.DecodeRuneInString(text)
	switch {
	case r == '\n' || r == '\t' || r == utf8.RuneError:
		return piece{text: text[:n]}
	case r >= ' ' && r <= '~' && (len(text) == 1 || text[1] < utf8.RuneSelf):
		return piece{text: text[:1]}
	case invisible(r), unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r): // a mark never begins a piece
		return piece{text[:n], true}
	case r == flag:
		for _, tags := range flags {
			if strings.HasPrefix(text[n:], tags) {
				return piece{text: text[:n+len(tags)]}
			}
		}
	}
	accents := 0
	for base := r; n < len(text); {
		next, wide := utf8.DecodeRuneInString(text[n:])
		switch {
		case selects(base, next):
			base = next // a second selector would be hidden
		case next == zwj || next == zwnj:
			after, more := utf8.DecodeRuneInString(text[n+wide:])
			if !joins(r, base, next, after) {
				return piece{text: text[:n]}
			}
			n += more
			r, base, accents = after, after, 0
		case invisible(next):
			return piece{text: text[:n]}
		case unicode.Is(unicode.Mn, next) || unicode.Is(unicode.Me, next):
			if accents++; accents > maxAccents {
				return piece{text: text[:n]}
			}
			base = next
		case skin(next) && pictograph(base):
			base = next
		default:
			return piece{text: text[:n]}
		}
		n += wide
	}
	return piece{text: text[:n]}
}

const (
	zwnj = 0x200C
	zwj  = 0x200D
	flag = 0x1F3F4 // the black flag, on which regional flags are based
)

// flags contains the tag sequences of the three flags that Unicode recommends: England, Scotland
// and Wales. Every other tag sequence is invisible text.
var flags = []string{region("gbeng"), region("gbsct"), region("gbwls")}

func region(code string) string {
	var b strings.Builder
	for _, c := range code {
		b.WriteRune(0xE0000 + c)
	}
	b.WriteRune(0xE007F)
	return b.String()
}

// invisible reports whether a character alone has no visible shape. That includes joiners and
// variation selectors; see joins and selects.
func invisible(r rune) bool {
	switch {
	case r >= ' ' && r <= '~':
		return false
	case r < ' ', r >= 0x7F && r <= 0x9F: // control characters
		return true
	case r == 0x2800, r == 0x1D159: // the Braille blank, and the null notehead
		return true
	case r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE: // noncharacters
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r): // visible, although in category Cf
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Bidi_Control,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// selects reports whether a variation selector may follow base.
func selects(base, selector rune) bool {
	switch {
	case selector == 0xFE0E || selector == 0xFE0F: // text or emoji style
		return pictograph(base) || base >= '0' && base <= '9' || base == '#' || base == '*' || base == 0x2139 ||
			base >= 0xA9 && unicode.In(base, unicode.So, unicode.Sm, unicode.Po, unicode.Pd)
	case selector >= 0xFE00 && selector <= 0xFE0D:
		return base >= 0xA9 && unicode.In(base, unicode.Sm, unicode.Han, unicode.Myanmar, unicode.Phags_Pa, unicode.Manichaean)
	case selector >= 0x180B && selector <= 0x180F && selector != 0x180E:
		return unicode.Is(unicode.Mongolian, base) && unicode.IsLetter(base)
	case selector >= 0xE0100 && selector <= 0xE01EF:
		return unicode.Is(unicode.Han, base)
	}
	return false
}

// joins reports whether a joiner may stand between two characters. first begins the piece, and base
// is its last character before the joiner.
func joins(first, base, joiner, next rune) bool {
	if joiner == zwj && pictograph(first) && pictograph(next) {
		return base == first || base == 0xFE0F || skin(base)
	}
	return unicode.In(first, joining...) && unicode.In(next, joining...) && unicode.IsLetter(next) &&
		(unicode.IsLetter(base) || unicode.IsMark(base))
}

// joining contains the scripts in which a joiner changes the shape of the letters beside it.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Khmer, unicode.Tibetan, unicode.Myanmar, unicode.Tai_Tham, unicode.Javanese, unicode.Balinese,
}

// pictograph reports whether a character is, or can become, an emoji.
func pictograph(r rune) bool {
	switch {
	case r >= 0x2190 && r <= 0x21FF, r >= 0x2300 && r <= 0x23FF, r >= 0x25A0 && r <= 0x27BF, r >= 0x2900 && r <= 0x297F, r >= 0x2B00 && r <= 0x2BFF:
		return unicode.In(r, unicode.So, unicode.Sm)
	}
	return r >= 0x1F000 && r <= 0x1FAFF && !skin(r)
}

// skin reports whether a character sets the skin tone of the emoji before it.
func skin(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }
