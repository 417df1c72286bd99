package jsonscan

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// In protocol objects, the scanner rejects keys that two readers could understand differently. Data
// of servers and tools may have keys that differ in case.
func TestKeys(t *testing.T) {
	table := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"key%d":0,`, i)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name, body string
		want       error
	}{
		{"a key twice", `"result":{"a":1,"a":2}`, ErrDuplicateKey},
		{"in a list, deep down", `"result":{"x":[[{"y":[{"a":1,"b":2,"a":3}]}]]}`, ErrDuplicateKey},
		{"once in escapes", `"result":{"x":{"a":1,"\u0061":2}}`, ErrDuplicateKey},
		{"behind 65,000 others", `"result":{"x":{"a":1,` + table(65000) + `"a":2}}`, ErrDuplicateKey},
		{"as of the object around it", `"result":{"a":{"a":{"a":[{"a":1},{"a":2}]}},"b":{"a":1}}`, nil},
		{"too many keys", `"result":{"x":{` + table(maxKeys) + `"end":1}}`, ErrTooManyKeys},
		{"twice behind too many", `"result":{"x":{"a":1,` + table(maxKeys) + `"a":1}}`, ErrTooManyKeys},
		{"too many in objects within each other", `"result":{"x":{` + table(40000) + `"y":{` + table(40000) + `"end":1}}}`, ErrTooManyKeys},
		{"as many one after another", `"result":{"x":{` + table(40000) + `"end":1},"y":{` + table(40000) + `"end":1}}`, nil},
		{"a long key", `"result":{"` + strings.Repeat("k", maxKey+1) + `":1}`, ErrLongKey},
		{"NUL", `"result":{"a":[{"a\u0000":1}]}`, ErrNULKey},
		{"NUL in a text", `"result":{"a":"\u0000"}`, nil},

		{"both letters in a result", `"result":{"content":[],"Content":[]}`, ErrKeyCase},
		{"the other letters alone", `"result":{"content":[],"IsError":false}`, ErrKeyCase},
		{"letters that fold", `"result":{"content":[],"i\u017fError":true}`, ErrKeyCase},
		{"in escapes", `"result":{"content":[],"\u0049sError":true}`, ErrKeyCase},
		{"as in the review", `"result":{"content":[],"Content":[],"isError":true,"IsError":false}`, ErrKeyCase},
		{"in an item", `"result":{"content":[{"type":"text","text":"a","Text":"b"}]}`, ErrKeyCase},
		{"in an item's resource", `"result":{"content":[{"type":"resource","resource":{"uri":"a","URI":"b"}}]}`, ErrKeyCase},
		{"in a tool", `"result":{"tools":[{"name":"a","Name":"b"}]}`, ErrKeyCase},
		{"in a tool's annotations", `"result":{"tools":[{"name":"a","annotations":{"readOnlyHint":true,"readonlyHint":false}}]}`, ErrKeyCase},
		{"in a version", `"result":{"serverInfo":{"name":"a","NAME":"b"}}`, ErrKeyCase},
		{"in an error", `"error":{"code":1,"message":"a","Message":"b"}`, ErrKeyCase},
		{"in an error, alone", `"error":{"Code":1,"message":"a"}`, ErrKeyCase},
		{"in params", `"method":"x","params":{"progress":1,"Progress":2}`, ErrKeyCase},

		{"data of a tool", `"result":{"content":[],"structuredContent":{"a":1,"A":2,"content":[{"b":1,"B":2}]}}`, nil},
		{"data of an error", `"error":{"code":1,"message":"a","data":{"a":1,"A":2}}`, nil},
		{"what a schema asks for", `"result":{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{},"X":{}}},"outputSchema":{"properties":{"y":{},"Y":{}}}}]}`, nil},
		{"what a form asks for", `"method":"elicitation/create","params":{"requestedSchema":{"properties":{"x":{},"X":{}}}}`, nil},
		{"arguments", `"method":"x","params":{"arguments":{"x":1,"X":2}}`, nil},
		{"_meta", `"result":{"_meta":{"com.example/a":1,"com.example/A":2},"content":[{"type":"text","text":"x","_meta":{"a":1,"A":2}}]}`, nil},
	} {
		if testing.Short() && len(tt.body) > 100<<10 {
			continue // the race detector makes reading each byte slow
		}
		line := []byte(`{"jsonrpc":"2.0","id":1,` + tt.body + `}`)
		if _, err := scan(line); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
		if wrong := faultsOf(line); wrong[tt.want] != (tt.want != nil) || tt.want == nil && len(wrong) > 0 {
			t.Errorf("%s: the second reader finds %v", tt.name, wrong)
		}
	}
}
