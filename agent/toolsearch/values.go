package toolsearch

import (
	"strings"

	"goated/internal/lazyregexp"
)

// values matches text that is an argument rather than a task, such as URLs, email addresses, quoted
// text, paths, file names, channels and CSS selectors.
var values = lazyregexp.New(`(?i)https?://\S+` +
	`|[\w.+-]+@[\w-]+\.\w+` +
	`|"[^"]*"|“[^”]*”|\x60[^\x60]*\x60|(?:^|[\s(])'[^']*'` +
	`|(?:~|\.{0,2})(?:/[\w.-]+)+/?|[\w-]+(?:/[\w.-]+)*/[\w-]+\.\w+` +
	`|\w+(?:[_-]\w+)*\.(?:txt|md|json|ya?ml|toml|ini|csv|log|go|py|js|ts|rs|c|h|java|sh|html|css|xml|docx?|pptx?|pdf|xlsx?|png|jpe?g|svg)\b` +
	`|(?:^|\s)[#.][A-Za-z][\w-]*`)

// extension matches the file extension of a document. It often shows which server the user means.
var extension = lazyregexp.New(`(?i)\.(?:docx?|xlsx?|pptx?|pdf|csv|md|html|png|svg)\b`)

// task returns a request without its values, because reading "/srv/project/settings.yaml" has
// nothing to do with projects. It returns the whole request if nothing else is left.
func task(query string) string {
	t := values.ReplaceAllStringFunc(query, func(v string) string {
		return " " + strings.Join(extension.FindAllString(v, -1), " ") + " "
	})
	if len(Words(t)) == 0 {
		return query
	}
	return t
}
