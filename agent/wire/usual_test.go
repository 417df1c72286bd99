package wire

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"google.golang.org/genai"
	"pgregory.net/rapid"
)

// equal reports whether two JSON texts have the same value.
func equal(t *rapid.T, a, b []byte) bool {
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatalf("%v in %s", err, a)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return reflect.DeepEqual(x, y)
}

// The encoders without encoding/json produce the same JSON values as encoding/json.
func TestUsualContentsAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.Just(""), rapid.String(), rapid.Just("a\"\\\n\x7f\xffé<"))
		args := rapid.OneOf(rapid.Just(map[string]any(nil)), rapid.Just(map[string]any{}), rapid.MapOf(rapid.String(), rapid.OneOf(text.AsAny(), rapid.Just(any(json.Number("9007199254740993"))))))
		part := rapid.Custom(func(t *rapid.T) *genai.Part {
			p := &genai.Part{Text: text.Draw(t, "text"), Thought: rapid.Bool().Draw(t, "thought")}
			p.ThoughtSignature = rapid.SampledFrom([][]byte{nil, {}, []byte("signature\xff")}).Draw(t, "signature")
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				p.FunctionCall = &genai.FunctionCall{ID: text.Draw(t, "id"), Name: text.Draw(t, "name"), Args: args.Draw(t, "args")}
			case 1:
				p.FunctionResponse = &genai.FunctionResponse{ID: text.Draw(t, "id"), Name: text.Draw(t, "name"), Response: args.Draw(t, "response")}
			case 2:
				p.InlineData = &genai.Blob{MIMEType: "image/png", Data: []byte{1}}
			case 3:
				p.FunctionResponse = &genai.FunctionResponse{Name: "f", Response: map[string]any{"output": "x"}, Parts: []*genai.FunctionResponsePart{{}}}
			}
			return p
		})
		c := &genai.Content{Role: text.Draw(t, "role"), Parts: rapid.SliceOfN(part, 0, 3).Draw(t, "parts")}
		fast, err := encodeContent(c)
		slow, failed := encodeAny(c)
		if err != nil || failed != nil || !equal(t, fast, slow) {
			t.Fatalf("%s, %v\ninstead of %s, %v", fast, err, slow, failed)
		}
		tool := &genai.Tool{}
		for range rapid.IntRange(0, 2).Draw(t, "functions") {
			d := &genai.FunctionDeclaration{Name: "f" + text.Draw(t, "function"), Description: text.Draw(t, "description")}
			switch rapid.IntRange(0, 2).Draw(t, "schema") {
			case 0:
				d.ParametersJsonSchema = map[string]any{"type": "object", "x": text.Draw(t, "x")}
			case 1:
				d.Behavior = genai.BehaviorBlocking
			}
			tool.FunctionDeclarations = append(tool.FunctionDeclarations, d)
		}
		if rapid.IntRange(0, 3).Draw(t, "search") == 0 {
			tool.GoogleSearch = &genai.GoogleSearch{}
		}
		quick, err := encodeTool(tool)
		whole, failed := json.Marshal(tool)
		if err != nil || failed != nil || !equal(t, quick, whole) {
			t.Fatalf("%s, %v\ninstead of %s, %v", quick, err, whole, failed)
		}
	})
}

// A value without a JSON form is an error, as in encoding/json.
func TestUsualContentsHaveErrors(t *testing.T) {
	if out, err := encodeContent(&genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{{FunctionCall: &genai.FunctionCall{Name: "f", Args: map[string]any{"x": math.NaN()}}}}}); err == nil {
		t.Errorf("%s", out)
	}
	if out, err := encodeContent(&genai.Content{Parts: []*genai.Part{nil}}); err != nil || string(out) != `{"parts":[null]}` {
		t.Errorf("%s, %v", out, err)
	}
}

// The list of a request contains exactly its contents, regardless of earlier lists.
func TestListsBeginAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &encoder{}
		all := make([]*genai.Content, 6)
		for i := range all {
			all[i] = genai.NewContentFromText(string(rune('a'+i)), genai.RoleUser)
		}
		var before [][][]byte
		var texts []string
		for range rapid.IntRange(1, 8).Draw(t, "requests") {
			list := rapid.SliceOfN(rapid.SampledFrom(all), 0, 6).Draw(t, "list")
			p, err := e.encode(list, nil)
			if err != nil {
				t.Fatal(err)
			}
			before, texts = append(before, p.contents), append(texts, joined(p.contents))
			want, _ := json.Marshal(append([]*genai.Content{}, list...)) // of texts
			if !equal(t, []byte(joined(p.contents)), want) {
				t.Fatalf("%s instead of %s", joined(p.contents), want)
			}
		}
		for i, p := range before {
			if joined(p) != texts[i] {
				t.Fatalf("a later request changed %s to %s", texts[i], joined(p))
			}
		}
	})
}

func joined(pieces [][]byte) (out string) {
	for _, p := range pieces {
		out += string(p)
	}
	return out
}
