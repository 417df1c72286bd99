package contents

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// The limits of what Search returns.
const (
	maxMatches = 50
	maxLine    = 400     // bytes around a match; in a longer line each match counts
	maxCounted = 100_000 // matches in one line
)

// Search returns the lines of text from an offset on that match a query, a regular expression or plain
// text, for a model. The answer has room bytes.
func Search(text []byte, query string, from, room int) string {
	pattern, err := regexp.Compile("(?i)" + query)
	if err != nil || len(query) > 1000 {
		pattern = regexp.MustCompile("(?i)" + regexp.QuoteMeta(query[:min(len(query), 1000)]))
	}
	h := hits{room: room}
	offset := from
	line := bytes.Count(text[:from], []byte("\n"))
	for part := range bytes.Lines(text[from:]) {
		line++
		h.line(pattern, part, line, offset)
		offset += len(part)
	}
	if h.found == 0 {
		return fmt.Sprintf("No line of %d matches.", line)
	}
	if h.found == h.lines {
		fmt.Fprintf(&h.out, "[%d of %d lines match.", h.lines, line)
	} else {
		fmt.Fprintf(&h.out, "[%d places in %d of %d lines match.", h.found, h.lines, line)
	}
	if h.next > 0 {
		fmt.Fprintf(&h.out, " These are the first %d. Search from the offset %d for more.", h.told, h.next)
	}
	return h.out.String() + "]"
}

// hits are the places that match, as text for the model.
type hits struct {
	out          strings.Builder
	room         int // bytes of out
	found, lines int
	told         int // that are in out, or within a place in out
	next         int // the offset of the first place that is not in out; 0: none
}

// line adds a line: its first match, or each match in a long line. A match within the text
// around the one before needs no text of its own.
func (h *hits) line(pattern *regexp.Regexp, part []byte, number, offset int) {
	most := 1
	if len(part) > maxLine {
		most = maxCounted
	}
	matches := pattern.FindAllIndex(part, most)
	if len(matches) > 0 {
		h.lines++
	}
	end := -1 // of the text that is in out
	for _, at := range matches {
		switch h.found++; {
		case at[1] <= end && h.next == 0:
			h.told++
			continue
		case h.told >= maxMatches || h.out.Len() > h.room-maxLine:
			if h.next == 0 {
				h.next = offset + at[0]
			}
			continue
		}
		from, to := max(at[0]-maxLine/2, 0), min(at[0]+maxLine/2, len(part))
		fmt.Fprintf(&h.out, "line %d, offset %d: %s\n", number, offset+from, strings.TrimRight(strings.ToValidUTF8(string(part[from:to]), ""), "\r\n"))
		h.told++
		end = to
	}
}
