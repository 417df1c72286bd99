// Package typeset shapes and draws text that the window's own typefaces do not cover: other
// scripts, both directions, combining marks and emoji.
//
// The window's toolkit draws such text run by run in source order, cuts off everything that is
// taller than its own typeface, splits emoji sequences, and shows "�" for characters that no font
// has. This package keeps each grapheme cluster in one font, orders runs by Unicode Annex 9, and
// draws a box for characters that no font has. For selections, it provides the position of each
// character. It also measures the words of the window's own typefaces; see [Widths].
//
// It owns parsed fonts and a cache of shaped texts. It must not depend on widgets.
package typeset

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"goated/assets"
)

// cached limits a Setter, which caches at most twice as many texts.
const cached = 1024

// A Setter shapes texts. The zero value is ready to use. It belongs to the UI goroutine.
type Setter struct {
	// Missing is called for the first character of each script that no font has. It receives the
	// script's name, for example "Arabic", or "". It must not call the Setter. It may be nil.
	Missing func(script string)

	own           faces
	maths         fyne.Resource     // nil until needed
	system        *fontscan.FontMap // nil until needed
	scanned       bool
	shaper        shaping.HarfbuzzShaper
	clusters      segmenter.Segmenter
	recent, older map[key]*Text
	missing       map[language.Script]int // the number of failed searches; below 0: a font has the script
	single        map[faceKey]*font.Face  // for single characters
}

type faceKey struct {
	r     rune
	style fyne.TextStyle
	own   fyne.Resource
}

type key struct {
	text  string
	size  float32
	style fyne.TextStyle
	face  fyne.Resource
	base  Base
	level int8 // the level of the whole text; -1: computed from its characters
}

// Line shapes a text that is a whole paragraph. It uses the typeface own for the characters that
// own covers.
func (s *Setter) Line(own fyne.Resource, text string, size float32, style fyne.TextStyle) *Text {
	return s.cachedText(key{text, size, style, own, Auto, -1})
}

// Run shapes a part of a line that has a single level; see [Levels].
func (s *Setter) Run(own fyne.Resource, text string, size float32, style fyne.TextStyle, level uint8) *Text {
	return s.cachedText(key{text, size, style, own, LTR, int8(level)})
}

func (s *Setter) cachedText(k key) *Text {
	if t, ok := s.recent[k]; ok {
		return t
	}
	t, ok := s.older[k]
	if !ok {
		t = s.set(k)
	}
	if s.recent == nil || len(s.recent) >= cached {
		s.older, s.recent = s.recent, make(map[key]*Text)
	}
	k.text = strings.Clone(k.text) // a clone, so that the cache does not keep the whole answer in memory
	s.recent[k] = t
	return t
}

// A piece is a part of a text with one font, script and level. If face is nil, no font has it.
type piece struct {
	from, to int
	face     *font.Face
	script   language.Script
	level    uint8
}

// set shapes the text of a key.
func (s *Setter) set(k key) *Text {
	runes := []rune(k.text)
	t := &Text{size: k.size, carets: make([]float32, len(runes)+1), first: make([]bool, len(runes)+1)}
	if len(runes) == 0 {
		return t
	}
	var levels []uint8
	if k.level < 0 {
		levels, t.RTL = Levels(runes, k.base)
	} else {
		levels = bytes.Repeat([]byte{byte(k.level)}, len(runes))
		t.RTL = k.level%2 == 1
	}
	pieces := s.split(runes, levels, k, t.first)
	order := make([]uint8, len(pieces))
	for i, p := range pieces {
		order[i] = p.level
	}
	for _, i := range Visual(order) {
		s.shape(t, runes, pieces[i], k)
	}
	if t.RTL {
		t.carets[len(runes)] = 0
	} else {
		t.carets[len(runes)] = t.Width
	}
	t.first[len(runes)] = true
	return t
}

