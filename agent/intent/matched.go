package intent

import "goated/internal/lazyregexp"

// A matchKey is a regular expression and the text that it is applied to.
type matchKey struct {
	re   *lazyregexp.Regexp
	text string
}

// A matchCache remembers what regular expressions match: each tool, and each of its arguments, asks
// the same of one request.
type matchCache struct {
	first map[matchKey][]string
	all   map[*lazyregexp.Regexp][][]string // in the text of the request
}

// submatch returns the first match of re in text with its groups, which the caller must not change.
func (r *request) submatch(re *lazyregexp.Regexp, text string) []string {
	m, known := r.matched.first[matchKey{re, text}]
	if !known {
		m = re.FindStringSubmatch(text)
		r.matched.first[matchKey{re, text}] = m
	}
	return m
}

// matches reports whether re matches text.
func (r *request) matches(re *lazyregexp.Regexp, text string) bool {
	return r.submatch(re, text) != nil
}

// submatches returns all matches of re in the request.
func (r *request) submatches(re *lazyregexp.Regexp) [][]string {
	all, known := r.matched.all[re]
	if !known {
		all = re.FindAllStringSubmatch(r.text, -1)
		r.matched.all[re] = all
	}
	return all
}
