package workspace

import (
	"path"
	"strings"
)

// An ignoreFile holds the patterns of one .gitignore, in the order of the file.
type ignoreFile struct {
	dir      string // its folder; "" is the root
	patterns []pattern
}

// A pattern is one line (git-scm.com/docs/gitignore).
type pattern struct {
	text     string
	negated  bool
	folders  bool   // matches folders only
	anchored bool   // relative to the file's folder; else it matches the last name
	literal  bool   // has no wildcards
	suffix   string // of "*suffix" without further wildcards
}

// parseIgnore returns nil if there is no pattern.
func parseIgnore(dir string, data []byte) *ignoreFile {
	f := &ignoreFile{dir: dir}
	text := strings.TrimPrefix(string(data), "\ufeff")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
			line = strings.TrimSuffix(line, " ")
		}
		if line == "" || line[0] == '#' {
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

// ignored reports whether the last pattern that matches ignores name. The folders above
// it are not ignored.
func ignored(rules []*ignoreFile, name string, folder bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		f := rules[i]
		rel := name
		if f.dir != "" {
			rel = strings.TrimPrefix(name, f.dir+"/")
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
	return wild(p.text, subject, true)
}

// wild matches a pattern with git's rules: * and ? stop at a slash, ** does not where it
// stands for whole folders. start says that a whole name begins here.
func wild(p, s string, start bool) bool {
	for p != "" {
		switch p[0] {
		case '*':
			if start && strings.HasPrefix(p, "**") {
				rest := strings.TrimLeft(p, "*")
				if rest == "" {
					return s != ""
				}
				if rest[0] == '/' { // any number of folders
					for {
						if wild(rest[1:], s, true) {
							return true
						}
						_, after, ok := strings.Cut(s, "/")
						if !ok {
							return false
						}
						s = after
					}
				}
			}
			rest := strings.TrimLeft(p, "*")
			for i := 0; ; i++ {
				if wild(rest, s[i:], false) {
					return true
				}
				if i == len(s) || s[i] == '/' {
					return false
				}
			}
		case '?':
			if s == "" || s[0] == '/' {
				return false
			}
			p, s, start = p[1:], s[1:], false // one byte, as in git
		case '[':
			if s == "" || s[0] == '/' {
				return false
			}
			rest, in, ok := class(p, s[0])
			if !ok || !in {
				return false
			}
			p, s, start = rest, s[1:], false
		default:
			if p[0] == '\\' {
				if len(p) == 1 {
					return false
				}
				p = p[1:]
			}
			if s == "" || s[0] != p[0] {
				return false
			}
			start = p[0] == '/'
			p, s = p[1:], s[1:]
		}
	}
	return s == ""
}

// class matches a byte with the bracket expression that begins p, and returns what
// follows the expression. It is not ok without a closing bracket.
func class(p string, c byte) (rest string, in, ok bool) {
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
