package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"

	"goated/ui/richtext"
)

// A going is the frozen part of an unfinished block: the items of a list, the rows of a table,
// the spans of a paragraph, or the lines of fenced code.
type going struct {
	kind  BlockKind
	from  int             // the offset of the block in the source
	items []Block         // the items of a list, or the rows of a table
	at    int             // their length in characters
	loose bool            // for a list: there is space between its items
	head  string          // the first two lines of a table
	spans []richtext.Span // the spans of a paragraph
	shown int             // how many bytes of code, or spans of a paragraph, were shown
	tried int             // the length of a paragraph at the last attempt to split it

	char        byte // the fence character; 0 if it is not fenced code
	fence, code int  // the length of the fence, and the offset of the first line
	line        int  // the offset of the first line that may close the fence
}

// inner returns how many children or spans were already shown.
func (g *going) inner() int {
	if g.kind == Paragraph {
		n := g.shown
		g.shown = len(g.spans)
		return n
	}
	return len(g.items)
}

// goOn puts the frozen part before the newly parsed part. It reports whether the two are one
// block, because a new line can change the kind of the whole block.
func (d *Document) goOn(tail []placed) bool {
	g := &d.going
	if len(g.items)+len(g.spans) == 0 {
		return true
	}
	if len(tail) == 0 || tail[0].Kind != g.kind {
		return false
	}
	b := &tail[0].Block
	switch g.kind {
	case Paragraph:
		b.Spans = append(g.spans, b.Spans...)
		return true
	case Table:
		b.Blocks = b.Blocks[1:] // removes the repeated head
	case List:
		b.Loose = b.Loose || g.loose
		if first := g.items[0].Marker; first != "•" {
			delimiter := first[len(first)-1:]
			start, _ := strconv.Atoi(strings.TrimSuffix(first, delimiter)) // the parser has written this number
			for i := range b.Blocks {
				b.Blocks[i].Marker = strconv.Itoa(start+len(g.items)+i) + delimiter
			}
		}
	}
	w := plainWriter{mark: true, at: g.at}
	for i := range b.Blocks {
		w.write("\n")
		w.block(&b.Blocks[i], 1)
	}
	b.Blocks = append(g.items, b.Blocks...)
	return true
}

// part freezes the finished part of a text's only block.
func (d *Document) part(text string, b placed) {
	switch b.Kind {
	case List:
		d.partList(text, b)
	case Table:
		d.partTable(text, b)
	case Paragraph:
		d.partParagraph(text, b)
	case Code:
		d.partCode(text, b)
	}
}

// partList freezes all items except the last.
func (d *Document) partList(text string, b placed) {
	if b.item <= 0 || strings.IndexByte(text[b.item:], '\n') < 0 {
		return
	}
	n := len(b.Blocks) - 1
	d.begin(List)
	d.going.items, d.going.at = b.Blocks[:n], b.Blocks[n].At-1
	d.going.loose = b.Loose || strings.HasSuffix(text[:b.item], "\n\n")
	d.frozen += b.item
}

// begin records where a block begins when its first part is frozen.
func (d *Document) begin(kind BlockKind) {
	if d.going.kind != kind || len(d.going.items)+len(d.going.spans) == 0 {
		d.going = going{kind: kind, from: d.frozen}
	}
}

// partTable freezes all rows on complete lines.
func (d *Document) partTable(text string, b placed) {
	rows := text
	head := d.going.head
	if head == "" {
		rows = text[max(b.from, 0):]
		first := strings.IndexByte(rows, '\n') + 1
		second := strings.IndexByte(rows[first:], '\n') + 1
		if b.from < 0 || first == 0 || second == 0 {
			return
		}
		head, rows = rows[:first+second], rows[first+second:]
	}
	end := strings.LastIndexByte(rows, '\n') + 1
	have := max(len(d.going.items), 1) + strings.Count(rows[:end], "\n")
	left := len(b.Blocks) - have
	if end == 0 || strings.TrimSpace(rows[end:]) == "" && left != 0 || strings.TrimSpace(rows[end:]) != "" && left != 1 {
		return
	}
	if strings.Contains("\n"+rows[:end], "\n\n") {
		return
	}
	d.begin(Table)
	d.going.head = head
	d.going.items = b.Blocks[:have]
	last := b.Blocks[have-1]
	w := plainWriter{at: last.At}
	w.block(&last, 1)
	d.going.at = w.at
	d.frozen += len(text) - len(rows) + end
}

// partLeft is how many bytes at the end of a paragraph stay unfrozen. The next attempt to split
// the paragraph waits for partAgain more bytes.
const (
	partLeft  = 384
	partAgain = 512
)

// partParagraph freezes the start of a paragraph, up to a place where no mark is open. Later text
// cannot change that part.
func (d *Document) partParagraph(text string, b placed) {
	if len(text) < d.going.tried+partAgain+partLeft {
		return
	}
	d.going.tried = len(text) - partLeft
	at := len(text) - partLeft
	for range 4 {
		at = wordBefore(text, at)
		if at <= 0 {
			return
		}
		if spans, ok := d.settled(text, at, b.Spans); ok {
			held := d.going
			d.begin(Paragraph)
			d.going.spans = append(append(make([]richtext.Span, 0, len(held.spans)+len(spans)+64), held.spans...), spans...)
			d.going.shown = len(held.spans)
			d.going.tried = 0
			d.frozen += at
			return
		}
		at -= 64
	}
}

