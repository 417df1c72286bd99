package view

import (
	"regexp"
	"strings"
)

// A BlockKind says how a block of an answer is set.
type BlockKind int

// The kinds of block.
const (
	Paragraph BlockKind = iota
	Heading             // Level 1 to 6
	Bullet              // Level is the depth of indentation, from 0
	Numbered            // Marker is the number as written
	Code                // Text is verbatim; Marker is the language
	Quote
	Rule
)

// A Block is one part of an answer that stands by itself: while an answer
// grows, only its last block changes.
type Block struct {
	Kind   BlockKind
	Level  int
	Marker string
	Spans  []Span // what it says; for Code one span
}

// Listed reports whether the block is an item of a list.
func (b Block) Listed() bool { return b.Kind == Bullet || b.Kind == Numbered }

// A Span is a run of text in one style.
type Span struct {
	Text               string
	Bold, Italic, Code bool
}

var (
	headingLine  = regexp.MustCompile(`^ {0,3}(#{1,6})\s+(.*?)\s*#*$`)
	bulletLine   = regexp.MustCompile(`^(\s*)[-*+]\s+(.*)$`)
	numberedLine = regexp.MustCompile(`^(\s*)(\d{1,4}[.)])\s+(.*)$`)
	fenceLine    = regexp.MustCompile("^ {0,3}(```+|~~~+)\\s*([^`]*)$")
	ruleLine     = regexp.MustCompile(`^ {0,3}([-*_])(\s*[-*_]){2,}\s*$`)
)

// Blocks parts Markdown into blocks. It knows what models write: paragraphs,
// headings, lists, quotes, tables, fenced code and rules. Anything else, links
// among it, stays readable as it was written: where a link leads must be seen.
func Blocks(text string) []Block {
	var (
		blocks []Block
		open   []string // lines of the paragraph or quote under way
		kind   BlockKind
	)
	flush := func() {
		if len(open) > 0 {
			blocks = append(blocks, Block{Kind: kind, Spans: Spans(strings.Join(open, "\n"))})
		}
		open, kind = nil, Paragraph
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t\r")
		if m := fenceLine.FindStringSubmatch(line); m != nil {
			flush()
			end := i + 1
			for end < len(lines) && !closes(lines[end], m[1]) {
				end++
			}
			blocks = append(blocks, Block{Kind: Code, Marker: m[2], Spans: []Span{{Text: strings.Join(lines[i+1:end], "\n"), Code: true}}})
			i = end
			continue
		}
		if text, n := table(lines[i:]); n > 0 {
			flush()
			blocks = append(blocks, Block{Kind: Code, Marker: "table", Spans: []Span{{Text: text, Code: true}}})
			i += n - 1
			continue
		}
		quote := strings.HasPrefix(line, ">")
		switch {
		case line == "":
			flush()
		case ruleLine.MatchString(line):
			flush()
			blocks = append(blocks, Block{Kind: Rule})
		case headingLine.MatchString(line):
			m := headingLine.FindStringSubmatch(line)
			flush()
			blocks = append(blocks, Block{Kind: Heading, Level: len(m[1]), Spans: Spans(m[2])})
		case bulletLine.MatchString(line):
			m := bulletLine.FindStringSubmatch(line)
			flush()
			blocks = append(blocks, Block{Kind: Bullet, Level: depth(m[1]), Marker: "•", Spans: Spans(m[2])})
		case numberedLine.MatchString(line):
			m := numberedLine.FindStringSubmatch(line)
			flush()
			blocks = append(blocks, Block{Kind: Numbered, Level: depth(m[1]), Marker: m[2], Spans: Spans(m[3])})
		default:
			if quote != (kind == Quote) {
				flush()
			}
			if quote {
				kind, line = Quote, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
			}
			// An indented line goes on with the item of a list above it.
			if n := len(blocks); len(open) == 0 && n > 0 && lines[i][0] == ' ' && i > 0 && strings.TrimSpace(lines[i-1]) != "" &&
				(blocks[n-1].Kind == Bullet || blocks[n-1].Kind == Numbered) {
				blocks[n-1].Spans = append(blocks[n-1].Spans, Spans(" "+strings.TrimSpace(line))...)
				continue
			}
			open = append(open, line)
		}
	}
	flush()
	return blocks
}

// closes reports whether line ends the fence that was opened with mark.
func closes(line, mark string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= len(mark) && strings.Trim(line, mark[:1]) == ""
}

func depth(indent string) int {
	return min(len(strings.ReplaceAll(indent, "\t", "    "))/2, 4)
}

// Spans parts a text into runs of bold, italic and code. A mark without its
// partner is an ordinary character.
func Spans(text string) []Span {
	var spans []Span
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			spans = append(spans, Span{Text: plain.String()})
			plain.Reset()
		}
	}
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1 && strings.IndexByte("\\`*_#-.![]()", rest[1]) >= 0:
			plain.WriteByte(rest[1])
			i += 2
			continue
		case rest[0] == '`':
			mark := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
			if inner, _, ok := strings.Cut(rest[len(mark):], mark); ok && inner != "" {
				flush()
				spans = append(spans, Span{Text: strings.Trim(inner, " "), Code: true})
				i += 2*len(mark) + len(inner)
				continue
			}
			plain.WriteString(mark)
			i += len(mark)
			continue
		case strings.HasPrefix(rest, "**"), strings.HasPrefix(rest, "__"):
			if inner, ok := emphasised(text, i, rest[:2]); ok {
				flush()
				for _, s := range Spans(inner) {
					s.Bold = true
					spans = append(spans, s)
				}
				i += 4 + len(inner)
				continue
			}
			plain.WriteString(rest[:2])
			i += 2
			continue
		case rest[0] == '*', rest[0] == '_':
			if inner, ok := emphasised(text, i, rest[:1]); ok {
				flush()
				for _, s := range Spans(inner) {
					s.Italic = true
					spans = append(spans, s)
				}
				i += 2 + len(inner)
				continue
			}
		}
		plain.WriteByte(rest[0])
		i++
	}
	flush()
	return spans
}

// emphasised finds what stands between the mark at i and its partner. An
// underscore inside a word is part of a name such as read_file.
func emphasised(text string, i int, mark string) (string, bool) {
	if mark[0] == '_' && i > 0 && isWord(text[i-1]) {
		return "", false
	}
	from := i + len(mark)
	// Nothing emphasised is as long as this. Without a bound a text of nothing
	// but marks would take for ever.
	text = text[:min(len(text), from+2000)]
	for at := from; ; {
		n := strings.Index(text[at:], mark)
		if n < 0 {
			return "", false
		}
		end := at + n
		if len(mark) == 2 && strings.HasPrefix(text[end:], mark+mark[:1]) {
			end++ // of three, the first closes what is inside
		}
		after := end + len(mark)
		inner := text[from:end]
		if inner != "" && inner[0] != ' ' && inner[len(inner)-1] != ' ' &&
			(mark[0] != '_' || after == len(text) || !isWord(text[after])) &&
			(len(mark) == 2 || after == len(text) || text[after] != mark[0]) {
			return inner, true
		}
		at = after
	}
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
