// Package formula parses the TeX of a formula and writes it as Unicode text.
//
// It supports the mathematics that models write. [Parse] rejects a formula that it does not
// understand completely, so that the user never reads a wrong or truncated formula. The package
// only handles data: it draws nothing, and must not depend on Markdown or Fyne.
package formula

// A Kind is the kind of a node.
type Kind int

// The kinds of node.
const (
	Text     Kind = iota // Text in one style
	Group                // Parts[0] is a row that was in braces
	Fraction             // Parts[0] over Parts[1]
	Root                 // the root of Parts[0]; Parts[1], if present, is its index
	Script               // Parts[0] with Parts[1] as superscript and Parts[2] as subscript; both may be empty
	Fence                // Parts[0] between Left and Right
	Grid                 // Rows contains the cells, between Left and Right
	Boxed                // Parts[0] in a frame
)

// A Class determines the spacing around a node, as in TeX (The TeXbook, chapter 18).
type Class int

// The classes.
const (
	Ordinary Class = iota
	Operator       // sin, ∑
	Binary         // +
	Relation       // =
	Opening
	Closing
	Punctuation
	Blank // a space in the source
)

// A Node is a part of a formula. It does not change after [Parse].
type Node struct {
	Kind         Kind
	Class        Class
	Text         string
	Italic, Bold bool
	Limits       bool // for a Script: the scripts go above and below the base where there is room
	Large        bool // for a Text: an operator such as ∑, which is drawn larger where there is room
	Left, Right  string
	Parts        []Row
	Rows         [][]Row
	Columns      Columns
}

// A Row is a list of nodes that are beside each other.
type Row []*Node

// Columns is the alignment of the columns of a Grid.
type Columns int

// The ways to align columns.
const (
	Centred   Columns = iota
	Leading           // all columns are aligned left, for cases
	Equations         // the columns are aligned right, left, right, left …, for aligned
)

// A Run is text in one style.
type Run struct {
	Text         string
	Italic, Bold bool
}

// The maximal size of a formula in bytes, and the maximal nesting depth of its parts.
const (
	maxBytes = 16 << 10
	maxDepth = 24
)
