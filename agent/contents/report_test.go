package contents

import (
	"strings"
	"testing"

	"google.golang.org/genai"
)

func reported(text, file string) string {
	c := &genai.Content{Parts: []*genai.Part{genai.NewPartFromFunctionResponse("x", map[string]any{"output": text})}}
	return Report(c, file, func(said string) string { return said })
}

// A report shows the size of a file with a unit, and no size for a folder. Other numbers stay
// unchanged.
func TestSizesHaveUnits(t *testing.T) {
	for text, want := range map[string]string{
		`[{"name":"src","type":"directory","size":0},{"name":"README.txt","type":"file","size":6}]`: "- src · directory\n- README.txt · file · 6 bytes",
		`{"name":"a.txt","kind":"File","sizeBytes":1,"lines":3}`:                                    "- name: a.txt\n- kind: File\n- sizeBytes: 1 byte\n- lines: 3",
		`{"name":"src","kind":"dir","size":4096}`:                                                   "- name: src\n- kind: dir",
		`[{"name":"shirt","type":"textile","size":42}]`:                                             "- shirt · textile · 42",
		`{"size":42}`: "- size: 42",
		`{"type":"file","size":"large","count":2}`: "- type: file\n- size: large\n- count: 2",
	} {
		if got := reported(text, ""); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Nested objects become lines of text, too. Truncated JSON becomes a code block, in which Markdown
// changes nothing.
func TestNestedResultsAreReadable(t *testing.T) {
	for text, want := range map[string]string{
		`{"issues":[{"id":"ENG-1","title":"Fix **login**","labels":["bug","web"],"by":{"name":"Ada","age":null}},{"id":"ENG-2","title":"Two\nlines","labels":[]}],"more":true}`: "- issues:\n  - ENG-1 · Fix **login** · bug, web · Ada\n  - ENG-2 · Two lines\n- more: true",
		`[{"id":1,"at":{"x":1,"y":[2,3]}}]`:             "- 1 · 1 · 2, 3",
		`{"a":null,"list":[1,"two",false]}`:             "- a:\n- list: 1, two, false",
		`[{"text":"` + strings.Repeat("x", 300) + `"}]`: "- " + strings.Repeat("x", 197) + "…",
		`{"issues":[{"id":"ENG-1","text":"a **b`:        "```json\n{\"issues\":[{\"id\":\"ENG-1\",\"text\":\"a **b\n```",
		`{name} says hello`:                             "{name} says hello",
		`[see](https://example.org)`:                    "[see](https://example.org)",
	} {
		if got := reported(text, ""); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Decoding nested lists twice at each level took time that doubled with each level.
func TestDeepResultsAreReadOnce(t *testing.T) {
	const depth = 60
	text := strings.Repeat(`{"a":[`, depth) + `1` + strings.Repeat(`,1]}`, depth)
	if got := reported(text, ""); !strings.HasPrefix(got, "- a: ") {
		t.Errorf("%q", got)
	}
}

// The text of a file is shown unchanged, even if it is JSON.
func TestFilesAreShownAsWritten(t *testing.T) {
	for _, tt := range []struct{ text, file, want string }{
		{`{"a":1}`, "json", "```json\n{\"a\":1}\n```"},
		{"[]\n", "json", "```json\n[]\n```"},
		{"\tif x {\n\t}\n", "go", "```go\n\tif x {\n\t}\n```"},
		{"a\n```\nb", "html", "````html\na\n```\nb\n````"},
		{`{"a":1}`, "txt", `{"a":1}`},
		{"milk\neggs", "txt", "milk  \neggs"},
		{`{"a":1}`, "", "- a: 1"},
		{"\n", "json", "The tool returned no text."},
	} {
		if got := reported(tt.text, tt.file); got != tt.want {
			t.Errorf("%q of %q: %q, want %q", tt.text, tt.file, got, tt.want)
		}
	}
	if got := reported("{\n"+strings.Repeat("x", 3000), "json"); !strings.HasSuffix(got, "x\n```\n… (3002 bytes in total; the result of the call has the rest)") {
		t.Errorf("a long file ends with %q", got[len(got)-100:])
	}
}

// The size below the beginning of a long result is that of the whole result, even if the history
// contains only a part of it.
func TestReportSaysTheWholeSize(t *testing.T) {
	part := strings.Repeat("x", 12288)
	for _, text := range []string{Stored(part, len(part), 748889, "0123456789ab", "result://0123456789ab"), Shortened(part, len(part), 748889)} {
		for _, file := range []string{"", "txt", "go"} {
			got := reported(text, file)
			if !strings.HasSuffix(got, "\n… (748889 bytes in total; the result of the call has the rest)") || strings.Contains(got, "[") {
				t.Errorf("%q: %q", file, got[len(got)-100:])
			}
		}
	}
	if got := reported("short\n[cut: the first 9 of 748889 bytes]", ""); strings.Contains(got, "in total") {
		t.Errorf("a tool wrote the note: %q", got)
	}
}
