package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
)

// A formula is what stands between dollars, or in \(…\) or \[…\]. It is shown as
// it is written, like code: readable, and not taken apart by the marks of Markdown
// that it is full of.
type formula struct {
	ast.BaseInline
	text    string
	display bool // between two dollars on either side, or in \[…\]
}

var kindFormula = ast.NewNodeKind("Formula")

func (n *formula) Kind() ast.NodeKind            { return kindFormula }
func (n *formula) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type formulaParser struct{}

func (formulaParser) Trigger() []byte { return []byte{'$', '\\'} }

// Parse takes a formula, and leaves a sum of money what it is: nothing blank
// stands inside the dollars of a formula, and no digit after them.
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

// displayed is a formula that may have more than one line, up to closing.
func displayed(block gtext.Reader, closing string) ast.Node {
	at, segment := block.Position()
	block.Advance(2)
	var inside strings.Builder
	for {
		line, _ := block.PeekLine()
		if line == nil {
			block.SetPosition(at, segment) // never closed: ordinary characters
			return nil
		}
		if end := strings.Index(string(line), closing); end >= 0 {
			if closing == `\]` && end+2 < len(line) && line[end+2] == '(' {
				block.SetPosition(at, segment) // what would be a link, and is not to be one
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
