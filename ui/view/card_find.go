package view

import "strings"

// A Place is the position of a text within a card. It is a row of a table, a value of a tree or a
// range of characters, as the part is initially shown. If none of these is set, the text is
// around them, for example in the name of a column.
type Place struct {
	Part     int   // the index of a shown part, AtHead or AtArguments
	Row      int   // -1: not in a row
	Path     []int // the indexes of the value and of the values around it, outermost first
	From, To int   // a range of characters
}

// The places outside the result.
const (
	AtHead      = -1 // the line of a closed card, and its error
	AtArguments = -2
)

// maxParts is the maximal number of parts of a result that are shown separately.
const maxParts = 30

// Parts returns the parts of the result that an open card shows. If there are more than maxParts,
// the last one contains the whole result as text.
func (c Card) Parts() []Part {
	switch {
	case c.ErrorIsComplete():
		return nil
	case c.Content == nil && c.Result == "":
		return nil
	case c.Content == nil:
		return []Part{TextOf("Result", c.Result)}
	case len(c.Content.Parts) > maxParts:
		rest := Part{Title: "Result", Text: c.Result, Raw: c.Result}
		return append(c.Content.Parts[:maxParts:maxParts], rest)
	}
	return c.Content.Parts
}

// Find returns the places of words in a card, in the order of the card. It ignores case.
func (c Card) Find(words string) []Place {
	words = Folded(words)
	var out []Place
	if head := c.Heading() + "\n" + c.Tool + "\n" + c.Server + "\n" + c.Status.String() + "\n" + c.Error; containsFolded(head, words) {
		out = append(out, Place{Part: AtHead, Row: -1})
	}
	if c.Given != nil {
		out = append(out, c.Given.find(words, AtArguments)...)
	}
	for i, p := range c.Parts() {
		out = append(out, p.find(words, i)...)
	}
	return out
}

// find returns the places of words in a part. The words are folded.
func (p Part) find(words string, part int) (out []Place) {
	around := p.Name + "\n" + p.URI + "\n" + p.MIME + "\n" + p.About
	if p.Grid != nil {
		around += "\n" + p.Grid.surroundingText()
	}
	if containsFolded(around, words) {
		out = append(out, Place{Part: part, Row: -1})
	}
	switch {
	case p.Grid != nil:
		for _, row := range p.Grid.Matching(words) {
			out = append(out, Place{Part: part, Row: row})
		}
	case p.Root != nil:
		p.Root.find(words, 0, nil, func(path []int) { out = append(out, Place{Part: part, Row: -1, Path: path}) })
	default:
		for _, at := range Occurrences(p.Text, words) {
			out = append(out, Place{Part: part, Row: -1, From: at[0], To: at[1]})
		}
	}
	return out
}

// surroundingText returns the text around the rows: the facts and the names of the columns.
func (g *Grid) surroundingText() string {
	var b strings.Builder
	for _, f := range g.Above {
		b.WriteString(f.Name + ": " + f.Text + "\n")
	}
	for _, c := range g.Columns {
		b.WriteString(c.Name + "\n")
	}
	return b.String()
}

// find yields the path of each value below n whose row contains words.
func (n Node) find(words string, depth int, path []int, yield func([]int)) {
	for i, row := range rowsOf(n, depth) {
		at := append(path[:len(path):len(path)], i)
		if containsFolded(row.Label()+": "+row.Text(), words) {
			yield(at)
		}
		if row.Nested() {
			row.Node.find(words, depth+1, at, yield)
		}
	}
}

// Reveal opens the values around the value at a path, and returns the row of that value. It
// returns -1 if there is no such value.
func (t *Tree) Reveal(path []int) int {
	at := -1
	for depth, n := range path {
		if at >= 0 && !t.Rows[at].Open {
			t.Toggle(at)
		}
		for at++; at < len(t.Rows); at++ {
			if t.Rows[at].Depth == depth {
				if n == 0 {
					break
				}
				n--
			}
		}
		if at == len(t.Rows) {
			return -1
		}
	}
	return at
}

func containsFolded(text, folded string) bool { return strings.Contains(Folded(text), folded) }
