package view

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var tableRule = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)

// table reads the table that lines begin with, and sets its columns under each
// other for a typeface whose characters are all as wide. n is the number of
// lines it takes; 0 if there is no table.
func table(lines []string) (text string, n int) {
	if len(lines) < 2 || !strings.Contains(lines[0], "|") || !strings.Contains(lines[1], "|") || !tableRule.MatchString(lines[1]) {
		return "", 0
	}
	rows := [][]string{cells(lines[0])}
	n = 2
	for n < len(lines) && strings.Contains(lines[n], "|") {
		rows = append(rows, cells(lines[n]))
		n++
	}
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for r, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteString("   ")
			}
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
			}
		}
		if r == 0 {
			b.WriteByte('\n')
			for i, w := range widths {
				if i > 0 {
					b.WriteString("───")
				}
				b.WriteString(strings.Repeat("─", w))
			}
		}
		if r < len(rows)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String(), n
}

// cells are the texts of a row, without the marks of bold and of code.
func cells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	out := strings.Split(line, "|")
	for i, c := range out {
		var b strings.Builder
		for _, s := range Spans(strings.TrimSpace(c)) {
			b.WriteString(s.Text)
		}
		out[i] = b.String()
	}
	return out
}
