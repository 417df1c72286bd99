package launch

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// quotedValue matches a string in JSON that is not the first key of an object.
var quotedValue = regexp.MustCompile(`[:\[,]\s*"[^"]*"`)

// damaged returns texts that result if the end of a text is missing, if a word is missing, or if the
// strings in its JSON are blank. The last space is not a space for a shell.
func damaged(text string) (out []string) {
	words := strings.Fields(text)
	for i := range words {
		out = append(out, strings.Join(words[:i], " "), strings.Join(slices.Delete(slices.Clone(words), i, i+1), " "))
	}
	for _, blank := range []string{"", " ", "\u3000"} {
		out = append(out, quotedValue.ReplaceAllStringFunc(text, func(old string) string { return old[:1] + `"` + blank + `"` }))
		for _, at := range quotedValue.FindAllStringIndex(text, -1) {
			out = append(out, text[:at[0]+1]+`"`+blank+`"`+text[at[1]:])
		}
	}
	return out
}

// goated used to crash on commands without their last words, and on blank strings in JSON.
func TestDamagedTexts(t *testing.T) {
	understands(t, disk{}.system(every...), [][2]string{
		{"npx -p @anthropic-ai/claude-code", "npx -p @anthropic-ai/claude-code | npm @anthropic-ai/claude-code | claude-code"},
		{`[" "]`, "error: This JSON names no MCP server"},
		{`{"mcpServers": {"a": " "}}`, "error: This JSON names no MCP server"},
		{`{"command": " ", "args": ["x"]}`, "error: The server has neither a command nor a URL"},
		{`{"command": "\u3000", "args": " "}`, "error: The server has neither a command nor a URL"},
	})
}
