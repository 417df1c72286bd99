package contents

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// The limits of the text that Search returns.
const (
	maxMatches = 50
	maxLine    = 400     // bytes around a match; in a longer line, each match is listed
	maxCounted = 100_000 // matches in one line
)

// Search returns, for a model, the lines of text that match the query, starting at the offset from.
// The query is a regular expression, or plain text if it is not a valid one. The answer has about room
// bytes.
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

// hits collects the matches as text for the model.
type hits struct {
	out          strings.Builder
	room         int // limit of out, in bytes
	found, lines int
	told         int // matches that are in out, including those in the text around another match
	next         int // the offset of the first match that is not in out; 0: none
}

// line adds the first match in a line, or each match in a long line. It adds no text for a match
// that is already visible around the previous one.
func (h *hits) line(pattern *regexp.Regexp, part []byte, number, offset int) {
	most := 1
	if len(part) > maxLine {
		most = maxCounted
	}
	matches := pattern.FindAllIndex(part, most)
	if len(matches) > 0 {
		h.lines++
	}
	end := -1 // end of the line's text that is already in out
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
