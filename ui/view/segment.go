package view

import (
	"encoding/json"
	"slices"
	"strings"
)

// A segment is a part of a text: words, or JSON objects and lists without words between them.
// Servers write JSON below a heading, in a Markdown fence, and as one object per line.
type segment struct {
	text   string   // the original text
	values []string // the objects and lists; empty for words
}

// The limits of the search for JSON among words. The remaining text counts as words.
const (
	maxSegmentTries = 32 // how many beginnings may turn out not to be JSON
	maxSegments     = 8
)

// segmentsOf divides a text. It drops only blanks.
func segmentsOf(text string) (out []segment) {
	words, tries := 0, 0 // the words from offset words on are not in out yet
	keep := func(end int) {
		if w := strings.TrimSpace(text[words:end]); w != "" {
			out = append(out, segment{text: strings.Trim(text[words:end], "\r\n")})
		}
	}
	for at := 0; at < len(text) && len(text) <= maxTree && tries < maxSegmentTries; {
		line, _, more := strings.Cut(text[at:], "\n")
		next := at + len(line)
		if more {
			next++
		}
		if beginsBlock(line) {
			if values, end := valuesAt(text[at:]); values != nil {
				keep(at)
				out = append(out, segment{strings.TrimSpace(text[at : at+end]), values})
				at, words = at+end, at+end
				continue
			}
			tries++
		}
		at = next
	}
	keep(len(text))
	return out
}

// beginsBlock reports whether JSON or a fence can begin with this line.
func beginsBlock(line string) bool {
	line = strings.TrimLeft(line[:min(len(line), 100)], " \t\r")
	return strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[") || strings.HasPrefix(line, "```")
}

// valuesAt returns the objects and lists at the beginning of a text, and the offset of their end.
// It returns nil if words share a line with them.
func valuesAt(text string) (values []string, end int) {
	start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	if strings.HasPrefix(text[start:], "```") {
		head, body, ok := strings.Cut(text[start+3:], "\n")
		inside, _, closed := strings.Cut(body, "\n```")
		switch strings.ToLower(strings.TrimSpace(head)) {
		case "", "json", "jsonc", "json5", "jsonl", "ndjson":
		default:
			return nil, 0
		}
		end = start + 3 + len(head) + 1 + len(inside) + len("\n```")
		if !ok || !closed || !blankLine(text[end:]) {
			return nil, 0
		}
		values, all := valuesAt(inside)
		if values == nil || strings.TrimSpace(inside[all:]) != "" {
			return nil, 0
		}
		return values, end
	}
	d := json.NewDecoder(strings.NewReader(text))
	for end = start; end < len(text) && (text[end] == '{' || text[end] == '['); {
		var value json.RawMessage
		from := end
		if d.Decode(&value) != nil || !blankLine(text[d.InputOffset():]) {
			return values, lastEnd(text, from)
		}
		values = append(values, string(value))
		end = int(d.InputOffset())
		end += len(text[end:]) - len(strings.TrimLeft(text[end:], " \t\r\n"))
	}
	return values, lastEnd(text, end)
}

// lastEnd returns end, moved before the blanks in front of it.
func lastEnd(text string, end int) int { return len(strings.TrimRight(text[:end], " \t\r\n")) }

// blankLine reports whether the rest of a line is blank.
func blankLine(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line) == ""
}

// json returns the values as one JSON value: a single value as it is, or several objects as a
// list. It returns "" for anything else.
func (s segment) json() string {
	switch {
	case len(s.values) == 1:
		return s.values[0]
	case len(s.values) > 1 && !slices.ContainsFunc(s.values, func(v string) bool { return v[0] != '{' }):
		return "[" + strings.Join(s.values, ",\n") + "]"
	}
	return ""
}

// partsOf returns a text as one part. If there is a table among words, it returns a part for each
// segment.
func partsOf(title, text string) []Part {
	if all := segmentsOf(text); len(all) > 1 && len(all) <= maxSegments {
		parts := make([]Part, len(all))
		for i, s := range all {
			parts[i] = TextOf(title, s.text)
		}
		if slices.ContainsFunc(parts, func(p Part) bool { return p.Grid != nil }) {
			return parts
		}
	}
	return []Part{TextOf(title, text)}
}
