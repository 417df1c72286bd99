package trace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"sync"

	"goated/internal/exact"
	"goated/internal/secretvalue"
)

const (
	mask = "[secret]"
	// minSecret is the minimum length of a secret. Shorter ones would mask ordinary words.
	minSecret = 4
	// block is the length of the blocks of a key that the redactor searches for. most bounds the
	// visible part of a key: a part of twice the block length contains a whole block.
	block = 8
	most  = 2*block - 1
	// searchMargin is how many bytes after the truncation point the redactor searches, so that it never
	// splits a secret. Longer secrets extend it.
	searchMargin = 4 << 10
)

// A pattern finds secrets whose value is unknown. Its first group is the secret. Only texts that
// contain one of the words, in lower case, are searched.
type pattern struct {
	words []string
	*regexp.Regexp
}

// patterns are compiled on first use, because each keeper runs this program too.
var patterns = sync.OnceValue(func() []pattern {
	return []pattern{
		{[]string{"authorization"}, regexp.MustCompile(`(?i)authorization\\*"?\s*[:=]\s*\\*"?([^"\\\r\n,}]+)`)},
		{[]string{"bearer"}, regexp.MustCompile(`(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{8,})`)},
		{[]string{"pass", "secret", "key", "token"}, regexp.MustCompile(`(?i)"[a-z_-]*(?:password|passwd|secret|api[_-]?key|access[_-]?token|refresh[_-]?token|auth[_-]?token)\\*"\s*:\s*\\*"((?:[^"\\]|\\[^"])+)`)},
		{[]string{"://"}, regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^/\s:@"\\]*:([^@\s/"\\]+)@`)},
		{secretvalue.Beginnings(), regexp.MustCompile(`\b(` + secretvalue.Pattern + `)`)},
	}
})

// A redactor masks secrets. It is immutable.
type redactor struct {
	secrets [][]byte // each secret in plain form, and as JSON and URLs escape it
	longest int
	keys    [][]byte // the long words of the secrets; the redactor masks large parts of them too
}

// words matches the long runs of letters and digits in a secret. It does not match a host or a path
// in the secret, whose names help the reader.
var words = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9_-]{24,}`) })

// parts returns the large parts of keys in data.
func (r redactor) parts(data []byte) (found []span) {
	for _, key := range r.keys {
		for from := 0; from+block <= len(key); from += block {
			for at := 0; ; {
				i := bytes.Index(data[at:], key[from:from+block])
				if i < 0 {
					break
				}
				begin, end, k := at+i, at+i+block, from+block
				for j := from - 1; j >= 0 && begin > 0 && data[begin-1] == key[j]; j-- {
					begin--
				}
				for ; k < len(key) && end < len(data) && data[end] == key[k]; k++ {
					end++
				}
				if end-begin > most {
					found = append(found, span{begin, end})
				}
				at += i + 1
			}
		}
	}
	return found
}

// Redact returns a function that masks in a text the secrets and everything that looks like a key
// or a password.
func Redact(secrets []string) func(text string) string {
	r := newRedactor(secrets)
	return func(text string) string { return string(r.apply([]byte(text), len(text))) }
}

func newRedactor(secrets []string) redactor {
	var r redactor
	for _, secret := range secrets {
		if len(secret) < minSecret {
			continue
		}
		for _, key := range words().FindAllString(secret, -1) {
			r.keys = append(r.keys, []byte(key))
		}
		once := quoted([]byte(secret))
		for _, form := range [][]byte{[]byte(secret), once, quoted(once), quotedNoHTML(secret), []byte(url.QueryEscape(secret)), []byte(url.PathEscape(secret))} {
			if !slices.ContainsFunc(r.secrets, func(s []byte) bool { return bytes.Equal(s, form) }) {
				r.secrets = append(r.secrets, form)
				r.longest = max(r.longest, len(form))
			}
		}
	}
	return r
}

// quoted returns a text in JSON's escaped form, without the quotes.
func quoted(text []byte) []byte {
	data, _ := json.Marshal(string(text)) // a string always encodes
	return data[1 : len(data)-1]
}

// quotedNoHTML is like quoted, but without escapes for HTML.
func quotedNoHTML(text string) []byte {
	data, _ := exact.Encode(text) // a string always encodes
	return data[1 : len(data)-1]
}

type span struct{ from, to int }

// apply copies the first limit bytes of data, and replaces each secret that begins there with a mask.
func (r redactor) apply(data []byte, limit int) []byte {
	data = data[:min(len(data), limit+max(searchMargin, r.longest))]
	var found []span
	for _, s := range r.secrets {
		for at := 0; ; {
			i := bytes.Index(data[at:], s)
			if i < 0 {
				break
			}
			found = append(found, span{at + i, at + i + len(s)})
			at += i + 1 // a secret may overlap itself
		}
	}
	found = append(found, r.parts(data)...)
	lower := bytes.ToLower(data)
	for _, p := range patterns() {
		if !slices.ContainsFunc(p.words, func(w string) bool { return bytes.Contains(lower, []byte(w)) }) {
			continue
		}
		for _, m := range p.FindAllSubmatchIndex(data, -1) {
			found = append(found, span{m[2], m[3]})
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	out := make([]byte, 0, min(len(data), limit))
	at := 0
	for _, s := range found {
		if s.from >= limit {
			break
		}
		if s.from >= at {
			out = append(append(out, data[at:s.from]...), mask...)
		}
		at = max(at, s.to)
	}
	if end := min(len(data), limit); at < end {
		out = append(out, data[at:end]...)
	}
	return out
}
