package commandtext

import (
	"strings"

	"goated/internal/lazyregexp"
)

// prompt matches what a terminal or a list adds before a command: the number or the bullet of a list,
// the Python environment, and the prompts of bash, zsh, fish, PowerShell and cmd.
var prompt = lazyregexp.New(`^\s*(?:` +
	`(?:\d{1,2}[.)]|[-*•+])\s+|` +
	`\([\w.-]+\)\s+|` +
	`[$%>❯»›]\s+|` +
	`\[[\w.-]+@[\w.-]+[^\]\n]*\]\s?[$#%]\s+|` +
	`[\w.-]+@[\w.-]+[:\s][^$#%"'\n]*[$#%>]\s+|` +
	`[\w.-]+:[~/]\S*\s+(?:[\w.-]+)?[$#]\s+|` +
	`(?:~[\w./-]*|bash-[\d.]+|sh-[\d.]+|[\w.-]+:[~/]\S*)\s?[$#%❯>]\s+|` +
	`PS(?:\s[^>"\n]*)?>\s*|[A-Za-z]:\\[^>"\n]*>\s*)`)

var (
	// arrow matches the prompt of Oh My Zsh.
	arrow = lazyregexp.New(`^\s*➜\s+`)
	// arrowFolder matches the folder and the branch after the arrow.
	arrowFolder = lazyregexp.New(`^(?:[~/][^\s]*|[\w.-]+(?:\s+git:\([^)\n]*\)))(?:\s+git:\([^)\n]*\))?\s+(?:✗\s+)?`)
	// more matches a shell's continuation prompt.
	more = lazyregexp.New(`^\s*>+\s+`)
)

// prompts limits how many prompts a line may start with, such as "1. (.venv) $".
const prompts = 4

// Prompted reports whether a text starts with a prompt, or with the number or the bullet of a list
// item.
func Prompted(text string) bool { return prompt.MatchString(text) }

// unprompted removes the prompts from a line.
func unprompted(line string) string {
	for range prompts {
		rest := prompt.ReplaceAllString(line, "")
		if arrow.MatchString(rest) {
			behind := arrow.FindString(rest)
			rest = arrowFolder.ReplaceAllString(rest[len(behind):], "")
			word, after, ok := strings.Cut(rest, " ")
			if next, _, _ := strings.Cut(after, " "); ok && !familiar[word] && familiar[next] { // only a folder name
				rest = after
			}
		}
		if rest == line {
			break
		}
		line = rest
	}
	return line
}

// continued joins the lines of a command that continues after \, ^ or `, even if a space follows that
// character. It inserts empty lines, so that the numbers of later lines do not change.
func continued(text string, windows bool) string {
	var out strings.Builder
	added := 0
	lines := strings.Split(text, "\n")
	goesOn := false
	for i, line := range lines {
		if goesOn {
			line = more.ReplaceAllString(line, " ")
		}
		was := goesOn
		bare := strings.TrimRight(line, " \t")
		escaped := strings.HasSuffix(bare, `\`) && !strings.HasSuffix(bare, `\\`)
		spaced := strings.HasSuffix(bare, " \\") || strings.HasSuffix(bare, " ^") || strings.HasSuffix(bare, " `") || strings.HasSuffix(bare, "\t\\") || was && len(bare) == 1
		goesOn = i+1 < len(lines) && (spaced || escaped && !windows) && !strings.HasPrefix(strings.TrimSpace(line), "#")
		if goesOn {
			out.WriteString(bare[:len(bare)-1])
			added++
			continue
		}
		out.WriteString(line)
		out.WriteString(strings.Repeat("\n", added))
		added = 0
		if i+1 < len(lines) {
			out.WriteByte('\n')
		}
	}
	return out.String()
}
