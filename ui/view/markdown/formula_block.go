package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"

	"goated/ui/richtext"
	"goated/ui/view/formula"
)

// A formulaBlock is a display formula on separate lines. Its lines are not parsed as Markdown,
// because a line may begin with a sign that would start a list or a heading.
type formulaBlock struct {
	ast.BaseBlock
	opening, closing string
	text             strings.Builder
	closed           bool
}

var kindFormulaBlock = ast.NewNodeKind("FormulaBlock")

func (n *formulaBlock) Kind() ast.NodeKind            { return kindFormulaBlock }
func (n *formulaBlock) IsRaw() bool                   { return true }
func (n *formulaBlock) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// source returns the source of the block.
func (n *formulaBlock) source() string {
	if !n.closed {
		return n.opening + n.text.String()
	}
	return n.opening + n.text.String() + n.closing
}

type formulaBlockParser struct{}

func (formulaBlockParser) Trigger() []byte             { return []byte{'$', '\\'} }
func (formulaBlockParser) CanInterruptParagraph() bool { return true }
func (formulaBlockParser) CanAcceptIndentedLine() bool { return false }

// Open begins a formula if the line begins with an opening mark, and this line or a later one
// ends with the closing mark. An unclosed formula is ordinary text.
func (formulaBlockParser) Open(_ ast.Node, reader gtext.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || at+2 > len(line) {
		return nil, parser.NoChildren
	}
	n := &formulaBlock{opening: string(line[at : at+2])}
	switch n.opening {
	case "$$":
		n.closing = "$$"
	case `\[`:
		n.closing = `\]`
	default:
		return nil, parser.NoChildren
	}
	first := line[at+2:]
	if end := bytes.Index(first, []byte(n.closing)); end >= 0 {
		if len(bytes.TrimSpace(first[end+2:])) > 0 || len(bytes.TrimSpace(first[:end])) == 0 {
			return nil, parser.NoChildren
		}
		n.text.Write(first[:end])
		n.closed = true
		reader.AdvanceToEOL()
		return n, parser.Close | parser.NoChildren
	}
	if !closes(reader.Source()[segment.Stop:], n.opening, n.closing) {
		return nil, parser.NoChildren
	}
	n.text.Write(first)
	return n, parser.NoChildren
}

// closes reports whether a line of text ends with closing, before any blank line and any other
// mark.
func closes(text []byte, opening, closing string) bool {
	for len(text) > 0 {
		line := text
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			line = text[:end]
		}
		text = text[min(len(line)+1, len(text)):]
		if len(bytes.Trim(line, "> \t\r")) == 0 {
			return false
		}
		if end := bytes.Index(line, []byte(closing)); end >= 0 {
			return len(bytes.TrimSpace(line[end+2:])) == 0
		}
		if bytes.Contains(line, []byte(opening)) {
			return false
		}
	}
	return false
}

// pending returns the offset of the line that begins a formula that later text can still close.
// It returns -1 if there is none.
func pending(text string) int {
	open, closing, at := -1, "", 0
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, "> \t-+*0123456789.)")
		switch {
		case strings.Trim(line, "> \t\r\n") == "":
			open = -1
		case open >= 0 && strings.Contains(line, closing):
			open = -1
		case strings.HasPrefix(bare, "$$") && !strings.Contains(bare[2:], "$$"):
			open, closing = at, "$$"
		case strings.HasPrefix(bare, `\[`) && !strings.Contains(bare, `\]`):
			open, closing = at, `\]`
		}
		at += len(line)
	}
	return open
}

func (formulaBlockParser) Continue(node ast.Node, reader gtext.Reader, _ parser.Context) parser.State {
	n := node.(*formulaBlock)
	line, _ := reader.PeekLine()
	if n.closed {
		return parser.Close
	}
	if end := bytes.Index(line, []byte(n.closing)); end >= 0 {
		n.text.Write(line[:end])
		n.closed = true
		reader.AdvanceToEOL()
		return parser.Close
	}
	n.text.Write(line)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (formulaBlockParser) Close(ast.Node, gtext.Reader, parser.Context) {}

// Listing returns the source of a block that is code or a formula, and "" for any other block.
func (b Block) Listing() string {
	switch b.Kind {
	case Code:
		return richtext.PlainText(b.Spans)
	case Formula:
		return texOf(b.Spans)
	}
	return ""
}

// IsTeX reports whether a listing is the source of a formula, with its marks.
func IsTeX(listing string) bool {
	return strings.HasPrefix(listing, "$$") && strings.HasSuffix(listing, "$$") || strings.HasPrefix(listing, `\[`) && strings.HasSuffix(listing, `\]`)
}

// displayBlock returns a formula as a block. The block contains its text if goated can parse it,
// and otherwise its source as code.
func displayBlock(tex, source string) Block {
	if row, ok := formula.Parse(tex); ok {
		return Block{Kind: Formula, Formula: row, Spans: formulaSpans(row, source, richtext.Span{})}
	}
	return Block{Kind: Code, Marker: "math", Spans: verbatim(strings.Trim(tex, "\n"))}
}

// formulaSpans returns a formula as spans in style.
func formulaSpans(row formula.Row, source string, style richtext.Span) []richtext.Span {
	runs := formula.Write(row)
	out := make([]richtext.Span, len(runs))
	for i, run := range runs {
		s := style
		s.Text, s.TeX, s.Begins = run.Text, source, i == 0
		s.Italic, s.Bold = s.Italic || run.Italic, s.Bold || run.Bold
		out[i] = s
	}
	return out
}

// inlineFormula returns a formula within a sentence as spans.
func inlineFormula(n *inlineTeX, style richtext.Span) []richtext.Span {
	if row, ok := formula.Parse(n.text); ok {
		return formulaSpans(row, n.source, style)
	}
	style.Code, style.TeX, style.Begins = true, n.source, true
	style.Text = strings.ReplaceAll(strings.TrimSpace(n.text), "\n", " ")
	return []richtext.Span{style}
}
