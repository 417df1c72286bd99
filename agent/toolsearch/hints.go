package toolsearch

import (
	"regexp"
	"strings"
)

// patterns are forms of text that say what a request is about.
var patterns = []struct {
	form  *regexp.Regexp
	words string
}{
	{regexp.MustCompile(`(?:^|\s)(?:~|\.{0,2})/[\w.-]+|\w\.(?:txt|md|json|ya?ml|toml|ini|csv|log|go|py|js|ts|rs|c|h|java|sh|html|css|xml|docx?|pdf|xlsx?)\b`), "file path"},
	{regexp.MustCompile(`(?i)https?://|www\.|\b[\w-]+\.(?:com|org|net|io|dev|de|fr|uk)\b`), "url navigate web"},
	{regexp.MustCompile(`(?:^|\s)#[A-Za-z][\w-]+`), "channel message"},
	{regexp.MustCompile(`\b[A-Z][A-Z0-9]+-\d+\b`), "issue jira"},
	{regexp.MustCompile(`[\w.+-]+@[\w-]+\.\w+`), "email"},
	{regexp.MustCompile(`(?i)\bselect\b.+\bfrom\b`), "sql query"},
	{regexp.MustCompile(`\bPRs?\b`), "pull request"},
	{regexp.MustCompile(`(?i)\b(?:in|into|to) (?:english|german|french|spanish|italian|chinese|japanese|russian|portuguese|arabic|hindi|korean|turkish|dutch|polish)\b`), "translate language"},
	{regexp.MustCompile(`(?i)\b(?:set up|arrange|plan)\b`), "create"},
	{regexp.MustCompile(`(?i)\blook(?:ing)? (?:for|up)\b`), "search"},
	{regexp.MustCompile(`(?i)\b(?:switch|turn)(?:ed)? (?:on|off)\b`), "turn"},
	{regexp.MustCompile(`(?i)\b(?:put|save|store|dump)\b.*\b(?:in|into|to|as)\b`), "write"},
	{regexp.MustCompile(`(?i)\bget rid of\b`), "delete"},
	{regexp.MustCompile(`(?i)\bto-?do\b`), "task"},
	{regexp.MustCompile(`(?i)\b(?:on|from) the (?:internet|web|net)\b`), "web search"},
	{regexp.MustCompile(`(?i)\b(?:warm|cold|hot|cool)(?:er)?\b`), "temperature"},
	{regexp.MustCompile(`(?i)\b(?:know|store|remember|saved?) about\b`), "search memory"},
	{regexp.MustCompile(`(?i)\bhow (?:big|large)\b`), "size metadata info"},
	{regexp.MustCompile(`(?i)\bhow (?:far|long)\b`), "distance duration"},
	{regexp.MustCompile(`(?i)\bhow (?:high|tall)\b`), "height elevation"},
	{regexp.MustCompile(`(?i)\bhow (?:many)\b`), "count number"},
	{regexp.MustCompile(`(?i)\bhow much\b`), "amount price balance"},
	{regexp.MustCompile(`(?i)\bhow do (?:i|we) get (?:from|to)\b|\bway (?:from|to)\b`), "directions route"},
	{regexp.MustCompile(`(?i)\bwhat time\b`), "current time"},
	{regexp.MustCompile(`(?i)\bwho\b`), "user people"},
	{regexp.MustCompile(`(?i)\bwhere\b.*\b(?:code|used|function|defined)\b`), "search code"},
	{regexp.MustCompile(`(?i)\bwhat(?:'s| is| was| are) (?:in|on|said)\b`), "list history"},
	{regexp.MustCompile(`(?i)\bfile an?\b`), "create"},
}

// hints returns words that a request means but does not say.
func hints(query string) []string {
	var out []string
	for _, p := range patterns {
		if p.form.MatchString(query) {
			out = append(out, Words(strings.TrimSpace(p.words))...)
		}
	}
	return out
}
