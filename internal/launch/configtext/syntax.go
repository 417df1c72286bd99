package configtext

import "strings"

// EndsEarly is the sentence for a text whose end is missing.
const EndsEarly = "it ends too early, so something is missing at its end"

// PlainSyntax converts the error message of a parser to plain English.
func PlainSyntax(detail string) string {
	for _, end := range []string{"unexpected EOF", "unexpected end of JSON input", "reached EOF", "found unexpected end of stream"} {
		if before, behind, found := strings.Cut(detail, end); found {
			if open := strings.TrimPrefix(behind, " without "); open != behind && before == "" {
				return "it ends without " + open
			}
			return EndsEarly
		}
	}
	if what, rest, found := strings.Cut(detail, ": "); found && strings.HasPrefix(what, "parsing ") {
		return rest // drop where the JSON parser was
	}
	return detail
}
