package pause

import (
	"strings"

	"goated/internal/lazyregexp"
	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/view"
)

// Asked returns what a question asks on one line, without the marks of its Markdown.
func Asked(q dialog.Question) string { return safetext.OneLine(unmarked(q.Kind(), q.Subject())) }

// unmarked returns the text of a question without the marks of its Markdown. One line loses only
// its pairs of ** and of backticks: a parser would change a name such as __init__.py. A
// confirmation stays as it is, because the user agrees to each character of it.
func unmarked(k dialog.Kind, text string) string {
	text = strings.TrimSpace(text)
	switch {
	case k == dialog.KindConfirm:
		return text
	case strings.Contains(text, "\n"):
		return view.Unmarked(text)
	}
	return code.ReplaceAllString(bold.ReplaceAllString(text, "$1$2$3"), "$1$2$3")
}

// bold and code match a pair of marks around words. A path such as src/**/*.go has none.
var (
	bold = lazyregexp.New("(^|[\\s(\"'])\\*\\*([\\pL\\pN`](?:[^*]*[\\pL\\pN`.!?:])?)\\*\\*($|[\\s)\"'.,;:!?])")
	code = lazyregexp.New("(^|[^`\\\\])`([^`]+)`($|[^`])")
)
