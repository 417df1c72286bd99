package paging

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Kind is the type of a field.
type Kind int

// The types of fields.
const (
	String Kind = iota
	Number      // int64 or float64
	Bool
	Enum // a string, compared ignoring case
)

// A Filter decides which items a list returns. The zero value accepts all items.
type Filter struct {
	match func(get func(field string) any) bool
}

// Match reports whether the filter accepts an item.
func (f Filter) Match(get func(field string) any) bool { return f.match == nil || f.match(get) }

// Apply returns the items that a filter accepts.
func Apply[T any](items []T, f Filter, get Get[T]) []T {
	if f.match == nil {
		return items
	}
	var out []T
	for _, item := range items {
		if f.Match(func(field string) any { return get(item, field) }) {
			out = append(out, item)
		}
	}
	return out
}

// The limits of a filter.
const (
	maxFilter = 4096 // bytes
	maxNested = 32   // nesting of parentheses
)

// ParseFilter parses an AIP-160 filter over the fields of a list. It supports comparisons with =,
// !=, <, <=, >, >= and : (contains), combined with AND, OR (which has precedence), NOT or -, and
// parentheses. Strings may have * as a wildcard at either end. Functions and nested fields are not
// supported, because no list here needs them.
func ParseFilter(filter string, fields map[string]Kind) (Filter, error) {
	if strings.TrimSpace(filter) == "" {
		return Filter{}, nil
	}
	if len(filter) > maxFilter {
		return Filter{}, fmt.Errorf("the filter has %d bytes; at most %d are allowed", len(filter), maxFilter)
	}
	tokens, err := scan(filter)
	if err != nil {
		return Filter{}, fmt.Errorf("the filter %q %w", filter, err)
	}
	p := &parser{tokens: tokens, fields: fields}
	match, err := p.expression()
	if err == nil && p.at < len(p.tokens) {
		err = fmt.Errorf("is wrong at %q", p.tokens[p.at].text)
	}
	if err != nil {
		return Filter{}, fmt.Errorf("the filter %q %w", filter, err)
	}
	return Filter{match}, nil
}

// A token is a word, a quoted string, an operator or a parenthesis.
type token struct {
	text   string
	quoted bool
}

func scan(s string) (tokens []token, err error) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '(' || c == ')' || c == '=' || c == ':':
			tokens = append(tokens, token{text: s[i : i+1]})
			i++
		case c == '!' || c == '<' || c == '>':
			n := 1
			if i+1 < len(s) && s[i+1] == '=' {
				n = 2
			} else if c == '!' {
				return nil, fmt.Errorf("has a ! without =; write NOT")
			}
			tokens = append(tokens, token{text: s[i : i+n]})
			i += n
		case c == '"' || c == '\'':
			var b strings.Builder
			j := i + 1
			for ; j < len(s) && s[j] != c; j++ {
				if s[j] == '\\' && j+1 < len(s) {
					j++
				}
				b.WriteByte(s[j])
			}
			if j >= len(s) {
				return nil, fmt.Errorf("has a quotation mark that does not end")
			}
			tokens = append(tokens, token{b.String(), true})
			i = j + 1
		case c == '-' && (len(tokens) == 0 || !operator(tokens[len(tokens)-1])): // a minus sign is part of the number
			tokens = append(tokens, token{text: "NOT"})
			i++
		default:
			j := i
			for j < len(s) && !strings.ContainsRune(" \t\r\n()=:!<>\"'", rune(s[j])) {
				j++
			}
			tokens = append(tokens, token{text: s[i:j]})
			i = j
		}
	}
	return tokens, nil
}

func operator(t token) bool {
	return !t.quoted && slices.Contains([]string{"=", "!=", "<", "<=", ">", ">=", ":"}, t.text)
}

type matcher = func(get func(string) any) bool

type parser struct {
	tokens []token
	at     int
	nested int
	fields map[string]Kind
}

func (p *parser) word(text string) bool {
	if p.at < len(p.tokens) && !p.tokens[p.at].quoted && p.tokens[p.at].text == text {
		p.at++
		return true
	}
	return false
}

// expression = factor {["AND"] factor}
func (p *parser) expression() (matcher, error) {
	m, err := p.factor()
	for err == nil && p.at < len(p.tokens) && !p.closing() {
		p.word("AND")
		left := m
		var right matcher
		if right, err = p.factor(); err == nil {
			m = func(get func(string) any) bool { return left(get) && right(get) }
		}
	}
	return m, err
}