// wordBefore returns the last offset, at most at, where a word follows another word. It returns 0
// if there is none.
func wordBefore(text string, at int) int {
	for ; at > 1; at-- {
		r, _ := utf8.DecodeRuneInString(text[at:])
		if unicode.IsLetter(r) && text[at-1] == ' ' && text[at-2] > ' ' && text[at-2] != '\\' {
			return at
		}
	}
	return 0
}

// settled returns the spans of the text before at, if later text cannot change them. all are the
// spans of the whole paragraph.
func (d *Document) settled(text string, at int, all []richtext.Span) ([]richtext.Span, bool) {
	before, _ := read(text[:at], d.known)
	after, _ := read(text[at:], d.known)
	if len(before) != 1 || len(after) != 1 || before[0].Kind != Paragraph || after[0].Kind != Paragraph {
		return nil, false
	}
	spans := add(before[0].Spans, " ", richtext.Span{})
	if openMark(spans, text[:at], text[at:]) || !equalSpans(append(spans[:len(spans):len(spans)], after[0].Spans...), all[len(d.going.spans):]) {
		return nil, false
	}
	return spans, true
}

// openMark reports whether spans contain a mark that later text could close.
func openMark(spans []richtext.Span, source, after string) bool {
	brackets := 0
	for _, s := range spans {
		if s.Code || s.TeX != "" {
			continue
		}
		for i := range len(s.Text) {
			next := byte(' ')
			if i+1 < len(s.Text) {
				next = s.Text[i+1]
			}
			switch s.Text[i] {
			case '*', '~':
				if i == 0 || s.Text[i-1] != ' ' || next != ' ' {
					return true
				}
			case '_':
				if i == 0 || !wordByte(s.Text[i-1]) || !wordByte(next) {
					return true
				}
			case '`':
				return true
			case '[':
				brackets++
			case ']':
				brackets = max(brackets-1, 0)
			case '<':
				if next != ' ' && next != '=' && (next < '0' || next > '9') {
					return true
				}
			case '$':
				if next == '$' {
					return true
				}
			}
		}
	}
	if strings.Count(source, `\(`) > strings.Count(source, `\)`) || strings.Count(source, `\[`) > strings.Count(source, `\]`) {
		return true
	}
	return brackets > 0 || money(source, after) && strings.Contains(richtext.PlainText(spans), "$")
}

// money reports whether the last dollar sign in before can still begin a formula. That requires
// another dollar sign on the same line.
func money(before, after string) bool {
	i := strings.LastIndexByte(before, '$')
	if i < 0 || strings.HasPrefix(before[i:], "$ ") || strings.IndexByte(before[i:], '\n') >= 0 {
		return false
	}
	end := strings.IndexAny(after, "$\n")
	return end < 0 || end == len(after)-1
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// partCode makes the document take the lines of fenced code without parsing, until the fence is
// closed.
func (d *Document) partCode(text string, b placed) {
	if b.from < 0 || len(b.Spans) != 1 {
		return
	}
	lines := text[b.from:]
	end := strings.IndexByte(lines, '\n') + 1
	if end == 0 || lines[0] != '`' && lines[0] != '~' {
		return
	}
	n := 1
	for n < end && lines[n] == lines[0] {
		n++
	}
	at := d.frozen + b.from + end
	g := going{kind: Code, char: lines[0], fence: n, code: at, line: at, shown: len(b.Spans[0].Text)}
	if n < 3 || g.scan(d.source) || g.lines(d.source) != b.Spans[0].Text {
		return
	}
	d.going = g
}

// scan looks for the closing fence among the complete lines.
func (g *going) scan(text string) (closed bool) {
	for {
		end := strings.IndexByte(text[g.line:], '\n')
		if end < 0 {
			return false
		}
		if g.closes(text[g.line : g.line+end+1]) {
			return true
		}
		g.line += end + 1
	}
}

func (g *going) closes(line string) bool {
	wide, at := util.IndentWidth([]byte(line), 0)
	n := at
	for n < len(line) && line[n] == g.char {
		n++
	}
	return wide < 4 && n-at >= g.fence && util.IsBlank([]byte(line[n:]))
}

// lines returns the code so far.
func (g *going) lines(text string) string {
	end := len(text)
	if g.closes(text[g.line:]) {
		end = g.line
	}
	return strings.TrimSuffix(text[g.code:end], "\n")
}

// goOnCode appends lines to fenced code. It returns false if the fence is closed and the text
// after it must be parsed.
func (d *Document) goOnCode(text string) bool {
	g := &d.going
	closed := g.scan(text)
	b := &d.blocks[len(d.blocks)-1]
	next := *b
	next.Spans = []richtext.Span{{Text: g.lines(text), Code: true}}
	if closed {
		end := g.line + strings.IndexByte(text[g.line:], '\n') + 1
		next.Spans[0].Text = strings.TrimSuffix(text[g.code:g.line], "\n")
		*b = next
		d.kept, d.frozen, d.going = len(d.blocks), end, going{}
		return false
	}
	*b = next
	g.shown = len(next.Spans[0].Text)
	return true
}
