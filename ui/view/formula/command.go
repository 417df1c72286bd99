package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// command parses a command with its arguments. A command without a visible effect, such as
// \displaystyle, produces nothing.
func (p *parser) command() Row {
	name := p.next()
	p.skipCommand()
	if blank, ok := spaces[name]; ok {
		if blank == "" {
			return nil
		}
		return Row{{Text: blank, Class: Blank}}
	}
	if letter, ok := greek[name]; ok {
		return Row{{Text: letter, Italic: name != "ell", Bold: p.letters.bold}}
	}
	if s, ok := symbolOf(name); ok {
		return Row{{Text: s.text, Class: s.class, Bold: p.letters.bold}}
	}
	if text, ok := large[name]; ok {
		return Row{{Text: text, Class: Operator, Limits: true, Large: true}}
	}
	if text, ok := integrals[name]; ok {
		return Row{{Text: text, Class: Operator, Large: true}}
	}
	if limits, ok := functions[name]; ok {
		return Row{{Text: functionName(name), Class: Operator, Limits: limits}}
	}
	if mark, ok := accents[name]; ok {
		return p.accent(name, mark)
	}
	if f, ok := fonts[name]; ok {
		return p.inFont(f)
	}
	return p.structure(name)
}

func functionName(name string) string {
	switch name {
	case "limsup", "liminf":
		return "lim " + name[3:]
	case "argmax", "argmin":
		return "arg " + name[3:]
	}
	return name
}

// structure parses the commands that produce more than a character.
func (p *parser) structure(name string) Row {
	switch name {
	case "frac", "dfrac", "tfrac", "cfrac":
		above := p.argument()
		return Row{{Kind: Fraction, Parts: []Row{above, p.argument()}}}
	case "binom", "dbinom", "tbinom":
		above := p.argument()
		return Row{{Kind: Grid, Text: "choose", Left: "(", Right: ")", Rows: [][]Row{{above}, {p.argument()}}}}
	case "sqrt":
		index := p.optional()
		return Row{{Kind: Root, Parts: []Row{p.argument(), index}}}
	case "left":
		return p.fence()
	case "middle":
		return Row{{Text: p.delimiter(), Class: Relation}}
	case "begin":
		return p.environment()
	case "substack":
		return p.stack()
	case "text", "textrm", "textnormal", "textup", "textsf", "texttt", "mbox", "hbox":
		return p.words(false, false)
	case "textit", "emph":
		return p.words(true, false)
	case "textbf":
		return p.words(false, true)
	case "operatorname":
		starred := strings.HasPrefix(p.src[p.at:], "*")
		if starred {
			p.at++
		}
		row := p.inFont(font{})
		text, ok := row[:min(len(row), 1)].plain()
		if !ok {
			return p.fail()
		}
		return Row{{Text: text, Class: Operator, Limits: starred}}
	case "overset", "stackrel":
		above := p.argument()
		return p.stacked(p.argument(), above, nil)
	case "underset":
		below := p.argument()
		return p.stacked(p.argument(), nil, below)
	case "xrightarrow", "xleftarrow":
		below := p.optional()
		arrow := map[string]string{"xrightarrow": "⟶", "xleftarrow": "⟵"}[name]
		return p.stacked(Row{{Text: arrow, Class: Relation}}, p.argument(), below)
	case "boxed", "fbox":
		return Row{{Kind: Boxed, Parts: []Row{p.argument()}}}
	case "pmod", "pod", "mod":
		return p.modulo(name)
	case "mathop", "mathbin", "mathrel", "mathord", "mathopen", "mathclose", "mathpunct":
		class := map[string]Class{"mathop": Operator, "mathbin": Binary, "mathrel": Relation, "mathopen": Opening, "mathclose": Closing, "mathpunct": Punctuation}[name]
		return Row{{Kind: Group, Class: class, Parts: []Row{p.argument()}}}
	case "textcolor":
		p.raw()
		return Row{{Kind: Group, Parts: []Row{p.argument()}}}
	case "color", "label", "hspace":
		if p.raw(); name == "hspace" {
			return Row{{Text: " ", Class: Blank}}
		}
		return nil
	case "tag":
		return Row{{Text: "    ", Class: Blank}, {Text: "(" + p.raw() + ")"}}
	case "not":
		row := p.argument()
		if text, ok := row.plain(); ok && negated[text] != "" {
			return Row{{Text: negated[text], Class: row[0].Class}}
		}
	}
	return p.fail()
}

// plain returns the text of a row that consists only of characters.
func (r Row) plain() (string, bool) {
	var out strings.Builder
	for _, n := range r {
		switch {
		case n.Kind == Text && n.Class == Binary && n.Text == "−":
			out.WriteString("-") // arg-max is a single name
		case n.Kind == Text:
			out.WriteString(n.Text)
		case n.Kind == Group:
			inner, ok := n.Parts[0].plain()
			if !ok {
				return "", false
			}
			out.WriteString(inner)
		default:
			return "", false
		}
	}
	return out.String(), out.Len() > 0
}

func (p *parser) stacked(base, above, below Row) Row {
	if p.bad || len(base) == 0 {
		return p.fail()
	}
	n := &Node{Kind: Script, Class: base[0].Class, Limits: true, Parts: []Row{base, above, below}}
	if len(base) > 1 {
		n.Class, n.Parts[0] = Ordinary, Row{{Kind: Group, Parts: []Row{base}}}
	}
	return Row{n}
}

