package view

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A list of records is one table with every digit, no matter how the server wraps it. The members
// around it are facts above the table, and words remain words.
func TestWrappedListsAreTables(t *testing.T) {
	t.Parallel()
	one, two := `{"id":1,"name":"a"}`, `{"id":12345678901234567890,"name":"b"}`
	list := "[" + one + "," + two + "]"
	for name, tt := range map[string]struct {
		texts      []string
		structured string
		want       string // the facts, the rows, and the words around the table
	}{
		"a total":                        {[]string{`{"total_count":2,"items":` + list + `}`}, "", "<total_count: 2>"},
		"a token":                        {[]string{`{"items":` + list + `,"nextPageToken":null}`}, "", "<nextPageToken: null>"},
		"nested":                         {[]string{`{"data":{"items":` + list + `}}`}, "", "<>"},
		"nested with a page":             {[]string{`{"data":{"items":` + list + `,"page":{"next":"x","more":true}},"ok":true}`}, "", "<data.page.next: x, data.page.more: true, ok: true>"},
		"a list of tags beside":          {[]string{`{"tags":["a","b"],"none":[],"rows":` + list + `}`}, "", `<tags: ["a","b"], none: []>`},
		"structured with a total":        {nil, `{"total":2,"items":` + list + `}`, "<total: 2>"},
		"a fence":                        {[]string{"```json\n" + list + "\n```"}, "", "<>"},
		"a fence without language":       {[]string{"```\n" + list + "\n```\n"}, "", "<>"},
		"a fence with lines":             {[]string{"```jsonl\n" + one + "\n" + two + "\n```"}, "", "<>"},
		"lines":                          {[]string{one + "\n" + two + "\n"}, "", "<>"},
		"objects over many lines":        {[]string{"{\n" + one[1:] + "\n\n" + "{\r\n" + two[1:]}, "", "<>"},
		"words and a list":               {[]string{"Found 2 rows:\n" + list}, "", "Found 2 rows:|<>"},
		"words and an object":            {[]string{"Found [2] rows:\n\n{\"n\":2,\"rows\":" + list + "}\nAsk for more."}, "", "Found [2] rows:|<n: 2>|Ask for more."},
		"words and lines":                {[]string{"Rows:\n" + one + "\n" + two}, "", "Rows:|<>"},
		"words and a fence":              {[]string{"Rows:\n```json\n" + list + "\n```\nThat is all."}, "", "Rows:|<>|That is all."},
		"words and a text for each":      {[]string{"Two rows:", one, two}, "", "Two rows:|<>"},
		"a text for each and words":      {[]string{one, two, "That is all."}, "", "<>|That is all."},
		"words, and structured":          {[]string{"Two rows:\n" + list}, `{"result":` + list + `}`, "<>|Two rows:"},
		"words and each, and structured": {[]string{"Two rows:", one, two}, `{"result":` + list + `}`, "<>|Two rows:"},
		"a fence, and structured":        {[]string{"```json\n" + list + "\n```"}, `{"result":` + list + `}`, "<>"},
		"lines, and structured":          {[]string{one + "\n" + two}, `{"result":` + list + `,"count":2}`, "<count: 2>"},
		"a part of the structure":        {[]string{list}, `{"result":` + list + `,"count":2}`, "<count: 2>"},
		"each, a part of it":             {[]string{one, two}, `{"data":{"rows":` + list + `},"count":2}`, "<count: 2>"},
	} {
		r := &mcp.CallToolResult{Content: texts(tt.texts...)}
		if tt.structured != "" {
			r.StructuredContent = json.RawMessage(tt.structured)
		}
		var got []string
		for _, p := range NewResult(r).Parts {
			if p.Grid == nil {
				got = append(got, p.Text)
				continue
			}
			var facts []string
			for _, f := range p.Grid.Above {
				facts = append(facts, f.Name+": "+f.Text)
			}
			got = append(got, "<"+strings.Join(facts, ", ")+">")
			if rows := p.Grid.Rows; len(rows) != 2 || rows[1][0].Text != "12345678901234567890" || rows[0][1].Text != "a" {
				t.Errorf("%s: the table is %+v", name, rows)
			}
		}
		if line := strings.Join(got, "|"); line != tt.want {
			t.Errorf("%s: it is %s, not %s", name, line, tt.want)
		}
	}
}

// A list with one record is a table too.
func TestOneRecordIsATable(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`[{"id":1,"x":2}]`, `{"total":1,"items":[{"id":1,"x":2}]}`} {
		if p := TextOf("Result", text); p.Grid == nil || len(p.Grid.Rows) != 1 || len(p.Grid.Columns) != 2 {
			t.Errorf("%s: %+v", text, p.Grid)
		}
	}
	r := NewResult(&mcp.CallToolResult{Content: texts(`{"id":1}`), StructuredContent: json.RawMessage(`{"result":[{"id":1}]}`)})
	if len(r.Parts) != 1 || r.Parts[0].Grid == nil {
		t.Errorf("the Python SDK's list of one: %+v", r.Parts)
	}
}

// Text without a list of records does not change, even if it contains JSON.
func TestOtherTextsAreNoTables(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"words", "[INFO] started\n[WARN] {x}\n", "Use:\n```python\nx = [{}]\n```", "See [1].\n[1] is here\n", "Set {\"a\":1} in the file", "The object:\n{\"a\":1}",
		"[{\"a\":1}] is the list", "{\"a\":1}\n[{\"a\":", strings.Repeat("[\n", 1000), "[{'id': 1}]",
	} {
		parts := NewResult(&mcp.CallToolResult{Content: texts(text)}).Parts
		if len(parts) != 1 || parts[0].Text != text || parts[0].Grid != nil {
			t.Errorf("%q became %+v", text, parts)
		}
	}
	long := fmt.Sprintf(`{"text":%q,"items":[{"a":1}]}`, strings.Repeat("x", 300))
	for _, text := range []string{`{"users":[{"a":1}],"groups":[{"b":2}]}`, long, `{"a":{"b":{"c":{"d":{"items":[{"a":1}]}}}}}`} {
		if p := TextOf("Result", text); p.Root == nil || p.Grid != nil {
			t.Errorf("%.60s is no tree: %+v", text, p.Grid)
		}
	}
}

// A number in two notations is one value, and another number is a different value. The card shows
// the server's text.
func TestRepetitionComparesNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, structured string
		parts            int
	}{
		{"1.0", "1", 1}, {"1e2", "100", 1}, {"-0", "0", 1}, {"1.50", "1.5", 1}, {"12345678901234567890.0", "12345678901234567890", 1}, {"0.1e-400", "1E-401", 1}, {"100", "1e+2", 1},
		{"12345678901234567890", "12345678901234567891", 2}, {"0.1", "0.10000000000000001", 2}, {"1", "-1", 2}, {"1e999999999999999999999", "1", 2}, {"10", "1", 2},
	} {
		for _, form := range []string{`{"t": %s}`, `{"rows": [{"t": %s}, {"t": 2}]}`} {
			text, structured := fmt.Sprintf(form, tt.text), fmt.Sprintf(form, tt.structured)
			parts := NewResult(&mcp.CallToolResult{Content: texts(text), StructuredContent: json.RawMessage(structured)}).Parts
			if len(parts) != tt.parts || tt.parts == 1 && !sameJSON(parts[0].Text, text) {
				t.Errorf("%s and %s: %+v", text, structured, parts)
			}
		}
	}
}
