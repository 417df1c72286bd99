// Package placeholder recognizes values that a README leaves to its reader, such as YOUR_API_KEY
// and /Users/username/Desktop. It also names the inputs that ask for the reader's own values.
//
// It has no state. It must not know where a text comes from, or how servers start.
package placeholder

import (
	"strings"

	"goated/internal/lazyregexp"
)

var (
	// standIns matches placeholders in READMEs. Words such as "add-key" may be commands or package
	// names, so a verb alone is not enough.
	standIns = lazyregexp.New(`(?i)^<{1,2}[^<>]*>{1,2}$|^\[[a-z][a-z _-]{2,}\]$|^\([a-z][a-z _-]{2,}\)$|^\{[a-z][a-z _-]{2,}\}$|^\{\{[^{}]+\}\}$|^%[a-z_]+%$|` +
		`^(your|insert|enter|paste|add|replace|put|change)[-_ ]+((with|in)[-_ ]+)?(your|my|the|a)[-_ ].+$|^my[-_ ]+.*(key|token|secret|password)s?$|` +
		`^your[-_ ]|^(your|insert|enter|paste|replace|put)_[a-z_]*(key|token|secret|password|id|url|path)$|(key|token|secret|password|passwd|id|name|url|host|string|path|value|ref|email)s?[-_ ]here$|` +
		`^\.\.\.$|^…$|^\*{3,}$|(^|[-_.])(x{3,}|\*{3,})$|(\.\.\.|…)$|^change[-_]?me$|^fill[-_]?(me|this)?[-_]?in$|^(todo|tbd|replace[-_]?me|placeholder)$|^api[-_]?key$|` +
		`@(example|domain|company|yourdomain)\.(com|org)$|^(your|your[-_.]?name)@|^(user|username)@(host|hostname|server|remote[-_]?(host|server)?|ip[-_]?(address)?)$|^path[-_]to[-_][a-z_-]+$|://(user|username|my[-_]?user):(pass|password|passwd|my[-_]?password)@`)
	// camel matches placeholders such as "yourApiKey".
	camel = lazyregexp.New(`^[yY]our[A-Z]|\byour(?:domain|company|org|site|team|workspace|instance)\b`)
	// elsewhere matches the beginning of a placeholder in Chinese, Japanese and Korean READMEs, for
	// example "your" and "enter here".
	elsewhere = lazyregexp.New(`(^|[=:/@<"' _-])(请|請)?(在?此处?|在?這?这?里)?(你的|您的|填写|填入|填寫|输入|輸入|替换|替換|あなたの|お使いの|ご自身の|自分の|ここに|여기에|당신의|본인의|사용자의)`)
	// secretOfCopilot matches the name of a repository secret, which GitHub's coding agent fills
	// in.
	secretOfCopilot = lazyregexp.New(`^\$?COPILOT_MCP_[A-Z0-9_]+$`)
	// named matches values that are the name of another variable, for example STRIPE_SECRET_KEY.
	named = lazyregexp.New(`^(?:[A-Z][A-Z0-9]*_)+(?:KEY|TOKEN|SECRET|PASSWORD|ID)$|^[a-z]+-user-token$`)
	// inAddress matches a placeholder in braces, as READMEs write it in URLs.
	inAddress = lazyregexp.New(`^https?://[^\s]*[/=@.:{]\{[A-Za-z][\w -]*\}`)
	// nouns matches values that only describe what the value is.
	nouns = lazyregexp.New(`(?i)^(api[-_ ]?|access[-_ ]?|bot[-_ ]?|auth[-_ ]?)?(key|token|secret|password)$`)
	// pathStandIns matches paths on another person's computer.
	pathStandIns = lazyregexp.New(`(?i)(^|[=:,{])(~?/{1,4}|[a-z]:[\\/]+)?(absolute[\\/_-]+)?(path[\\/_-]+to(?:[-_][\w-]+)?|full[\\/]path|your[\\/]path|path[\\/]to)([\\/]|$)|(/Users/|/home/|[a-z]:\\\\?Users\\\\?)(username|your[-_]?(user)?name|me|you|user|<[^>]+>|\[[^\]]+\])([\\/]|$)|\bparent[_-]folder\b`)
	// someFolder matches a part of such a path, and a part of "your-org/your-repo".
	someFolder = lazyregexp.New(`(?i)/(some|other|your|my|custom)[-_/](allowed[-_])?(dir|folder|path|directory|project|vault|repo)s?([/]|$)`)
	// keyFlag matches a flag whose value, the next argument, is a secret.
	keyFlag = lazyregexp.New(`(?i)^--?[a-z_-]*(key|token|secret|password)$`)
	// part matches a placeholder inside a value, for example in a URL.
	part = lazyregexp.New(`(?i)<(your|my|insert|path|token|api|project|user|name|host|db|database|password)[^<>]*>|\bYOUR[-_][A-Z_]+|\byour-(project|org|team|domain|site|company|instance|api)[-a-z]*\b|\{(your|project|user)[^{}]*\}|\[YOUR[^\]]*\]|://your\.[a-z]|://\([a-z][a-z _-]+\)`)
	// angles matches a placeholder in angle brackets inside a value. A value with a closing tag is
	// HTML instead.
	angles = lazyregexp.New(`(^|[\s:/@=,?&("])<(?:[\p{L}_]|\$\()[^<>]*>`)
)

