package jsonscan

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

// Fields, Elements and Text find what encoding/json finds, in any JSON that it accepts.
func FuzzWalk(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, ` { "a" : 1 , "b":[1,{"c":"}"}], "d\"":"\\" } `, `[1,"]",[[]],{"a":[]}, -1.5e3 ,null]`, `"a\n\t\u00e9\ud83d\ude00\ud83d\u0041\udc00x\/\b\f\r\"\\"`,
		`{"text":"\\\\\"","x":true}`, `"\ud83d"`, `"\ud83d\ud83d\ude00"`, `[{"":{}},""]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		text = Repair(text, 4*len(text)) // as goated does with every line
		if !json.Valid(text) {
			Fields(text, func(_, _ []byte) bool { return true }) // must not panic
			Elements(text, func([]byte) bool { return true })
			Text(text)
			return
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(text, &object) == nil && object != nil {
			found := make(map[string]string)
			whole := Fields(text, func(key, value []byte) bool {
				name, _ := Text(append(append([]byte(`"`), key...), '"'))
				found[name] = string(value)
				return true
			})
			if !whole || len(found) != len(object) {
				t.Fatalf("%s: found %v of %v", text, found, object)
			}
			for k, v := range object {
				if found[k] != string(v) {
					t.Fatalf("%s: %q is %s, want %s", text, k, found[k], v)
				}
			}
		}
		var array []json.RawMessage
		if json.Unmarshal(text, &array) == nil && array != nil {
			i := 0
			whole := Elements(text, func(value []byte) bool {
				if i >= len(array) || string(array[i]) != string(value) {
					t.Fatalf("%s: element %d is %s", text, i, value)
				}
				i++
				return true
			})
			if !whole || i != len(array) {
				t.Fatalf("%s: %d elements, want %d", text, i, len(array))
			}
		}
		var want string
		if json.Unmarshal(text, &want) == nil && text[0] == '"' && text[len(text)-1] == '"' {
			if got, ok := Text(text); !ok || got != want {
				t.Fatalf("%s is %q, want %q", text, got, want)
			}
		}
	})
}

// Text decodes a text with escapes directly into its string, because results have tens of
// megabytes.
func TestTextIsNotCopied(t *testing.T) {
	value := []byte(`"` + strings.Repeat(`a line\n`, 1<<17) + `"`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text, ok := Text(value)
	runtime.ReadMemStats(&after)
	if !ok || len(text) != 7<<17 {
		t.Fatal(len(text), ok)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > uint64(len(value)*3/2) {
		t.Errorf("%d bytes are allocated for a text of %d", took, len(value))
	}
}
