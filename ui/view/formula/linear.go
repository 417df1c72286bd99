package formula

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Write returns a formula on one line. Commas and semicolons separate the parts of a table, and
// brackets show what belongs together.
func Write(row Row) []Run {
	var w writer
	w.row(row)
	return w.end()
}

// Places returns the result of Write, and the position of each Text node in it, in characters.
func Places(row Row) ([]Run, map[*Node]int) {
	w := writer{places: map[*Node]int{}}
	w.row(row)
	return w.end(), w.places
}

// A writer writes nodes in sequence. If tight is set, it writes no blanks around signs, as in an
// exponent.
type writer struct {
	runs   []Run
	last   strings.Builder // the text of the last run
	at     int
	tight  bool
	places map[*Node]int // nil if the caller does not need the positions
}

func (w *writer) put(text string, italic, bold bool) {
	if text == "" {
		return
	}
	w.at += utf8.RuneCountInString(text)
	if last := len(w.runs) - 1; last < 0 || w.runs[last].Italic != italic || w.runs[last].Bold != bold {
		w.runs = append(w.end(), Run{"", italic, bold})
	}
	w.last.WriteString(text)
}

// end returns the runs, including the pending text of the last run.
func (w *writer) end() []Run {
	if last := len(w.runs) - 1; last >= 0 {
		w.runs[last].Text += w.last.String()
		w.last.Reset()
	}
	return w.runs
}

func (w *writer) plain(text string) { w.put(text, false, false) }

// row writes nodes and the spaces between them.
func (w *writer) row(row Row) {
	classes := row.Classes()
	for i := range row {
		if !w.tight && row.Spaced(classes, i) {
			w.plain(" ")
		}
		w.node(row, classes, i)
	}
}

// large reports whether a node is an operator such as ∑, with or without limits.
func (n *Node) large() bool {
	if n.Kind == Script && len(n.Parts[0]) == 1 {
		return n.Parts[0][0].Large
	}
	return n.Large
}

func (w *writer) node(row Row, classes []Class, i int) {
	n := row[i]
	before, after := neighbours(row, classes, i)
	switch n.Kind {
	case Text:
		if w.places != nil {
			w.places[n] = w.at
		}
		w.put(n.Text, n.Italic, n.Bold)
	case Group, Boxed:
		w.row(n.Parts[0])
	case Fence:
		w.plain(n.Left)
		w.inner(n.Parts[0], w.tight)
		w.plain(n.Right)
	case Fraction:
		if digits(n.Parts[0]) && digits(n.Parts[1]) && before != nil && before.Kind == Text && strings.Trim(before.Text, "0123456789") == "" && after == nil {
			w.plain(" ") // 2 1/2
			before = nil
		}
		w.bracketed(before != nil || after != nil, func() { w.fraction(n) })
	case Root:
		w.bracketed(before != nil && n.Parts[1] != nil, func() { w.root(n, after != nil) })
	case Script:
		if n.Parts[0].empty() && before != nil {
			w.plain(" ")
		}
		spaced := i+1 < len(row) && !w.tight && row.Spaced(classes, i+1)
		w.script(n, after != nil && !spaced)
	case Grid:
		w.grid(n)
	}
}

// inner writes a row with the given value of tight.
func (w *writer) inner(row Row, tight bool) {
	old := w.tight
	w.tight = tight
	w.row(row)
	w.tight = old
}

func (w *writer) bracketed(on bool, inner func()) {
	if on {
		w.plain("(")
	}
	inner()
	if on {
		w.plain(")")
	}
}

func digits(row Row) bool {
	text, ok := row.plain()
	return ok && strings.Trim(text, "0123456789") == ""
}

// single reports whether a row is a single unit, which needs no brackets.
func single(row Row) bool {
	if len(row) != 1 {
		return false
	}
	switch n := row[0]; n.Kind {
	case Text:
		return n.Class != Operator && n.Class != Blank
	case Group, Boxed:
		return single(n.Parts[0])
	case Fence:
		return n.Left != "" && n.Right != ""
	case Grid:
		return n.Left != ""
	case Root:
		return n.Parts[1] == nil
	case Script:
		return n.Class != Operator && (single(n.Parts[0]) || len(n.Parts[0]) == 0)
	}
	return false
}

// product reports whether a row needs no brackets above a fraction line.
func product(row Row) bool {
	classes := row.Classes()
	depth := 0 // the nesting depth of brackets
	for i, n := range row {
		switch {
		case classes[i] == Opening:
			depth++
		case classes[i] == Closing && n.Text != "!":
			depth--
		case depth > 0:
		case classes[i] != Ordinary && classes[i] != Closing:
			return false
		case n.Kind == Fraction, n.Kind == Grid && n.Left == "", n.Kind == Text && n.Text == "/":
			return false
		case (n.Kind == Group || n.Kind == Boxed) && !product(n.Parts[0]):
			return false
		}
	}
	return len(row) > 0 && depth == 0
}

// differential reports whether a row is a differential such as dx or ∂t, which needs no brackets
// below a fraction line.
func differential(row Row) bool {
	if len(row) != 2 || !single(row[1:]) {
		return false
	}
	text, ok := row[:1].plain()
	return ok && (text == "d" || text == "∂")
}

