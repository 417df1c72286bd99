package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"

	"goated/internal/codefence"
	"goated/internal/lazyregexp"
	"goated/ui/richtext"
)

// Source writes blocks as Markdown.
func Source(blocks []Block) string {
	parts := make([]string, 0, len(blocks))
	for i := range blocks {
		parts = append(parts, strings.Join(source(&blocks[i]), "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// source returns the Markdown lines of a block.
func source(b *Block) []string {
	switch b.Kind {
	case Heading:
		text := strings.ReplaceAll(inlineSource(b.Spans), "\n", " ")
		if words, ok := strings.CutSuffix(text, "#"); ok {
			text = words + `\#` // otherwise it would be the closing mark of the heading
		}
		return []string{strings.Repeat("#", max(b.Level, 1)) + " " + text}
	case Code:
		text := richtext.PlainText(b.Spans)
		if b.Marker == "math" {
			return strings.Split("$$\n"+text+"\n$$", "\n")
		}
		return strings.Split(Fenced(b.Marker, text), "\n")
	case Formula:
		return strings.Split(texOf(b.Spans), "\n")
	case Rule:
		return []string{"---"}
	case Image:
		return []string{"![" + inlineSource(b.Spans) + "](" + b.Picture + ")"}
	case Quote:
		return prefixed("> ", "> ", nested(b.Blocks, true))
	case List:
		var out []string
		for i := range b.Blocks {
			if i > 0 && b.Loose {
				out = append(out, "")
			}
			out = append(out, itemSource(&b.Blocks[i], b.Loose)...)
		}
		return out
	case Table:
		return tableSource(b)
	}
	if len(b.Blocks) > 0 {
		return nested(b.Blocks, true)
	}
	text := inlineSource(b.Spans)
	if m := beginsBlock.FindStringSubmatchIndex(text); m != nil {
		text = text[:m[2]] + `\` + text[m[2]:]
	}
	return strings.Split(text, "\n")
}

// beginsBlock matches the start of a paragraph that would be parsed as another kind of block. Its
// group is the mark to escape.
var beginsBlock = lazyregexp.New(`^(?:\d{1,9})?([-+#=>.)])`)

// Fenced encloses text in fences that are longer than any fence in the text.
func Fenced(language, text string) string {
	fence := codefence.Fence(text)
	return fence + language + "\n" + text + "\n" + fence
}

func nested(blocks []Block, loose bool) []string {
	var out []string
	for i := range blocks {
		if i > 0 && (loose || blocks[i].Kind != List) {
			out = append(out, "")
		}
		out = append(out, source(&blocks[i])...)
	}
	return out
}

func prefixed(first, rest string, lines []string) []string {
	for i, line := range lines {
		prefix := rest
		if i == 0 {
			prefix = first
		}
		lines[i] = strings.TrimRight(prefix+line, " ")
	}
	return lines
}

func itemSource(b *Block, loose bool) []string {
	mark := "- "
	if b.Marker != "•" && b.Task == NoTask && strings.ContainsAny(b.Marker, ".)") {
		mark = b.Marker + " "
	}
	rest := strings.Repeat(" ", len(mark))
	switch b.Task {
	case TaskOpen:
		mark += "[ ] "
	case TaskDone:
		mark += "[x] "
	}
	lines := nested(b.Blocks, loose)
	if len(lines) == 0 {
		lines = []string{""}
	}
	return prefixed(mark, rest, lines)
}

func tableSource(b *Block) []string {
	var out []string
	for i := range b.Blocks {
		line, under := "|", "|"
		for _, cell := range b.Blocks[i].Blocks {
			line += " " + strings.ReplaceAll(strings.ReplaceAll(inlineSource(cell.Spans), "\n", "<br>"), "|", `\|`) + " |"
			switch cell.Align {
			case AlignCenter:
				under += ":-:|"
			case AlignRight:
				under += "--:|"
			default:
				under += "---|"
			}
		}
		if out = append(out, line); b.Blocks[i].Head {
			out = append(out, under)
		}
	}
	return out
}

// runMarks are the marks around runs of text, outermost first.
var runMarks = []struct {
	of   func(richtext.Span) bool
	mark string
	off  func(*richtext.Span)
}{
	{func(s richtext.Span) bool { return s.Strike }, "~~", func(s *richtext.Span) { s.Strike = false }},
	{func(s richtext.Span) bool { return s.Bold }, "**", func(s *richtext.Span) { s.Bold = false }},
	{func(s richtext.Span) bool { return s.Italic }, "*", func(s *richtext.Span) { s.Italic = false }},
}

// inlineSource writes spans as Markdown. It omits the address that leads appended to a link.
func inlineSource(spans []richtext.Span) string {
	spans = joined(spans)
	var b strings.Builder
	for i := 0; i < len(spans); {
		link := spans[i].Link
		end := i
		var run []richtext.Span
		for ; end < len(spans) && spans[end].Link == link; end++ {
			s := spans[end]
			if s.Quiet && link != "" {
				continue
			}
			s.Link = ""
			run = append(run, s)
		}
		i = end
		text := marked(run, 0)
		switch {
		case link == "", text == "":
			b.WriteString(text)
		case richtext.PlainText(run) == link:
			b.WriteString("<" + link + ">")
		default:
			b.WriteString("[" + text + "](" + strings.NewReplacer("(", "%28", ")", "%29", " ", "%20").Replace(link) + ")")
		}
	}
	return b.String()
}

func marked(spans []richtext.Span, depth int) string {
	if depth == len(runMarks) {
		var b strings.Builder
		for _, s := range spans {
			if s.TeX != "" {
				b.WriteString(s.TeX)
			} else if s.Code {
				b.WriteString(ticked(s.Text))
			} else {
				b.WriteString(escaped(s.Text))
			}
		}
		return b.String()
	}
	m := runMarks[depth]
	var b strings.Builder
	for i := 0; i < len(spans); {
		on := m.of(spans[i])
		end := i
		var run []richtext.Span
		for ; end < len(spans) && m.of(spans[end]) == on; end++ {
			s := spans[end]
			m.off(&s)
			run = append(run, s)
		}
		i = end
		text := marked(run, depth+1)
		if inner := strings.TrimSpace(text); on && inner != "" {
			at := strings.Index(text, inner)
			text = text[:at] + m.mark + inner + m.mark + text[at+len(inner):]
		}
		b.WriteString(text)
	}
	return b.String()
}

// joined returns spans with a single span for each formula. A part of a formula becomes the whole
// formula.
func joined(spans []richtext.Span) []richtext.Span {
	if !slices.ContainsFunc(spans, func(s richtext.Span) bool { return s.TeX != "" }) {
		return spans
	}
	var out []richtext.Span
	for _, s := range spans {
		last := len(out) - 1
		if s.TeX == "" {
			out = append(out, s)
		} else if last < 0 || s.Begins || out[last].TeX != s.TeX {
			out = append(out, richtext.Span{Text: s.Text, TeX: s.TeX, Link: s.Link, Strike: s.Strike})
		}
	}
	return out
}

// texOf returns the source of a formula.
func texOf(spans []richtext.Span) string {
	if len(spans) == 0 {
		return ""
	}
	return spans[0].TeX
}

func ticked(text string) string {
	ticks := "`"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		return ticks + " " + text + " " + ticks
	}
	return ticks + text + ticks
}

var escapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "]", `\]`, "<", `\<`, "~", `\~`, "$", `\$`, "&", `\&`, "\n", "\\\n")

func escaped(text string) string { return escapes.Replace(text) }

// Part returns the text between the characters from and to as a block. A part of a table keeps
// the column names. A part of a single paragraph, item, cell or heading is plain text in the same
// style.
func (b Block) Part(from, to int) Block {
	if p, ok := b.part(from, to); ok {
		inner := &p
		for len(inner.Blocks) == 1 && inner.Kind != Table {
			inner = &inner.Blocks[0]
		}
		if len(inner.Blocks) == 0 && len(inner.Spans) > 0 && (b.At < from || inner != &p) && inner.At < from {
			if p = *inner; p.Kind != Code && p.Kind != Formula {
				p.Kind = Paragraph
			}
		}
		if p.Kind == Table && len(b.Blocks) > 1 && from >= b.Blocks[1].At {
			if cells := p.cells(); len(cells) == 1 {
				return Block{Spans: cells[0].Spans}
			}
		}
		return p
	}
	return Block{}
}

// cells returns the non-empty cells of a table, without the head.
func (b Block) cells() (out []Block) {
	for _, row := range b.Blocks {
		for _, cell := range row.Blocks {
			if len(cell.Spans) > 0 && !row.Head {
				out = append(out, cell)
			}
		}
	}
	return out
}

func (b Block) part(from, to int) (Block, bool) {
	if len(b.Blocks) == 0 {
		at := b.At
		var spans []richtext.Span
		for _, s := range b.Spans {
			n := utf8.RuneCountInString(s.Text)
			if a, z := max(from-at, 0), min(to-at, n); a < z {
				runes := []rune(s.Text)
				s.Text = string(runes[a:z])
				spans = append(spans, s)
			}
			at += n
		}
		empty := len(b.Spans) == 0 && b.At >= from && b.At < to
		b.Spans = spans
		return b, len(spans) > 0 || empty
	}
	var kept []Block
	some := false
	for _, c := range b.Blocks {
		p, ok := c.part(from, to)
		switch {
		case ok:
			some = true
			kept = append(kept, p)
		case b.Kind == Table && c.Head:
			kept = append(kept, c)
		case b.Kind == TableRow:
			kept = append(kept, Block{Kind: TableCell, Align: c.Align})
		}
	}
	b.Blocks = kept
	return b, some
}