// split divides a text into pieces of whole grapheme clusters. It sets first for the start of
// each cluster.
func (s *Setter) split(runes []rune, levels []uint8, k key, first []bool) (pieces []piece) {
	s.clusters.Init(runes)
	script := language.Common
	for it := s.clusters.GraphemeIterator(); it.Next(); {
		g := it.Grapheme()
		first[g.Offset] = true
		if own := language.LookupScript(g.Text[0]); own != language.Common && own != language.Inherited {
			script = own
		}
		p := piece{g.Offset, g.Offset + len(g.Text), s.faceOf(g.Text, k), script, levels[g.Offset]}
		if n := len(pieces) - 1; n >= 0 {
			last := &pieces[n]
			if p.level == last.level && p.face == last.face && p.face != nil && p.script == last.script {
				last.to = p.to
				continue
			}
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// shape shapes a piece and appends it at the right end of t.
func (s *Setter) shape(t *Text, runes []rune, p piece, k key) {
	if p.face == nil {
		t.placeBox(p)
		return
	}
	in := shaping.Input{Text: runes, RunStart: p.from, RunEnd: p.to, Face: p.face, Size: fixed.Int26_6(k.size * 64), Script: p.script, Direction: di.DirectionLTR}
	if p.level%2 == 1 {
		in.Direction = di.DirectionRTL
	}
	t.place(s.shaper.Shape(in), p)
}

// faceOf returns the font for a grapheme cluster, or nil if there is none. It searches the
// system's fonts once per character.
func (s *Setter) faceOf(cluster []rune, k key) *font.Face {
	if len(cluster) > 1 {
		return s.findFace(cluster, k)
	}
	at := faceKey{cluster[0], k.style, k.face}
	face, ok := s.single[at]
	if !ok {
		if face = s.findFace(cluster, k); s.single == nil {
			s.single = make(map[faceKey]*font.Face)
		}
		s.single[at] = face
	}
	return face
}

func (s *Setter) findFace(cluster []rune, k key) *font.Face {
	if isEmoji(cluster) {
		if face := s.emojiFace(cluster, k.size); face != nil {
			return face
		}
	}
	// Prefer the program's own fonts, which look the same on every system.
	faces := []*font.Face{s.parse(k.face), s.parse(theme.DefaultTheme().Font(k.style))}
	if accented(cluster) {
		slices.Reverse(faces)
	}
	for _, face := range faces {
		if covers(face, cluster) {
			return face
		}
	}
	if face := s.mathFace(cluster); face != nil {
		return face
	}
	if face := s.emojiFace(cluster, k.size); face != nil {
		return face
	}
	if face := s.systemFace(cluster, k.style); face != nil {
		return face
	}
	s.report(cluster[0])
	return nil
}

// accented reports whether a cluster is a Greek letter with a mark that only occurs in formulas,
// for example the hat of an estimate. Inter places that mark inside the letter.
func accented(cluster []rune) bool {
	return len(cluster) == 2 && unicode.Is(unicode.Greek, cluster[0]) && strings.ContainsRune("\u0302\u0303\u0304\u0305\u0307\u030a\u030c", cluster[1])
}

// mathFace returns the program's font for mathematical signs if it has the cluster.
func (s *Setter) mathFace(cluster []rune) *font.Face {
	if s.maths == nil {
		s.maths = fyne.NewStaticResource("NotoSansMath-Subset.ttf", assets.MathRegular)
	}
	if face := s.parse(s.maths); covers(face, cluster) {
		return face
	}
	return nil
}

// report calls Missing for a character without a font, once per script.
func (s *Setter) report(r rune) {
	script := language.LookupScript(r)
	if s.missing == nil {
		s.missing = make(map[language.Script]int)
	}
	n := s.missing[script]
	if n >= 0 {
		s.missing[script] = n + 1
	}
	if n == 0 && s.Missing != nil {
		s.Missing(scriptName(script))
	}
}

// parse returns the parsed typeface, or nil.
func (s *Setter) parse(source fyne.Resource) *font.Face {
	if s.own == nil {
		s.own = make(faces)
		s.shaper.SetFontCacheSize(32)
	}
	return s.own.parse(source)
}

// fonts returns the system's fonts, or nil if they cannot be listed. The toolkit has usually
// already listed them for the process.
func (s *Setter) fonts() *fontscan.FontMap {
	if !s.scanned {
		s.scanned = true
		m := fontscan.NewFontMap(silent{})
		if m.UseSystemFonts("") == nil {
			s.system = m
		}
	}
	return s.system
}

type silent struct{}

func (silent) Printf(string, ...any) {}

// enough is the number of characters of a script that are searched for until the script counts as
// missing. A search takes milliseconds.
const enough = 8

// systemFace returns an installed font that has all characters of a cluster, or at least its base
// character.
func (s *Setter) systemFace(cluster []rune, style fyne.TextStyle) *font.Face {
	m := s.fonts()
	script := language.LookupScript(cluster[0])
	if m == nil || script != language.Common && s.missing[script] >= enough {
		return nil
	}
	q := fontscan.Query{Families: []string{fontscan.SansSerif}}
	if style.Monospace {
		q.Families[0] = fontscan.Monospace
	}
	if style.Bold {
		q.Aspect.Weight = font.WeightBold
	}
	if style.Italic {
		q.Aspect.Style = font.StyleItalic
	}
	m.SetQuery(q)
	for _, r := range cluster {
		if ignorable(r) {
			continue
		}
		if face := m.ResolveFace(r); covers(face, cluster) {
			if s.missing[script] > 0 {
				s.missing[script] = -1
			}
			return face
		}
	}
	if face := m.ResolveFace(cluster[0]); covers(face, cluster[:1]) {
		return face
	}
	return nil
}

// emojiFace returns a colour font that draws a cluster as one glyph. If there is none, it returns
// a font that has the parts of the cluster, or nil.
func (s *Setter) emojiFace(cluster []rune, size float32) *font.Face {
	faces := []*font.Face{s.parse(theme.DefaultEmojiFont())}
	if m := s.fonts(); m != nil && isEmoji(cluster) {
		m.SetQuery(fontscan.Query{Families: []string{fontscan.Emoji, "Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji"}})
		faces = append(faces, m.ResolveFace(cluster[0]))
	}
	var best *font.Face
	least := 0
	for _, face := range faces {
		if !covers(face, cluster[:1]) {
			continue
		}
		out := s.shaper.Shape(shaping.Input{Text: cluster, RunEnd: len(cluster), Face: face, Size: fixed.Int26_6(size * 64), Direction: di.DirectionLTR})
		n := 0
		for _, g := range out.Glyphs {
			if g.XAdvance > 0 {
				n++
			}
		}
		if n > 0 && (best == nil || n < least) {
			best, least = face, n
		}
	}
	return best
}

// covers reports whether a font has all visible characters of a cluster.
func covers(face *font.Face, cluster []rune) bool {
	if face == nil {
		return false
	}
	for _, r := range cluster {
		if _, ok := face.NominalGlyph(r); !ok && !ignorable(r) {
			return false
		}
	}
	return true
}
