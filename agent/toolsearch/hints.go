package toolsearch

import (
	"strings"

	"goated/internal/lazyregexp"
)

// patterns maps forms of text, such as file paths, to words for the topic of the request.
var patterns = []struct {
	form  *lazyregexp.Regexp
	words string
}{
	{lazyregexp.New(`(?:^|\s)(?:~|\.{0,2})/[\w.-]+|\w\.(?:txt|md|json|ya?ml|toml|ini|csv|log|go|py|js|ts|rs|c|h|java|sh|html|css|xml|docx?|pdf|xlsx?)\b`), "file path"},
	{lazyregexp.New(`(?i)https?://|www\.|\b[\w-]+\.(?:com|org|net|io|dev|de|fr|uk)\b`), "url navigate web"},
	{lazyregexp.New(`(?:^|\s)#[A-Za-z][\w-]+`), "channel message"},
	{lazyregexp.New(`\b[A-Z][A-Z0-9]+-\d+\b`), "issue jira"},
	{lazyregexp.New(`[\w.+-]+@[\w-]+\.\w+`), "email"},
	{lazyregexp.New(`(?i)\bselect\b.+\bfrom\b`), "sql query"},
	{lazyregexp.New(`\bPRs?\b`), "pull request"},
	{lazyregexp.New(`(?i)\b(?:in|into|to) (?:english|german|french|spanish|italian|chinese|japanese|russian|portuguese|arabic|hindi|korean|turkish|dutch|polish)\b`), "translate language"},
	{lazyregexp.New(`(?i)\b(?:set up|arrange|plan)\b`), "create"},
	{lazyregexp.New(`(?i)\blook(?:ing)? (?:for|up)\b`), "search"},
	{lazyregexp.New(`(?i)\b(?:switch|turn)(?:ed)? (?:on|off)\b`), "turn"},
	{lazyregexp.New(`(?i)\b(?:put|save|store|dump)\b.*\b(?:in|into|to|as)\b`), "write"},
	{lazyregexp.New(`(?i)\bget rid of\b`), "delete"},
	{lazyregexp.New(`(?i)\bto-?do\b`), "task"},
	{lazyregexp.New(`(?i)\b(?:on|from) the (?:internet|web|net)\b`), "web search"},
	{lazyregexp.New(`(?i)\b(?:warm|cold|hot|cool)(?:er)?\b`), "temperature"},
	{lazyregexp.New(`(?i)\b(?:know|store|remember|saved?) about\b`), "search memory"},
	{lazyregexp.New(`(?i)\bhow (?:big|large)\b`), "size metadata info"},
	{lazyregexp.New(`(?i)\bhow (?:far|long)\b`), "distance duration"},
	{lazyregexp.New(`(?i)\bhow (?:high|tall)\b`), "height elevation"},
	{lazyregexp.New(`(?i)\bhow (?:many)\b`), "count number"},
	{lazyregexp.New(`(?i)\bhow much\b`), "amount price balance"},
	{lazyregexp.New(`(?i)\bhow do (?:i|we) get (?:from|to)\b|\bway (?:from|to)\b`), "directions route"},
	{lazyregexp.New(`(?i)\bwhat time\b`), "current time"},
	{lazyregexp.New(`(?i)\bwho\b`), "user people"},
	{lazyregexp.New(`(?i)\bwhere\b.*\b(?:code|used|function|defined)\b`), "search code"},
	{lazyregexp.New(`(?i)\bwhat(?:'s| is| was| are) (?:in|on|said)\b`), "list history"},
	{lazyregexp.New(`(?i)\bfile an?\b`), "create"},
}

// hints returns words that a request implies but does not contain.
func hints(query string) []string {
	var out []string
	for _, p := range patterns {
		if p.form.MatchString(query) {
			out = append(out, Words(strings.TrimSpace(p.words))...)
		}
	}
	return out
}