func (p *parser) closing() bool { return !p.tokens[p.at].quoted && p.tokens[p.at].text == ")" }

// factor = term {"OR" term}
func (p *parser) factor() (matcher, error) {
	m, err := p.term()
	for err == nil && p.word("OR") {
		left := m
		var right matcher
		if right, err = p.term(); err == nil {
			m = func(get func(string) any) bool { return left(get) || right(get) }
		}
	}
	return m, err
}

// term = ["NOT"] ( "(" expression ")" | comparison )
func (p *parser) term() (matcher, error) {
	if p.nested++; p.nested > maxNested {
		return nil, fmt.Errorf("is nested more than %d times", maxNested)
	}
	defer func() { p.nested-- }()
	if p.word("NOT") {
		m, err := p.term()
		return func(get func(string) any) bool { return !m(get) }, err
	}
	if p.word("(") {
		m, err := p.expression()
		if err == nil && !p.word(")") {
			err = fmt.Errorf("lacks a )")
		}
		return m, err
	}
	return p.comparison()
}

func (p *parser) comparison() (matcher, error) {
	if p.at+2 >= len(p.tokens) {
		return nil, fmt.Errorf("ends too early; write comparisons such as %s", p.example())
	}
	field, op, value := p.tokens[p.at], p.tokens[p.at+1], p.tokens[p.at+2]
	kind, ok := p.fields[field.text]
	if !ok || field.quoted {
		return nil, fmt.Errorf("names the field %q; this list has %s", field.text, strings.Join(p.names(), ", "))
	}
	if !operator(op) {
		return nil, fmt.Errorf("has %q after %s, where a comparison such as = belongs", op.text, field.text)
	}
	if operator(value) || !value.quoted && (value.text == "(" || value.text == ")") {
		return nil, fmt.Errorf("has no value after %s %s", field.text, op.text)
	}
	p.at += 3
	return compareTo(field.text, kind, op.text, value.text)
}

func (p *parser) names() (names []string) {
	for f := range p.fields {
		names = append(names, f)
	}
	slices.Sort(names)
	return names
}

func (p *parser) example() string {
	name := p.names()[0]
	return name + map[Kind]string{String: `="text"`, Number: "=1", Bool: "=true", Enum: "=name"}[p.fields[name]]
}

// compareTo returns the matcher for a comparison.
func compareTo(field string, kind Kind, op, text string) (matcher, error) {
	if kind != String && op == ":" {
		op = "="
	}
	switch kind {
	case Bool:
		want, err := strconv.ParseBool(text)
		if err != nil || op != "=" && op != "!=" {
			return nil, fmt.Errorf("compares %s with %s %q; it is true or false", field, op, text)
		}
		return func(get func(string) any) bool { return (get(field) == want) == (op == "=") }, nil
	case Enum:
		if op != "=" && op != "!=" {
			return nil, fmt.Errorf("compares %s by %s; it has = and != only", field, op)
		}
		return func(get func(string) any) bool {
			have, _ := get(field).(string)
			return strings.EqualFold(have, text) == (op == "=")
		}, nil
	case Number:
		want, err := strconv.ParseFloat(text, 64)
		if err != nil || want != want {
			return nil, fmt.Errorf("compares %s with %q, which is not a number", field, text)
		}
		return func(get func(string) any) bool {
			switch v := get(field).(type) {
			case int64:
				return holds(compare(float64(v), want), op)
			case float64:
				return holds(compare(v, want), op)
			}
			return false
		}, nil
	}
	return func(get func(string) any) bool {
		have, _ := get(field).(string)
		switch op {
		case ":":
			return strings.Contains(strings.ToLower(have), strings.ToLower(strings.Trim(text, "*")))
		case "=", "!=":
			return matchWildcard(have, text) == (op == "=")
		}
		return holds(compare(have, text), op)
	}, nil
}

// matchWildcard compares a string with a pattern that may have * at either end.
func matchWildcard(have, want string) bool {
	inner, head := strings.CutPrefix(want, "*")
	inner, tail := strings.CutSuffix(inner, "*")
	switch {
	case head && tail:
		return strings.Contains(have, inner)
	case head:
		return strings.HasSuffix(have, inner)
	case tail:
		return strings.HasPrefix(have, inner)
	}
	return have == want
}

func holds(c int, op string) bool {
	switch op {
	case "=":
		return c == 0
	case "!=":
		return c != 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}
