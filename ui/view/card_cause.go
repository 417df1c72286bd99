package view

import "strings"

// maxCause is the maximal size, in bytes, of a failed tool's text that becomes the error of the
// card. A longer text remains a part of the result.
const maxCause = 2000

// toolError returns the error message of a tool that failed.
func toolError(r *Result, tool string) string {
	if r != nil && len(r.Parts) == 1 && r.Parts[0].Kind == TextPart && r.Parts[0].Root == nil && len(r.Parts[0].Text) <= maxCause {
		if text := trimErrorPrefixes(r.Parts[0].Text, tool); text != "" {
			return text
		}
	}
	return "The tool reported an error."
}

// trimErrorPrefixes removes prefixes from an error message that only repeat that a tool failed. Clients,
// servers and the Python SDK add them.
func trimErrorPrefixes(text, tool string) string {
	text = strings.TrimSpace(text)
	for _, prefix := range []string{"Tool execution failed: ", "Error executing tool " + tool + ": ", "Error calling tool '" + tool + "': ", "Error: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return strings.TrimSpace(text)
}

// ErrorIsComplete reports whether the card's error already contains everything that the tool returned.
func (c Card) ErrorIsComplete() bool {
	return c.Status == Failed && c.Content != nil && sameSentence(c.Error, toolError(c.Content, c.Tool)) && sameSentence(c.Error, trimErrorPrefixes(c.Result, c.Tool))
}

// sameSentence reports whether two texts differ at most in the final period. goated ends each sentence
// with one.
func sameSentence(a, b string) bool { return strings.TrimSuffix(a, ".") == strings.TrimSuffix(b, ".") }

// errorLine returns the line of a log that explains why a call failed. It is the first exception,
// because later ones wrap it. Without an exception, it is the last line.
func errorLine(log string) string {
	for line := range strings.SplitSeq(log, "\n") {
		name, _, ok := strings.Cut(line, ": ")
		if ok && !strings.ContainsAny(name, " \t") && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) {
			return line
		}
	}
	return lastLine(log)
}
