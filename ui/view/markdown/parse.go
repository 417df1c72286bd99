package markdown

import (
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"goated/ui/richtext"
)

// Parse parses text as CommonMark, with GitHub's tables, task lists, strikethrough and bare
// links, with footnotes, and with formulas. Text without any block becomes one plain block.
func Parse(text string) []Block {
	blocks, _ := read(text, nil)
	out := make([]Block, len(blocks))
	for i, b := range blocks {
		out[i] = b.Block
	}
	if len(out) == 0 && strings.TrimSpace(text) != "" {
		return []Block{Plain(strings.TrimSpace(text))}
	}
	return out
}

// A placed block has an offset in the source, or -1 if the offset is unknown. For a list it also
// has the offset of the last item.
type placed struct {
	Block
	from, item int
}

// grammar returns goldmark's parser. The parser is immutable and is created only once, because
// creating it takes longer than parsing most texts.
var grammar = sync.OnceValue(func() parser.Parser {
	blocks := append(parser.DefaultBlockParsers(), util.Prioritized(formulaBlockParser{}, 150), util.Prioritized(extension.NewFootnoteBlockParser(), 999))
	inlines := append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewFootnoteParser(), 101),
		util.Prioritized(formulaParser{}, 150),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:", "mailto:"})), 999))
	return parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(extension.NewFootnoteASTTransformer(), 999)))
})

// read parses source, which may use the link definitions in known. It returns the blocks, and the
// definitions in known and source.
func read(source string, known []parser.Reference) ([]placed, []parser.Reference) {
	context := parser.NewContext()
	for _, r := range known {
		context.AddReference(r)
	}
	src := []byte(source)
	root := grammar().Parse(gtext.NewReader(src), parser.WithContext(context))
	r := reader{source: src}
	var out []placed
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if b, ok := r.block(n); ok {
			p := placed{b, lineStart(source, n.Pos()), -1}
			if n.Kind() == ast.KindList && n.LastChild() != nil {
				p.item = lineStart(source, n.LastChild().Pos())
			}
			out = append(out, p)
		}
	}
	for i := range out {
		out[i].seal()
	}
	return out, context.References()
}

func lineStart(source string, at int) int {
	if at < 0 || at > len(source) {
		return -1
	}
	return strings.LastIndexByte(source[:at], '\n') + 1
}

// A reader converts goldmark's nodes to blocks.
type reader struct{ source []byte }

func (r reader) block(n ast.Node) (Block, bool) {
	switch n := n.(type) {
	case *ast.Heading:
		return Block{Kind: Heading, Level: n.Level, Spans: r.spans(n)}, true
	case *ast.Paragraph, *ast.TextBlock:
		return r.paragraph(n)
	case *ast.FencedCodeBlock:
		return Block{Kind: Code, Marker: string(n.Language(r.source)), Spans: verbatim(r.lines(n))}, true
	case *ast.CodeBlock:
		return Block{Kind: Code, Spans: verbatim(r.lines(n))}, true
	case *ast.HTMLBlock:
		raw := r.lines(n)
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(r.source))
		}
		return Block{Kind: Code, Marker: "html", Spans: verbatim(raw)}, true
	case *formulaBlock:
		if !n.closed { // the block that contains it ends first
			return Block{Kind: Code, Marker: "math", Spans: verbatim(n.source())}, true
		}
		return displayBlock(n.text.String(), n.source()), true
	case *ast.ThematicBreak:
		return Block{Kind: Rule}, true
	case *ast.Blockquote:
		return Block{Kind: Quote, Blocks: r.children(n)}, true
	case *ast.List:
		return r.list(n), true
	case *east.Table:
		return r.table(n), true
	case *east.FootnoteList:
		b := Block{Kind: List}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if f, ok := c.(*east.Footnote); ok {
				b.Blocks = append(b.Blocks, Block{Kind: ListItem, Marker: superscript(f.Index), Blocks: r.children(f)})
			}
		}
		return b, len(b.Blocks) > 0
	case *ast.LinkReferenceDefinition:
		return Block{}, false
	}
	return Block{Kind: Paragraph, Spans: r.spans(n)}, n.HasChildren()
}

// paragraph returns a paragraph. If it contains only a display formula or an image, it returns a
// block of that kind.
func (r reader) paragraph(n ast.Node) (Block, bool) {
	if f, ok := n.FirstChild().(*inlineTeX); ok && f.display && f.NextSibling() == nil {
		return displayBlock(f.text, f.source), true
	}
	if i, ok := n.FirstChild().(*ast.Image); ok && i.NextSibling() == nil {
		if b, ok := r.picture(i); ok {
			return b, true
		}
	}
	spans := r.spans(n)
	return Block{Kind: Paragraph, Spans: spans}, len(spans) > 0
}

func (r reader) children(n ast.Node) []Block {
	var out []Block
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if b, ok := r.block(c); ok {
			out = append(out, b)
		}
	}
	return out
}

func (r reader) list(n *ast.List) Block {
	b := Block{Kind: List, Loose: !n.IsTight}
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		item := Block{Kind: ListItem, Marker: "•", Blocks: r.children(c)}
		if n.IsOrdered() {
			item.Marker = strconv.Itoa(number) + string(n.Marker)
			number++
		}
		if first := c.FirstChild(); first != nil {
			if box, ok := first.FirstChild().(*east.TaskCheckBox); ok {
				item.Task = TaskOpen
				if box.IsChecked {
					item.Task = TaskDone
				}
			}
		}
		b.Blocks = append(b.Blocks, item)
	}
	return b
}

func (r reader) table(n *east.Table) Block {
	b := Block{Kind: Table}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		_, head := c.(*east.TableHeader)
		row := Block{Kind: TableRow, Head: head}
		for d := c.FirstChild(); d != nil; d = d.NextSibling() {
			cell := Block{Kind: TableCell, Spans: r.spans(d)}
			if t, ok := d.(*east.TableCell); ok {
				switch t.Alignment {
				case east.AlignCenter:
					cell.Align = AlignCenter
				case east.AlignRight:
					cell.Align = AlignRight
				}
			}
			row.Blocks = append(row.Blocks, cell)
		}
		b.Blocks = append(b.Blocks, row)
	}
	return b
}

// lines returns the lines of a block, verbatim.
func (r reader) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(r.source))
	}
	return b.String()
}

func verbatim(code string) []richtext.Span {
	return []richtext.Span{{Text: strings.TrimSuffix(code, "\n"), Code: true}}
}

// superscript formats the number of a footnote.
func superscript(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	out := []rune(strconv.Itoa(n))
	for i, d := range out {
		out[i] = digits[d-'0']
	}
	return string(out)
}

// Unmarked returns Markdown as plain text.
func Unmarked(source string) string {
	var text []string
	for _, b := range Parse(strings.ToValidUTF8(source, "")) {
		text = append(text, b.Text())
	}
	return strings.Join(text, " ")
}
