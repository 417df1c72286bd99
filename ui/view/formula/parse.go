package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse parses TeX without the enclosing marks. It returns false if it does not understand all of
// it. It takes linear time.
func Parse(tex string) (Row, bool) {
	if len(tex) > maxBytes || !utf8.ValidString(tex) {
		return nil, false
	}
	p := &parser{src: tex, letters: font{italic: true}}
	rows := p.rows()
	if p.bad || p.at < len(p.src) {
		return nil, false
	}
	row := rows[0][0]
	switch {
	case len(rows) > 1:
		row = Row{{Kind: Grid, Rows: rows, Columns: Equations}}
	case len(rows[0]) > 1:
		return nil, false // an & outside a table
	}
	return row, !row.empty()
}

// empty reports whether a row has no visible nodes.
func (r Row) empty() bool {
	for _, n := range r {
		if n.Class != Blank || n.Kind != Text {
			return false
		}
	}
	return true
}

// A parser reads src from the offset at. Once bad is set, it stays set.
type parser struct {
	src     string
	at      int
	depth   int
	letters font
	bad     bool
}

func (p *parser) fail() Row {
	p.bad = true
	return nil
}

// rows parses the cells of a table up to its end, which it does not consume.
func (p *parser) rows() [][]Row {
	out := [][]Row{{p.row(0)}}
	for !p.bad && p.at < len(p.src) {
		last := len(out) - 1
		switch {
		case p.src[p.at] == '&':
			p.at++
			out[last] = append(out[last], p.row(0))
		case p.next() == `\` || p.next() == "cr":
			p.skipCommand()
			p.skipDistance()
			out = append(out, []Row{p.row(0)})
		default:
			return withoutLast(out)
		}
	}
	return withoutLast(out)
}

// withoutLast removes the empty row after a final \\.
func withoutLast(rows [][]Row) [][]Row {
	if last := rows[len(rows)-1]; len(rows) > 1 && len(last) == 1 && last[0].empty() {
		return rows[:len(rows)-1]
	}
	return rows
}

// skipDistance skips a distance such as [6pt] after a \\.
func (p *parser) skipDistance() {
	rest := strings.TrimPrefix(p.src[p.at:], "*")
	if end := strings.IndexByte(rest, ']'); strings.HasPrefix(rest, "[") && end > 0 {
		if unit := strings.TrimLeft(rest[1:end], "-.0123456789 "); len(unit) == 2 && unit == strings.ToLower(unit) {
			p.at = len(p.src) - len(rest) + end + 1
		}
	}
}

// next returns the command at the current offset without its backslash, or "" if there is none.
func (p *parser) next() string {
	if p.at+1 >= len(p.src) || p.src[p.at] != '\\' {
		return ""
	}
	end := p.at + 1
	for end < len(p.src) && isLetter(p.src[end]) {
		end++
	}
	if end == p.at+1 {
		_, n := utf8.DecodeRuneInString(p.src[end:])
		end += n
	}
	return p.src[p.at+1 : end]
}

func (p *parser) skipCommand() { p.at += 1 + len(p.next()) }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (p *parser) skipBlanks() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.at]) >= 0 {
		p.at++
	}
}

// row parses nodes up to a terminator, which it does not consume: }, &, \\, \right, \end, or the
// byte until.
func (p *parser) row(until byte) (out Row) {
	if p.depth++; p.depth > maxDepth {
		return p.fail()
	}
	defer func() { p.depth-- }()
	for !p.bad {
		p.skipBlanks()
		if p.at >= len(p.src) {
			break
		}
		switch c := p.src[p.at]; {
		case c == '}' || c == '&' || c == until && until != 0:
			return out
		case c == '^' || c == '_' || c == '\'':
			out = p.scripts(out)
		default:
			switch p.next() {
			case `\`, "cr", "right", "end":
				return out
			}
			out = append(out, p.atom()...)
		}
	}
	return out
}

// atom parses one character, one group or one command with its arguments.
func (p *parser) atom() Row {
	switch c := p.src[p.at]; {
	case c == '{':
		p.at++
		inner := p.row(0)
		if p.at >= len(p.src) || p.src[p.at] != '}' {
			return p.fail()
		}
		p.at++
		return Row{{Kind: Group, Parts: []Row{inner}}}
	case c == '\\':
		return p.command()
	}
	return p.character()
}

// argument parses the argument of a command.
func (p *parser) argument() Row {
	p.skipBlanks()
	if p.bad || p.at >= len(p.src) || strings.IndexByte("}&^_'", p.src[p.at]) >= 0 {
		return p.fail()
	}
	switch p.next() {
	case `\`, "cr", "right", "end":
		return p.fail()
	}
	if p.depth++; p.depth > maxDepth {
		return p.fail()
	}
	defer func() { p.depth-- }()
	if c := p.src[p.at]; c >= '0' && c <= '9' {
		p.at++
		return Row{{Text: string(c)}}
	}
	row := p.atom()
	if len(row) == 1 && row[0].Kind == Group {
		return row[0].Parts[0]
	}
	if len(row) == 0 {
		return p.fail()
	}
	return row
}

// optional parses an argument in brackets. It returns nil if there is none.
func (p *parser) optional() Row {
	p.skipBlanks()
	if p.at >= len(p.src) || p.src[p.at] != '[' {
		return nil
	}
	p.at++
	row := p.row(']')
	if p.at >= len(p.src) || p.src[p.at] != ']' || row.empty() {
		return p.fail()
	}
	p.at++
	return row
}

// raw returns an argument in braces without interpreting it.
func (p *parser) raw() string {
	p.skipBlanks()
	rest := p.src[p.at:]
	end := strings.IndexByte(rest, '}')
	if p.bad || end < 0 || rest[0] != '{' || strings.ContainsAny(rest[1:end], `{\$`) {
		p.bad = true
		return ""
	}
	p.at += end + 1
	return rest[1:end]
}

// scripts parses the superscript and subscript of the last node.
func (p *parser) scripts(out Row) Row {
	n := &Node{Kind: Script, Parts: make([]Row, 3)}
	if last := len(out) - 1; last >= 0 && out[last].Class != Blank {
		base := out[last]
		n.Parts[0], n.Class, n.Limits = Row{base}, base.Class, base.Limits
		out = out[:last]
	}
	above, below := false, false
	for !p.bad && p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '\'':
			p.at++
			n.Parts[1] = append(n.Parts[1], &Node{Text: "′"})
			if above {
				return p.fail()
			}
		case c == '^' && !above:
			p.at++
			above = true
			n.Parts[1] = append(n.Parts[1], p.argument()...)
		case c == '_' && !below:
			p.at++
			below = true
			n.Parts[2] = p.argument()
		case c == '^' || c == '_':
			return p.fail()
		case p.next() == "limits", p.next() == "nolimits":
			p.skipCommand()
		default:
			if strings.IndexByte(" \t\r\n", c) < 0 {
				return append(out, n)
			}
			at := p.at
			if p.skipBlanks(); p.at >= len(p.src) || p.src[p.at] != '^' && p.src[p.at] != '_' {
				p.at = at
				return append(out, n)
			}
		}
	}
	return append(out, n)
}

// character parses a character, or all digits of a number.
func (p *parser) character() Row {
	r, size := utf8.DecodeRuneInString(p.src[p.at:])
	from := p.at
	p.at += size
	switch {
	case r < utf8.RuneSelf && isLetter(byte(r)):
		return p.letter(r)
	case r >= '0' && r <= '9':
		return p.number(from)
	case strings.ContainsRune("%#$^_", r), p.letters.alphabet != "" && unicode.IsLetter(r):
		return p.fail()
	}
	n := &Node{Text: string(r)}
	switch {
	case r == '-' || r == '−':
		n.Text, n.Class = "−", Binary
	case r == '*':
		n.Text, n.Class = "∗", Binary
	case strings.ContainsRune("+±∓×÷·∩∪∧∨⊕⊗∘", r):
		n.Class = Binary
	case strings.ContainsRune("=<>:≤≥≠≈≡∼∝∈∉⊂⊆→←↔⇒⇔↦⟶⟹⟺", r):
		n.Class = Relation
	case strings.ContainsRune("([⟨⌊⌈", r):
		n.Class = Opening
	case strings.ContainsRune(")]!?⟩⌋⌉", r):
		n.Class = Closing
	case strings.ContainsRune(",;", r):
		n.Class = Punctuation
		if r == ',' && from > 0 && isDigit(p.src, from-1) && isDigit(p.src, p.at) {
			n.Class = Ordinary // the comma in 1,000
		}
	case r == '~' || r == '\u00a0':
		n.Text, n.Class = " ", Blank
	case !unicode.IsPrint(r):
		return p.fail()
	}
	return Row{n}
}

func isDigit(s string, at int) bool { return at < len(s) && s[at] >= '0' && s[at] <= '9' }

func (p *parser) number(from int) Row {
	for isDigit(p.src, p.at) || p.at < len(p.src) && p.src[p.at] == '.' && isDigit(p.src, p.at+1) {
		p.at++
	}
	if a := p.letters.alphabet; a != "" {
		var out strings.Builder
		for _, r := range p.src[from:p.at] {
			s, ok := letterOf(a, r)
			if !ok {
				return p.fail()
			}
			out.WriteString(s)
		}
		return Row{{Text: out.String()}}
	}
	return Row{{Text: p.src[from:p.at], Bold: p.letters.bold}}
}

func (p *parser) letter(r rune) Row {
	if a := p.letters.alphabet; a != "" {
		s, ok := letterOf(a, r)
		if !ok {
			return p.fail()
		}
		return Row{{Text: s}}
	}
	return Row{{Text: string(r), Italic: p.letters.italic, Bold: p.letters.bold}}
}
