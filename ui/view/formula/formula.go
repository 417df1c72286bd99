// Package formula reads the TeX of a formula and writes it as Unicode text.
//
// It knows the mathematics that models write. [Parse] refuses a formula that it does not
// understand completely, so that the user never reads a wrong or shortened one. The package
// holds data only: it draws nothing and must not know Markdown or Fyne.
package formula

// A Kind says what a node is.
type Kind int

// The kinds of node.
const (
	Text     Kind = iota // Text in one style
	Group                // Parts[0] is a row that was in braces
	Fraction             // Parts[0] over Parts[1]
	Root                 // of Parts[0]; Parts[1], if there, is its index
	Script               // Parts[0] with Parts[1] above and Parts[2] below; both may be empty
	Fence                // Parts[0] between Left and Right
	Grid                 // Rows of cells between Left and Right
	Boxed                // Parts[0] in a frame
)

// A Class is what TeX spaces a node by (The TeXbook, chapter 18).
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
	Blank // a space that was written
)

// A Node is a part of a formula. Nobody changes it after [Parse].
type Node struct {
	Kind         Kind
	Class        Class
	Text         string
	Italic, Bold bool
	Limits       bool // of a Script: they stand above and below where there is room
	Large        bool // of a Text: an operator such as ∑, which is larger where there is room
	Left, Right  string
	Parts        []Row
	Rows         [][]Row
	Columns      Columns
}

// A Row is a list of nodes beside each other.
type Row []*Node

// Columns says how the columns of a Grid are aligned.
type Columns int

// The ways to align columns.
const (
	Centred   Columns = iota
	Leading           // each begins at the left: cases
	Equations         // right, left, right, left …: aligned
)

// A Run is text in one style.
type Run struct {
	Text         string
	Italic, Bold bool
}

// The longest formula in bytes, and the maximum nesting depth of its parts.
const (
	maxBytes = 16 << 10
	maxDepth = 24
)
