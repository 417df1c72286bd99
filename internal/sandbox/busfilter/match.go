package busfilter

import "strings"

// matches reports whether a client may add a match rule for the signals that it gets. The filter
// checks each signal separately. matches refuses rules that make a bus deliver messages for other
// clients.
func (r Rules) matches(rule string, may func(name string) bool) bool {
	signals := false
	seen := make(map[string]bool)
	for rest := rule; rest != ""; {
		key, after, ok := strings.Cut(rest, "=")
		if key = strings.TrimLeft(key, " \t\n\r"); !ok || seen[key] {
			return false
		}
		value, after, ok := unquote(after)
		if !ok {
			return false
		}
		seen[key], rest = true, after
		switch {
		case key == "type":
			if signals = value == "signal"; !signals {
				return false
			}
		case key == "sender":
			if value != driver && !may(value) {
				return false
			}
		case key == "interface", key == "member", key == "path", key == "path_namespace", key == "destination", strings.HasPrefix(key, "arg"):
		default: // eavesdrop, and keys of later specifications
			return false
		}
	}
	return signals
}

// unquote parses a value of a rule up to the next comma. Text within apostrophes is literal.
// Outside, a backslash escapes (D-Bus Specification, "Match Rules"). Buses differ in what it
// escapes, so unquote refuses a rule with a backslash.
func unquote(s string) (value, rest string, ok bool) {
	var b strings.Builder
	quoted := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\':
			return "", "", false
		case c == ',' && !quoted:
			return b.String(), s[i+1:], true
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), "", !quoted
}