// Is reports whether a value is a placeholder for the user's own value, for example "YOUR_API_KEY".
func Is(value string) bool {
	value = strings.TrimSpace(value)
	if value == "" || len(value) > 400 {
		return false
	}
	if strings.HasPrefix(value, "--") {
		if _, after, ok := strings.Cut(value, "="); ok {
			return Is(after) || nouns.MatchString(after) || named.MatchString(after)
		}
		return false
	}
	return standIns.MatchString(value) || elsewhere.MatchString(value) || camel.MatchString(value) || inAddress.MatchString(value) || pathStandIns.MatchString(value) || someFolder.MatchString(value) || part.MatchString(value) ||
		angles.MatchString(value) && !strings.Contains(value, "</")
}

// IsKey reports whether the value of a flag is the name of a key, as in "--api-key
// STRIPE_SECRET_KEY". In "--env STRIPE_SECRET_KEY" the name itself is meant, and a lower-case
// value, as in "--token file", may be a choice.
func IsKey(flag, value string) bool {
	return keyFlag.MatchString(flag) && (named.MatchString(value) || strings.ToUpper(value) == value && nouns.MatchString(value))
}

// IsOf reports whether the value of a variable is a placeholder: [Is] returns true for it, or it
// only describes the value, or it repeats the variable's name or the end of that, as in
// DB_USERNAME=username.
func IsOf(name, value string) bool {
	return Is(value) || nouns.MatchString(value) || secretOfCopilot.MatchString(value) || value != "" && strings.EqualFold(value, name) ||
		ends.MatchString(value) && strings.HasSuffix(strings.ToUpper(name), "_"+strings.ToUpper(value))
}

// ends matches words that only describe the value of a variable if the variable's name ends with
// them.
var ends = lazyregexp.New(`(?i)^(user|user_?name|host|host_?name|org|organization|tenant|account|email|url|domain)$`)

// Hint returns the text of a placeholder for use in an empty field. It returns "" if the text is
// not useful.
func Hint(value string) string {
	text := strings.Trim(strings.TrimSpace(value), "%$ ")
	for _, pair := range []string{"<>", "[]", "()", "{}", "<>", "{}"} {
		if strings.HasPrefix(text, pair[:1]) && strings.HasSuffix(text, pair[1:]) {
			text = strings.TrimSpace(text[1 : len(text)-1])
		}
	}
	if strings.Trim(text, "<>[](){}.…xX* ") == "" {
		return ""
	}
	return text
}
