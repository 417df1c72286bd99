package commandtext

import (
	"slices"
	"strings"
)

// noCommands are the languages of code blocks that start no server.
var noCommands = []string{
	"python", "py", "typescript", "ts", "tsx", "javascript", "js", "jsx", "java", "kotlin", "csharp", "cs", "go", "rust", "ruby", "php", "swift", "css", "html",
	"sql", "graphql", "mermaid", "diff", "dockerfile", "http", "markdown", "md", "tree", "prompt", "bibtex",
}

// Blocks returns the fenced code blocks in a Markdown text, at most as many as most. A block in a
// language that starts no server is empty. prose reports whether there is text around the blocks.
func Blocks(text string, most int) (list []string, prose bool) {
	var inside []string
	mark, before, language := "", "", ""
	for line := range strings.SplitSeq(text, "\n") {
		bare := strings.TrimLeft(line, " \t>")
		fence := bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
		if fence == "" {
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, "~"))]
		}
		info := strings.TrimSpace(bare[len(fence):])
		switch {
		case mark == "" && len(fence) > 2 && !strings.Contains(info, "`"):
			mark, before, language, inside = fence, line[:len(line)-len(bare)], strings.ToLower(info), nil
		case mark == "":
			prose = prose || bare != ""
		case strings.HasPrefix(fence, mark) && info == "":
			if language, _, _ = strings.Cut(language, " "); slices.Contains(noCommands, language) {
				inside = nil
			}
			list = append(list, strings.Join(inside, "\n"))
			mark = ""
		default:
			inside = append(inside, strings.TrimPrefix(line, before))
		}
		if len(list) == most {
			break
		}
	}
	return list, prose
}

// Lines returns the lines of a text that start with a program that READMEs use to start servers. Each
// includes its continuation lines. Lines returns at most as many as most, none much longer than the
// given number of bytes.
func Lines(text string, most, bytes int) (out []string) {
	var line string
	for l := range strings.SplitSeq(text, "\n") {
		if line == "" && (len(out) == most || len(l) > bytes || !LooksLikeCommand(l) || punctuated(l)) {
			continue
		}
		line += l + "\n"
		if bare := strings.TrimSpace(l); !strings.HasSuffix(bare, `\`) || len(line) > bytes {
			out, line = append(out, line), ""
		}
	}
	return out
}

// punctuated reports whether a line contains the punctuation of a sentence.
func punctuated(line string) bool {
	return slices.ContainsFunc(strings.Fields(line), func(w string) bool { return len(w) > 1 && w != ".." && strings.ContainsAny(w[len(w)-1:], ".,:;") })
}
