package exact

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var forms = map[string]Form{"text": Text, "inside": Inside, "beside": Beside, "question": Question, "ordered": Ordered}

// Hiding and restoring has the same result as exact decoding, for any JSON.
func FuzzHide(f *testing.F) {
	for _, value := range []string{
		`{"n":9007199254740993}`, `[1.10,{"a":-0}]`, `1e400`, `null`, `"\ue000{}"`, `{"\ue000":"{}"}`, "{\"\ue000\":\"{\\\"a\\\":1}\"}",
		`{"a":"\\\"","b":"\\"}`, `{"text":{"inside":1.0}}`, "{\n\t\"a\" : [ 1 ,\r\n 2 ]}", `{"type":"integer","default":12345678901234567890}`, `{}`, `true`, `"é"`,
	} {
		f.Add([]byte(value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		var want any
		if Decode(value, &want) != nil {
			_ = Hide(append([]byte(`{"text":`), value...), forms) // must not panic for any bytes
			return
		}
		for name, form := range forms {
			message := append(append([]byte(`data: {"x":"y","`+name+`": `), value...), ` ,"z":[1]}`...)
			kept := bytes.Clone(message)
			hidden := Hide(message, forms)
			if !bytes.Equal(message, kept) {
				t.Fatalf("%s changed its argument to %s", name, message)
			}
			var decoded map[string]any
			if err := json.Unmarshal(hidden[len("data: "):], &decoded); err != nil {
				if form == Text {
					t.Fatalf("%s: %s: %v", name, hidden, err)
				}
				continue // a number out of range outside an object
			}
			got := Restore(decoded[name])
			if form == Text {
				got = Raw(decoded[name])
				if raw, ok := got.(json.RawMessage); ok {
					got = nil
					if err := Decode(raw, &got); err != nil {
						t.Fatalf("%s: %s: %v", name, raw, err)
					}
				}
			}
			if _, object := want.(map[string]any); form != Text && !object {
				continue
			}
			if a, b := written(got), written(want); a != b {
				t.Fatalf("%s: %s is %s, want %s", name, value, a, b)
			}
		}
	})
}

func written(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// Hide does not copy text in which it replaces nothing.
func TestNothingToHide(t *testing.T) {
	for _, text := range []string{
		`{"content":[{"type":"text","text":"hi"}],"isError":false}`,
		`{"_meta":{"n":1,"f":0.5,"s":"structuredContent"}}`,
		`{"structuredContent":null}`,
		`{"text":"\"structuredContent\":1.0"}`,
		`{"structuredContent":{"cut`,
	} {
		if got := hideResult([]byte(text)); string(got) != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

// Data after a value is an error, as in json.Unmarshal.
func TestDecodeWantsOneValue(t *testing.T) {
	for text, ok := range map[string]bool{`{"a":1}`: true, " {} \n": true, `{} {}`: false, `{"a":1}x`: false, ``: false, `{"a":}`: false} {
		var m map[string]any
		if err := Decode([]byte(text), &m); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Every kind of content keeps the digits of its metadata.
func TestMetadataOfEachContent(t *testing.T) {
	const n = "9007199254740993"
	meta := `"_meta":{"n":` + n + `}`
	var r mcp.CallToolResult
	err := DecodeResult([]byte(`{"content":[
		{"type":"text","text":"","`+meta[1:]+`},{"type":"image","data":"","mimeType":"image/png",`+meta+`},{"type":"audio","data":"","mimeType":"audio/wav",`+meta+`},
		{"type":"resource_link","uri":"x:y","name":"x",`+meta+`},{"type":"resource","resource":{"uri":"x:y","text":"",`+meta+`},`+meta+`}],`+meta+`}`), &r)
	if err != nil {
		t.Fatal(err)
	}
	Result(&r)
	want := map[string]any{"n": json.Number(n)}
	for i, got := range []mcp.Meta{
		r.Meta, r.Content[0].(*mcp.TextContent).Meta, r.Content[1].(*mcp.ImageContent).Meta, r.Content[2].(*mcp.AudioContent).Meta,
		r.Content[3].(*mcp.ResourceLink).Meta, r.Content[4].(*mcp.EmbeddedResource).Meta, r.Content[4].(*mcp.EmbeddedResource).Resource.Meta,
	} {
		if !reflect.DeepEqual(map[string]any(got), want) {
			t.Errorf("metadata %d is %v", i, got)
		}
	}
}
