package view

import "strings"

// maxCause is the maximal size, in bytes, of a failed tool's text that becomes the error of the
// card. A longer text remains a part of the result.
const maxCause = 2000

// reported returns the error message of a tool that failed.
func reported(r *Result, tool string) string {
	if r != nil && len(r.Parts) == 1 && r.Parts[0].Kind == TextPart && r.Parts[0].Root == nil && len(r.Parts[0].Text) <= maxCause {
		if text := cause(r.Parts[0].Text, tool); text != "" {
			return text
		}
	}
	return "The tool reported an error."
}

// cause removes prefixes from an error message that only repeat that a tool failed. Clients,
// servers and the Python SDK add them.
func cause(text, tool string) string {
	text = strings.TrimSpace(text)
	for _, prefix := range []string{"Tool execution failed: ", "Error executing tool " + tool + ": ", "Error calling tool '" + tool + "': ", "Error: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return strings.TrimSpace(text)
}

// Told reports whether the card's error already contains everything that the tool returned.
func (c Card) Told() bool {
	return c.Status == Failed && c.Content != nil && same(c.Error, reported(c.Content, c.Tool)) && same(c.Error, cause(c.Result, c.Tool))
}

// same reports whether two texts differ at most in the final period. goated ends each sentence
// with one.
func same(a, b string) bool { return strings.TrimSuffix(a, ".") == strings.TrimSuffix(b, ".") }

// reasonIn returns the line of a log that explains why a call failed. It is the first exception,
// because later ones wrap it. Without an exception, it is the last line.
func reasonIn(log string) string {
	for line := range strings.SplitSeq(log, "\n") {
		name, _, ok := strings.Cut(line, ": ")
		if ok && !strings.ContainsAny(name, " \t") && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) {
			return line
		}
	}
	return lastLine(log)
}
