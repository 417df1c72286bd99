package workspace

import (
	"path"
	"strings"
)

// An ignoreFile holds the patterns of one .gitignore file, in order.
type ignoreFile struct {
	dir      string // its folder; "" is the root
	patterns []pattern
	fold     bool // the patterns are in lower case and match in any case
}

// A pattern is one line (git-scm.com/docs/gitignore).
type pattern struct {
	text     string
	negated  bool
	folders  bool   // matches folders only
	anchored bool   // relative to the file's folder; otherwise it matches the last name
	literal  bool   // has no wildcards
	suffix   string // for "*suffix" without further wildcards
}

// maxPattern bounds the length of a pattern in bytes. No system has longer paths.
const maxPattern = 4096

// parseIgnore returns nil if there are no patterns.
func parseIgnore(dir string, data []byte) *ignoreFile {
	f := &ignoreFile{dir: dir}
	text := strings.TrimPrefix(string(data), "\ufeff")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
			line = strings.TrimSuffix(line, " ")
		}
		if line == "" || line[0] == '#' || len(line) > maxPattern {
			continue
		}
		var p pattern
		if line[0] == '!' {
			p.negated, line = true, line[1:]
		}
		if rest, ok := strings.CutSuffix(line, "/"); ok {
			p.folders, line = true, rest
		}
		if line == "" {
			continue
		}
		p.anchored = strings.Contains(line, "/")
		p.text = strings.TrimPrefix(line, "/")
		p.literal = !strings.ContainsAny(p.text, `*?[\`)
		if rest, ok := strings.CutPrefix(p.text, "*"); ok && !p.anchored && !strings.ContainsAny(rest, `*?[\`) {
			p.suffix = rest
		}
		f.patterns = append(f.patterns, p)
	}
	if len(f.patterns) == 0 {
		return nil
	}
	return f
}

// ignored reports whether the last matching pattern ignores name. The folders above name must not
// be ignored.
func ignored(rules []*ignoreFile, name string, folder bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		f := rules[i]
		rel := name
		if f.dir != "" {
			rel = strings.TrimPrefix(name, f.dir+"/")
		}
		if f.fold {
			rel = lower(rel)
		}
		base := path.Base(rel)
		for j := len(f.patterns) - 1; j >= 0; j-- {
			p := &f.patterns[j]
			if p.folders && !folder {
				continue
			}
			if p.matches(rel, base) {
				return !p.negated
			}
		}
	}
	return false
}

func (p *pattern) matches(rel, base string) bool {
	subject := base
	if p.anchored {
		subject = rel
	}
	switch {
	case p.literal:
		return p.text == subject
	case p.suffix != "":
		return strings.HasSuffix(subject, p.suffix)
	}
	return matchPattern(p.text, subject)
}

// A retry is the position at which a comparison continues after a mismatch. The zero value is no
// position.
type retry struct {
	p, s string
	set  bool
}

// matchPattern matches a pattern with git's rules: * and ? do not match a slash, but ** does if it stands
// for whole folders. After a mismatch, wild continues at the last * in the present name, otherwise
// at the last **. The matches of earlier wildcards need not change. So the time grows with the
// lengths, rather than exponentially with the number of wildcards.
func matchPattern(p, s string) bool {
	var star, folders retry
	start := true // a whole name begins here
	for p != "" || s != "" {
		rest := strings.TrimLeft(p, "*")
		whole := start && strings.HasPrefix(p, "**")
		switch {
		case whole && rest == "" && s != "":
			return true
		case whole && strings.HasPrefix(rest, "/"): // any number of folders
			p = rest[1:]
			star, folders = retry{}, retry{p, s, true}
			continue
		case len(rest) < len(p) && !(whole && rest == ""):
			p, start = rest, false
			star = retry{p, s, true}
			continue
		case len(rest) == len(p):
			if after, ok := matchElement(p, s); ok {
				if start = s[0] == '/'; start {
					star = retry{} // a * does not match a slash
				}
				p, s = after, s[1:]
				continue
			}
		}
		if star.set && star.s != "" && star.s[0] != '/' {
			star.s = star.s[1:]
			p, s, start = star.p, star.s, false
			continue
		}
		_, after, more := strings.Cut(folders.s, "/")
		if !folders.set || !more {
			return false
		}
		folders.s = after
		p, s, start, star = folders.p, after, true, retry{}
	}
	return true
}

// matchElement matches the first byte of s with the first element of a pattern, like git. The element must
// not be *. It returns the rest of the pattern.
func matchElement(p, s string) (rest string, ok bool) {
	if p == "" || s == "" {
		return "", false
	}
	switch p[0] {
	case '?':
		return p[1:], s[0] != '/'
	case '[':
		if s[0] == '/' {
			return "", false
		}
		rest, in, closed := matchClass(p, s[0])
		return rest, closed && in
	case '\\':
		p = p[1:]
	}
	return strings.TrimPrefix(p, s[:1]), strings.HasPrefix(p, s[:1])
}

// matchClass matches a byte with the bracket expression at the beginning of p, and returns the pattern
// after it. ok is false if there is no closing bracket.
func matchClass(p string, c byte) (rest string, in, ok bool) {
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	for first := true; i < len(p); first = false {
		if p[i] == ']' && !first {
			return p[i+1:], in != negated, true
		}
		if strings.HasPrefix(p[i:], "[:") {
			if name, _, found := strings.Cut(p[i+2:], ":]"); found {
				in = in || posix(name, c)
				i += len(name) + 4
				continue
			}
		}
		low := p[i]
		if low == '\\' && i+1 < len(p) {
			i++
			low = p[i]
		}
		i++
		high := low
		if i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			high = p[i+1]
			i += 2
			if high == '\\' && i < len(p) {
				high = p[i]
				i++
			}
		}
		in = in || low <= c && c <= high
	}
	return "", false, false
}

func posix(name string, c byte) bool {
	digit := '0' <= c && c <= '9'
	lower, upper := 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z'
	switch name {
	case "digit":
		return digit
	case "lower":
		return lower
	case "upper":
		return upper
	case "alpha":
		return lower || upper
	case "alnum":
		return lower || upper || digit
	case "space":
		return c == ' ' || '\t' <= c && c <= '\r'
	case "blank":
		return c == ' ' || c == '\t'
	case "xdigit":
		return digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
	case "punct":
		return c > ' ' && c < 127 && !lower && !upper && !digit
	case "print":
		return c >= ' ' && c < 127
	case "graph":
		return c > ' ' && c < 127
	case "cntrl":
		return c < ' ' || c == 127
	}
	return false
}