func (w *writer) fraction(n *Node) {
	w.bracketed(!product(n.Parts[0]), func() { w.row(n.Parts[0]) })
	w.plain("/")
	w.bracketed(!single(n.Parts[1]) && !differential(n.Parts[1]), func() { w.row(n.Parts[1]) })
}

func (w *writer) root(n *Node, followed bool) {
	sign := "√"
	if index := n.Parts[1]; index != nil {
		switch text, _ := index.plain(); text {
		case "2":
		case "3":
			sign = "∛"
		case "4":
			sign = "∜"
		default:
			w.shifted(index, "^", plainAbove, raised, false)
		}
	}
	w.plain(sign)
	body := n.Parts[0]
	bare := len(body) == 1 && (body[0].Kind == Text && !followed || body[0].Kind == Fence && single(body))
	w.bracketed(!bare, func() { w.row(body) })
}

func (w *writer) script(n *Node, followed bool) {
	base := n.Parts[0]
	if base.empty() || len(base) == 1 && base[0].Kind == Group && base[0].Parts[0].empty() {
		base = nil
	}
	bare := len(base) == 0 || base[0].Kind == Fence && base[0].Right != "" || base[0].Kind == Text || single(base) && base[0].Kind != Script && base[0].Kind != Root && base[0].Kind != Boxed
	if bare && len(base) == 1 && base[0].Kind == Group {
		inner := base[0].Parts[0]
		bare = len(inner) == 1 && (inner[0].Kind == Text || inner[0].Kind == Fence)
		if text, ok := inner.plain(); ok && !bare {
			bare = !strings.ContainsAny(text, "/+−±=<> ,") && inner[0].Text != "" && upright(inner)
		}
	}
	w.bracketed(!bare, func() { w.row(base) })
	above, below := n.Parts[1], n.Parts[2]
	if len(below) > 0 {
		w.shifted(below, "_", plainBelow, lowered, followed && len(above) == 0)
	}
	if len(above) > 0 {
		w.shifted(above, "^", plainAbove, raised, followed)
	}
}

// upright reports whether a row is a name such as \mathrm{max}, not a product.
func upright(row Row) bool {
	return !slices.ContainsFunc(row, func(n *Node) bool { return n.Kind != Text || n.Italic })
}

// shifted writes a superscript or a subscript. It uses superscript or subscript characters if all
// of them exist, and otherwise writes the row after a mark.
func (w *writer) shifted(row Row, mark, plain, shifted string, followed bool) {
	inner := writer{tight: true}
	inner.row(row)
	var text strings.Builder
	for _, r := range inner.end() {
		text.WriteString(r.Text)
	}
	runes := []rune(text.String())
	from, to := []rune(plain), []rune(shifted)
	direct := len(runes) > 0
	for i, r := range runes {
		switch at := slices.Index(from, r); {
		case at >= 0:
			runes[i] = to[at]
		case mark == "^" && r == '∘' && len(runes) == 1:
			runes[i] = '°'
		case mark == "^" && r == '∗' && len(runes) == 1 && !followed:
			runes[i] = '*'
		case mark == "^" && strings.ContainsRune(asTheyStand, r):
		default:
			direct = false
		}
	}
	if direct {
		out := strings.ReplaceAll(strings.ReplaceAll(string(runes), "′′′", "‴"), "′′", "″")
		w.locate(row, w.at)
		w.plain(out)
		return
	}
	w.plain(mark)
	many := utf8.RuneCountInString(text.String()) > 1 || followed
	w.bracketed(many, func() { w.inner(row, true) })
}

// locate records the positions of nodes that are not written individually.
func (w *writer) locate(row Row, at int) {
	if w.places == nil {
		return
	}
	for _, n := range row {
		if n.Kind == Text {
			w.places[n] = at
			at += utf8.RuneCountInString(n.Text)
		}
		for _, part := range n.Parts {
			w.locate(part, at)
		}
	}
}

// grid writes the cells of a table.
func (w *writer) grid(n *Node) {
	if n.Columns == Equations {
		for i, row := range n.Rows {
			if i > 0 {
				w.plain("; ")
			}
			for k := 0; k < len(row); k += 2 {
				if k > 0 {
					w.plain("  ")
				}
				w.pair(row[k:min(k+2, len(row))])
			}
		}
		return
	}
	w.plain(n.Left)
	for i, row := range n.Rows {
		switch {
		case i > 0 && n.Text != "":
			w.plain(" " + n.Text + " ")
		case i > 0:
			w.plain("; ")
		}
		for k, cell := range row {
			if k > 0 && !endsWithComma(row[k-1]) {
				w.plain(",")
			}
			if k > 0 {
				w.plain(" ")
			}
			w.row(cell)
		}
	}
	right := n.Right
	if right == "" && n.Left == "{" {
		right = "}" // on one line, the end of the cases must be visible
	}
	w.plain(right)
}

// pair writes the two sides of an equation.
func (w *writer) pair(cells []Row) {
	w.row(slices.Concat(cells...))
}

func endsWithComma(row Row) bool {
	return len(row) > 0 && row[len(row)-1].Kind == Text && strings.HasSuffix(strings.TrimSpace(row[len(row)-1].Text), ",")
}
