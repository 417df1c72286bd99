package pause

import (
	"strings"

	"goated/internal/lazyregexp"
	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/view/markdown"
)

// Asked returns a question on one line, without Markdown marks.
func Asked(q dialog.Question) string { return safetext.OneLine(unmarked(q.Kind(), q.Subject())) }

// unmarked returns the text of a question without Markdown marks. From a text of one line, it
// removes only pairs of ** and of backticks, because a parser would change a name such as
// __init__.py. It does not change a confirmation, because the user agrees to each of its
// characters.
func unmarked(k dialog.Kind, text string) string {
	text = strings.TrimSpace(text)
	switch {
	case k == dialog.KindConfirm:
		return text
	case strings.Contains(text, "\n"):
		return markdown.Unmarked(text)
	}
	return code.ReplaceAllString(bold.ReplaceAllString(text, "$1$2$3"), "$1$2$3")
}

// bold and code match a pair of marks around words. They do not match a path such as src/**/*.go.
var (
	bold = lazyregexp.New("(^|[\\s(\"'])\\*\\*([\\pL\\pN`](?:[^*]*[\\pL\\pN`.!?:])?)\\*\\*($|[\\s)\"'.,;:!?])")
	code = lazyregexp.New("(^|[^`\\\\])`([^`]+)`($|[^`])")
)
