package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"google.golang.org/genai"
)

// Images are sent as data URLs. Characters in tool names that the service refuses are replaced.
func TestRequest(t *testing.T) {
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{
		{Name: "a.b", ParametersJsonSchema: map[string]any{"type": "object"}}, {Name: "a:b", ParametersJsonSchema: map[string]any{"type": "object"}},
	}}}}
	params, names, _ := translate([]*genai.Content{{Role: genai.RoleUser, Parts: []*genai.Part{
		genai.NewPartFromText("look"), genai.NewPartFromBytes([]byte("\x89PNG\r\n\x1a\n"), "image/png"), genai.NewPartFromBytes([]byte{1}, "application/pdf"),
	}}}, config, "")
	data, _ := json.Marshal(params)
	if len(names) != 2 || !strings.Contains(string(data), "data:image/png;base64,") || !strings.Contains(string(data), "application/pdf, which this model can't read") {
		t.Errorf("%v, %s", names, data)
	}
	for name, ours := range names {
		if otherLetter.MatchString(name) || !strings.Contains("a.b a:b", ours) {
			t.Errorf("%q stands for %q", name, ours)
		}
	}
}

func TestWrongEndpointsAreRefused(t *testing.T) {
	for _, o := range []Options{{BaseURL: "localhost", Model: "m"}, {BaseURL: "http://localhost"}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
