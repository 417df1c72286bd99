package jsonscan

import (
	"errors"
	"testing"
)

// The error of a message that is not JSON did not describe the syntax error.
func TestExplainNamesTheFault(t *testing.T) {
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"result":{"v": NaN}}`:         `is not JSON: NaN is not a JSON value, at …","id":1,"result":{"v": NaN}}`,
		`{"id":1,"v":Infinity,"w":2}`:                          `is not JSON: Infinity is not a JSON value, at {"id":1,"v":Infinity,"w":2}`,
		`{"id":1,"v":-Infinity}`:                               `is not JSON: -Infinity is not a JSON value, at {"id":1,"v":-Infinity}`,
		`{"id":1,"v":None}`:                                    `is not JSON: None is not a JSON value, at {"id":1,"v":None}`,
		`{"id":1,"v":[1,2,],"more":"abcdefghijklmnopqrstuvw"}`: `is not JSON: there is a comma before ], at {"id":1,"v":[1,2,],"more":"abcdefghijklmn…`,
		`{"id":1,}`:                 "is not JSON: there is a comma before }, at {\"id\":1,}",
		`{"id":1,'v':2}`:            `is not JSON: JSON uses double quotes, not single ones, at {"id":1,'v':2}`,
		`{"id":1,"v":[1`:            `is not JSON: it ends before its last bracket, at {"id":1,"v":[1`,
		"{\"id\":1,\"v\":\"a\nb\"}": "is not JSON: a string has the control character U+000A, which must be escaped, at {\"id\":1,\"v\":\"a\nb\"}",
		`{"id":1 "v":2}`:            `is not JSON: character '"' is not expected, at {"id":1 "v":2}`,
		"{\"id\":1}\x00":            "is not JSON: character '\\x00' is not expected, at {\"id\":1}\x00",
		`{"id":1}{"id":2}`:          `is not JSON: character '{' is not expected, at {"id":1}{"id":2}`,
	} {
		_, _, err := Decode([]byte(line))
		if got := Explain([]byte(line), err); !errors.Is(got, ErrSyntax) || got.Error() != want {
			t.Errorf("%s: %v, want %s", line, got, want)
		}
	}
	if got := Explain([]byte(`{}`), ErrNoResult); !errors.Is(got, ErrNoResult) || got.Error() != ErrNoResult.Error() {
		t.Errorf("another fault became %v", got)
	}
}
