package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
)

// An inlineTeX is TeX between dollar signs, or in \(…\) or \[…\], within a paragraph.
type inlineTeX struct {
	ast.BaseInline
	text    string
	source  string // the source, including the enclosing marks
	display bool   // in $$…$$ or \[…\]
}

var kindFormula = ast.NewNodeKind("Formula")

func (n *inlineTeX) Kind() ast.NodeKind            { return kindFormula }
func (n *inlineTeX) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type formulaParser struct{}

func (formulaParser) Trigger() []byte { return []byte{'$', '\\'} }

// Parse parses a formula, but not an amount of money. A formula has no space directly inside its
// dollar signs, and no digit after them.
func (formulaParser) Parse(_ ast.Node, block gtext.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	switch {
	case strings.HasPrefix(string(line), "$$"):
		return displayed(block, "$$")
	case strings.HasPrefix(string(line), `\[`):
		return displayed(block, `\]`)
	case strings.HasPrefix(string(line), `\(`):
		end := strings.Index(string(line), `\)`)
		if end < 0 || strings.TrimSpace(string(line[2:end])) == "" {
			return nil
		}
		block.Advance(end + 2)
		return &inlineTeX{text: string(line[2:end]), source: string(line[:end+2])}
	case line[0] == '\\':
		return nil
	}
	rest := string(line[1:])
	end := strings.IndexByte(rest, '$')
	if end <= 0 || rest[0] == ' ' || rest[end-1] == ' ' || rest[end-1] == '\\' ||
		end+1 < len(rest) && rest[end+1] >= '0' && rest[end+1] <= '9' || prose(rest[:end]) {
		return nil
	}
	block.Advance(end + 2)
	return &inlineTeX{text: rest[:end], source: "$" + rest[:end] + "$"}
}

// prose reports whether text consists of words between two amounts of money, such as $10 or US$.
func prose(text string) bool {
	return strings.Contains(text, " ") && !strings.ContainsAny(text, `\^_{}=+<>|`)
}

// displayed parses a formula of one or more lines, up to closing.
func displayed(block gtext.Reader, closing string) ast.Node {
	at, segment := block.Position()
	block.Advance(2)
	var inside strings.Builder
	for {
		line, _ := block.PeekLine()
		if line == nil {
			block.SetPosition(at, segment) // not closed: these are ordinary characters
			return nil
		}
		if end := strings.Index(string(line), closing); end >= 0 {
			if closing == `\]` && end+2 < len(line) && line[end+2] == '(' {
				block.SetPosition(at, segment) // it looks like a link: keep the characters
				return nil
			}
			inside.Write(line[:end])
			block.Advance(end + 2)
			break
		}
		if inside.Len() > 0 && closing == `\]` && strings.Contains(string(line), `\[`) {
			block.SetPosition(at, segment)
			return nil
		}
		inside.Write(line)
		block.AdvanceLine()
	}
	if strings.TrimSpace(inside.String()) == "" {
		block.SetPosition(at, segment)
		return nil
	}
	source := map[string]string{"$$": "$$", `\]`: `\[`}[closing] + inside.String() + closing
	return &inlineTeX{text: inside.String(), source: source, display: true}
}
