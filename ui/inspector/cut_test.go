package inspector

import (
	"encoding/json"
	"testing"
)

// A message whose end is not kept was shown as one line, as with Raw.
func TestACutTextIsMended(t *testing.T) {
	for cut, want := range map[string]string{
		`{"id":1,"result":{"tools":[{"name":"ro`:   `{"id":1,"result":{"tools":[{"name":"ro…"}]}}`,
		`{"id":1,"result":{"tools":[{"name":"a"},`: `{"id":1,"result":{"tools":[{"name":"a"}]}}`,
		`{"id":1,"result":{"tools":[{"na`:          `{"id":1,"result":{"tools":[{}]}}`,
		`{"id":1,"result":{`:                       `{"id":1,"result":{}}`,
		`{"id":1,"result":`:                        `{"id":1}`,
		`{"id":1,"result":tr`:                      `{"id":1}`,
		`{"a":[1,2,3`:                              `{"a":[1,2]}`,
		`{"a":[1,2,3]`:                             `{"a":[1,2,3]}`,
		`{"a":"x\`:                                 `{"a":"x…"}`,
		`{"a":"x\u00`:                              `{"a":"x…"}`,
		`{"a":"x\"y`:                               `{"a":"x\"y…"}`,
		`{"a":["b","c]}`:                           `{"a":["b","c]}…"]}`,
		"{\"a\":\"n\xc3":                           `{"a":"n…"}`,
		`{"a":"né`:                                 `{"a":"né…"}`,
		`[`:                                        `[]`,
	} {
		if got := mended(cut); got != want || !json.Valid([]byte(got)) {
			t.Errorf("%s becomes %s, want %s", cut, got, want)
		}
	}
	if got := mended("]x"); got != "]x" {
		t.Errorf("a text that is no JSON becomes %s", got)
	}
}

// Every prefix of a message becomes valid JSON.
func TestEachBeginningIsMended(t *testing.T) {
	whole := `{"jsonrpc": "2.0", "id": -1.5e3, "result": {"a": [{}, [], "é\u00e9\\\"{[", null, true, {"b": {"c": ["d"]}}], "e": false}}`
	for n := 1; n < len(whole); n++ {
		if got := mended(whole[:n]); !json.Valid([]byte(got)) {
			t.Errorf("%s becomes %s", whole[:n], got)
		}
	}
}

func FuzzMended(f *testing.F) {
	f.Add(`{"a":["\`)
	f.Fuzz(func(_ *testing.T, text string) { _ = mended(text) })
}
