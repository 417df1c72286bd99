package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
)

// A formula is text between dollar signs, or in \(…\) or \[…\]. It is shown
// verbatim, like code, since its characters would otherwise be read as marks.
type formula struct {
	ast.BaseInline
	text    string
	display bool // in $$…$$ or \[…\]
}

var kindFormula = ast.NewNodeKind("Formula")

func (n *formula) Kind() ast.NodeKind            { return kindFormula }
func (n *formula) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type formulaParser struct{}

func (formulaParser) Trigger() []byte { return []byte{'$', '\\'} }

// Parse reads a formula but not an amount of money: a formula has no space inside
// its dollar signs and no digit after them.
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
		return &formula{text: string(line[2:end])}
	case line[0] == '\\':
		return nil
	}
	rest := string(line[1:])
	end := strings.IndexByte(rest, '$')
	if end <= 0 || rest[0] == ' ' || rest[end-1] == ' ' || rest[end-1] == '\\' ||
		end+1 < len(rest) && rest[end+1] >= '0' && rest[end+1] <= '9' {
		return nil
	}
	block.Advance(end + 2)
	return &formula{text: rest[:end]}
}

// displayed reads a formula of one or more lines, up to closing.
func displayed(block gtext.Reader, closing string) ast.Node {
	at, segment := block.Position()
	block.Advance(2)
	var inside strings.Builder
	for {
		line, _ := block.PeekLine()
		if line == nil {
			block.SetPosition(at, segment) // not closed: ordinary characters
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
		inside.Write(line)
		block.AdvanceLine()
	}
	if strings.TrimSpace(inside.String()) == "" {
		block.SetPosition(at, segment)
		return nil
	}
	return &formula{text: inside.String(), display: true}
}
