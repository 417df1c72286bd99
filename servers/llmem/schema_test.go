package llmem

import (
	"encoding/json"
	"fmt"
	"testing"
)

// Each tool's output schema describes its data. An answer with an unknown field, or without a
// required field, does not match. All other tests check all answers against it.
func TestEachToolHasASchemaOfItsData(t *testing.T) {
	b := start(t, project())
	fits := map[string]string{
		"get_artifact":      `{"sourcePath":"a.go","type":"mirror","stale":false,"symbols":[{"name":"A","kind":"function","startLine":1,"endLine":2,"note":"x"}]}`,
		"list_artifacts":    `{"artifacts":[],"total":0}`,
		"generate_artifact": `{"path":"a","parsed":1,"files":2,"left":1}`,
		"generate_prompt":   `{"path":"a","task":"summarize","promptHash":"x","promptTokens":3,"step":1,"steps":1}`,
		"store_llm_result":  `{"path":"a","task":"summarize","remaining":["b"]}`,
		"delete_artifact":   `{"deleted":["x"]}`,
		"map_workspace":     `{"map":"","tokens":0,"shown":0,"definitions":0,"coverage":{"files":1,"parsed":1}}`,
		"find_symbol":       `{"match":"none","definitions":[],"coverage":{"files":1,"parsed":1}}`,
	}
	if len(b.schemas) != len(fits) {
		t.Errorf("%d tools have a schema, and the test has data for %d", len(b.schemas), len(fits))
	}
	for tool, schema := range b.schemas {
		valid := func(data string) error {
			var v any
			if err := json.Unmarshal(fmt.Appendf(nil, `{"status":"success","data":%s}`, data), &v); err != nil {
				t.Fatal(err)
			}
			return schema.Validate(v)
		}
		good, known := fits[tool]
		if !known {
			t.Errorf("the test has no data for %s", tool)
			continue
		}
		if err := valid(good); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
		for _, bad := range []string{`{}`, `[]`, `{"unknown":1}`, good[:len(good)-1] + `,"unknown":1}`} {
			if valid(bad) == nil {
				t.Errorf("%s: the schema takes the data %s", tool, bad)
			}
		}
	}
}
