package launch

import (
	"regexp"
	"strings"
)

var (
	// standIns are values that a README leaves to its reader.
	standIns = regexp.MustCompile(`(?i)^<[^<>]+>$|^\[[a-z][a-z _-]*\]$|^\{[a-z][a-z _-]*\}$|^\{\{[^{}]+\}\}$|^%[a-z_]+%$|` +
		`^(your|my|insert|enter|paste|add|replace|put|change|the)[-_ ]+.*(key|token|secret|password|id|name|url|host|here|string|path|dir|directory|ref|email|account|pat|project|org|user|username|database|value)s?([-_ ]here)?$|` +
		`^your[-_ ]|[-_ ]here$|^\.\.\.$|^…$|^(x{3,}|\*{3,})$|(^|[-_])x{4,}$|(\.\.\.|…)$|^change[-_]?me$|^(todo|tbd|xxx|replace[-_]?me|placeholder)$|^api[-_]?key$`)
	// pathStandIns are paths of somebody else's computer.
	pathStandIns = regexp.MustCompile(`(?i)(^|[=:,])(/|[a-z]:[\\/]+)?(absolute[\\/-]+)?(path[\\/-]+to|full[\\/]path|your[\\/]path|path[\\/]to)([\\/]|$)|(/Users/|/home/|[a-z]:\\\\?Users\\\\?)(username|your[-_]?(user)?name|me|you|user|<[^>]+>|\[[^\]]+\])([\\/]|$)|/(some|other|your|my|custom)[-_/](allowed[-_])?(dir|folder|path|directory|project|vault|repo)s?([/]|$)|\bparent[_-]folder\b`)
	// part is a stand-in inside a value, such as in an address.
	part = regexp.MustCompile(`(?i)<(your|my|insert|path|token|api|project|user|name|host|db|database|password)[^<>]*>|\bYOUR[-_][A-Z_]+|\byour-(project|org|team|domain|site|company|instance|api)[-a-z]*\b|\{(your|project|user)[^{}]*\}|\[YOUR[^\]]*\]`)
)

// placeholder reports whether a value stands for the user's own, as in "YOUR_API_KEY".
func placeholder(value string) bool {
	value = strings.TrimSpace(value)
	if value == "" || len(value) > 400 {
		return false
	}
	if strings.HasPrefix(value, "--") {
		if _, after, ok := strings.Cut(value, "="); ok {
			return placeholder(after)
		}
		return false
	}
	return standIns.MatchString(value) || pathStandIns.MatchString(value) || part.MatchString(value)
}

// hint is the text of a placeholder, for the empty field; empty if it says nothing.
func hint(value string) string {
	text := strings.Trim(strings.TrimSpace(value), "<>[]{}%$ ")
	if text == "" || strings.Trim(text, ".…xX*") == "" {
		return ""
	}
	return text
}
