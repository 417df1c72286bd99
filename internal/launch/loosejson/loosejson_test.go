package loosejson

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

func ExampleRepair() {
	repaired, _ := Repair(`{'a': {command: 'npx' 'args': ["-y", r2], on: True, ...`)
	fmt.Println(repaired)
	_, ok := Repair(`{"token": "secr`)
	fmt.Println(ok)
	// Output:
	// {"a":{"command":"npx","args":["-y",r2],"on":true}}
	// false
}

func ExampleDoubleBackslashes() {
	fmt.Println(DoubleBackslashes(`["C:\temp\new", "C:\\ok", "a\n"]`))
	// Output: ["C:\\temp\\new", "C:\\ok", "a\n"]
}

// Valid JSON keeps its meaning.
func TestJSONStays(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `{"a": [1, -2.5, true, null, "x, y: {z}"], "b": {"c": "it's \"q\" \n"}}`, `["//no comment", "# neither", "..."]`} {
		repaired, ok := Repair(text)
		var before, after any
		if err := json.Unmarshal([]byte(text), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(repaired), &after); !ok || err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%s became %s: %v", text, repaired, err)
		}
	}
}
