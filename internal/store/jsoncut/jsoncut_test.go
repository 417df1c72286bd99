package jsoncut

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"
)

// Values are cut at their ends, wherever the parts of the text end that arrive together, and an error has the
// position of the mistake.
func TestReaderCutsValues(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`[1,"a]\\",{"b":["}\"",[]]} , true,-1.5e3 , null]`, `[]`, `[{}]`, ` [ "\\\"," , 2 ] `} {
		var want, got []any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		r := New(iotest.OneByteReader(strings.NewReader(text)), 100)
		err := r.Elements("[", "]", func() error {
			var v any
			err := r.Decode(&v)
			got = append(got, v)
			return err
		})
		a, _ := json.Marshal(want)
		b, _ := json.Marshal(got)
		if err != nil || string(a) != string(b) && len(want) > 0 {
			t.Errorf("%s: %s, %v", text, b, err)
		}
	}
	for text, want := range map[string]string{
		`[1,tru]`: "byte 6: ", `[1 2]`: "byte 4: ", `[1,]`: "byte 4: ", `[1,{"a":x}]`: "byte 9: ", `[1`: "byte 3: unexpected end", `[1,"a`: "unexpected end", `[{]}]`: "byte 3: ",
	} {
		r := New(strings.NewReader(text), 100)
		err := r.Elements("[", "]", func() error { return r.Decode(new(any)) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