func (p *parser) modulo(name string) Row {
	inner := p.argument()
	word := Row{{Text: "mod", Class: Operator}}
	switch name {
	case "mod":
		return append(append(Row{{Text: " ", Class: Blank}}, word...), inner...)
	case "pod":
		word = nil
	}
	return Row{{Text: " ", Class: Blank}, {Kind: Fence, Left: "(", Right: ")", Parts: []Row{append(word, inner...)}}}
}

// inFont parses an argument whose letters are drawn in another font.
func (p *parser) inFont(f font) Row {
	old := p.letters
	p.letters = f
	row := p.argument()
	p.letters = old
	return Row{{Kind: Group, Parts: []Row{row}}}
}

// accent parses a letter with an accent. A line may span several letters.
func (p *parser) accent(name, mark string) Row {
	row := p.argument()
	if len(row) == 1 && row[0].Kind == Group {
		row = row[0].Parts[0]
	}
	at := row
	if len(row) == 1 && row[0].Kind == Script {
		at = row[0].Parts[0]
	}
	line := name == "overline" || name == "underline"
	if name == "bar" && len(at) > 1 {
		mark, line = accents["overline"], true
	}
	if len(at) == 0 || len(at) > 1 && !line {
		return p.fail()
	}
	marked := make(Row, len(at))
	for i, have := range at {
		n := *have
		letters := []rune(n.Text)
		if n.Kind != Text || n.Class != Ordinary || !line && len(letters) > 1 {
			return p.fail()
		}
		var out strings.Builder
		for _, r := range letters {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return p.fail()
			}
			out.WriteString(string(r) + mark)
		}
		n.Text = out.String()
		marked[i] = &n
	}
	if len(at) == len(row) && row[0].Kind != Script {
		return Row{{Kind: Group, Parts: []Row{marked}}}
	}
	n := *row[0]
	n.Parts = append([]Row{marked}, n.Parts[1:]...)
	return Row{&n}
}

// words parses text in braces.
func (p *parser) words(italic, bold bool) Row {
	p.skipBlanks()
	if p.at >= len(p.src) || p.src[p.at] != '{' {
		return p.fail()
	}
	var out strings.Builder
	for p.at++; p.at < len(p.src); {
		r, size := utf8.DecodeRuneInString(p.src[p.at:])
		p.at += size
		switch {
		case r == '}':
			text := out.String()
			if strings.TrimSpace(text) == "" {
				return Row{{Text: " ", Class: Blank}}
			}
			return Row{{Text: text, Italic: italic, Bold: bold}}
		case r == '\\':
			p.at -= size
			name := p.next()
			if len(name) != 1 || !strings.Contains(`%$#&_{} ,`, name) {
				return p.fail()
			}
			p.skipCommand()
			out.WriteString(strings.ReplaceAll(name, ",", " "))
		case r == '~' || r == '\n' || r == '\t' || r == '\r':
			out.WriteString(" ")
		case strings.ContainsRune("{$%#^_&", r) || !unicode.IsPrint(r):
			return p.fail()
		default:
			out.WriteRune(r)
		}
	}
	return p.fail()
}

// delimiter parses a delimiter after \left. It returns "" for the invisible delimiter.
func (p *parser) delimiter() string {
	p.skipBlanks()
	if p.at < len(p.src) && strings.IndexByte("()[]|/.<>", p.src[p.at]) >= 0 {
		c := p.src[p.at]
		p.at++
		switch c {
		case '.':
			return ""
		case '<':
			return "⟨"
		case '>':
			return "⟩"
		}
		return string(c)
	}
	name := p.next()
	s, ok := symbolOf(name)
	if !ok || s.class != Opening && s.class != Closing && s.text != "|" && s.text != "‖" && s.text != "\\" {
		p.bad = true
		return ""
	}
	p.skipCommand()
	return s.text
}

func (p *parser) fence() Row {
	n := &Node{Kind: Fence, Left: p.delimiter()}
	n.Parts = []Row{p.row(0)}
	if p.next() != "right" {
		return p.fail()
	}
	p.skipCommand()
	n.Right = p.delimiter()
	return Row{n}
}

// stack parses the lines below an operator.
func (p *parser) stack() Row {
	p.skipBlanks()
	if p.at >= len(p.src) || p.src[p.at] != '{' {
		return p.fail()
	}
	p.at++
	n := &Node{Kind: Grid, Rows: p.rows()}
	if p.at >= len(p.src) || p.src[p.at] != '}' {
		return p.fail()
	}
	p.at++
	return Row{n}
}

// environment parses a table up to its \end.
func (p *parser) environment() Row {
	name := p.raw()
	n := &Node{Kind: Grid}
	switch strings.TrimSuffix(name, "*") {
	case "matrix", "smallmatrix":
	case "pmatrix":
		n.Left, n.Right = "(", ")"
	case "bmatrix":
		n.Left, n.Right = "[", "]"
	case "Bmatrix":
		n.Left, n.Right = "{", "}"
	case "vmatrix":
		n.Left, n.Right = "|", "|"
	case "Vmatrix":
		n.Left, n.Right = "‖", "‖"
	case "cases", "dcases":
		n.Left, n.Columns = "{", Leading
	case "aligned", "align", "split", "gather", "gathered", "equation", "multline", "eqnarray":
		n.Columns = Equations
	case "array":
		if strings.Trim(p.raw(), "lcr ") != "" {
			return p.fail() // lines between the columns are not supported
		}
	default:
		return p.fail()
	}
	if p.depth++; p.depth > maxDepth {
		return p.fail()
	}
	defer func() { p.depth-- }()
	n.Rows = p.rows()
	if p.next() != "end" {
		return p.fail()
	}
	p.skipCommand()
	if p.raw() != name {
		return p.fail()
	}
	return Row{n}
}
