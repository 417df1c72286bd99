package toolcall

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
	"goated/internal/jsonscan"
)

// Result decodes each result to the same value as the SDK and package exact.
func FuzzResult(f *testing.F) {
	for _, result := range []string{
		`{"content":[]}`, `{"content":[{"type":"text","text":"hi"}],"isError":false}`, `{"content":[{"text":"\u00e9\ud83d\ude00\n","type":"text"},{"type":"text","text":""}],"isError":true}`,
		`{"content":[{"type":"text","text":"1"}],"structuredContent":{"n":9007199254740993, "a":[1.10]}}`, `{"structuredContent":null,"content":[]}`, `{"content":null}`, `{}`,
		`{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`, `{"content":[{"type":"text","text":"a","annotations":{"priority":1}}]}`, `{"content":[],"_meta":{"a":1}}`, `{"content":[],"_meta":{"a":[1.10,{"b":9007199254740993}],"é":"\ue000"}}`, `{"content":[],"_meta":null}`,
		`{"resultType":"complete","content":[{"type":"text","text":"a"}]}`, `{"resultType":"input_required","inputRequests":{}}`, `{"content":[{"type":"text"}]}`, `{"content":[{"text":"a"}]}`, `{"content":[null]}`,
		`{"content":[{"type":"text","text":1}]}`, `{"content":[],"isError":null}`, `{"content":[],"structuredContent":7}`, `{"content":[],"content":[]}`, `[]`,
	} {
		f.Add([]byte(result))
	}
	f.Fuzz(func(t *testing.T, result []byte) {
		line := append(append([]byte(`{"jsonrpc":"2.0","id":1,"result":`), result...), '}')
		line = jsonscan.Repair(line, 4*len(line))
		msg, _, err := jsonscan.Decode(line)
		if err != nil {
			return
		}
		got, ok := Result(msg.(*jsonrpc.Response).Result)
		if !ok {
			return
		}
		var want mcp.CallToolResult
		if err := exact.DecodeResult(msg.(*jsonrpc.Response).Result, &want); err != nil {
			t.Fatalf("%s was decoded, but %v", result, err)
		}
		exact.Result(&want)
		if raw, ok := want.StructuredContent.(json.RawMessage); ok {
			if have, _ := got.StructuredContent.(json.RawMessage); !bytes.Equal(bytes.Join(bytes.Fields(raw), nil), bytes.Join(bytes.Fields(have), nil)) {
				t.Fatalf("%s: structured content %s, want %s", result, have, raw)
			}
			want.StructuredContent, got.StructuredContent = nil, nil
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(&want)
		b = bytes.ReplaceAll(b, []byte(`,"resultType":"complete"`), nil) // nothing reads it
		if !bytes.Equal(a, b) || !reflect.DeepEqual(got.Content, want.Content) || !reflect.DeepEqual(got.Meta, want.Meta) || want.NeedsInput() {
			t.Fatalf("%s is %s, want %s", result, a, b)
		}
	})
}

// The params contain the given values, whatever their names are.
func TestParams(t *testing.T) {
	for _, c := range []struct {
		p    Params
		want string
	}{
		{Params{Tool: "t", Args: []byte(`{"a":1}`), Token: "call-1"}, `{"_meta":{"progressToken":"call-1"},"name":"t","arguments":{"a":1}}`},
		{Params{Tool: "naïve \"t\"\n", Args: []byte(`{}`), Token: "x", Level: "info", Meta: []byte(`"k":{"v":[1]}`)},
			`{"_meta":{"progressToken":"x","io.modelcontextprotocol/logLevel":"info","k":{"v":[1]}},"name":"naïve \"t\"\n","arguments":{}}`},
	} {
		if got := string(c.p.Append(nil)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
