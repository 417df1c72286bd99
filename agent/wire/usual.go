package wire

import (
	"encoding/base64"
	"encoding/json"
	"reflect"

	"google.golang.org/genai"

	"goated/internal/jsonscan"
)

// encodeUsualContent encodes a content that contains only text, calls and tool results. ok is false for
// others, which need encoding/json. encoding/json inspects all fields of genai's types for each
// part, and preparing these types once takes it longer than a request.
func encodeUsualContent(c *genai.Content) (out []byte, ok bool) {
	out = append(make([]byte, 0, 256), `{"parts":[`...)
	for i, p := range c.Parts {
		if p == nil {
			return nil, false
		}
		if i > 0 {
			out = append(out, ',')
		}
		if out, ok = encodeUsualPart(out, p); !ok {
			return nil, false
		}
	}
	out = append(out, ']')
	if c.Role != "" {
		out = jsonscan.AppendString(append(out, `,"role":`...), c.Role)
	}
	return append(out, '}'), len(c.Parts) > 0
}

func encodeUsualPart(out []byte, p *genai.Part) (_ []byte, ok bool) {
	rest := *p
	rest.Text, rest.Thought, rest.ThoughtSignature, rest.FunctionCall, rest.FunctionResponse = "", false, nil, nil, nil
	if !isZero(&rest) {
		return nil, false
	}
	out, ok = append(out, '{'), true
	if call := p.FunctionCall; call != nil {
		rest := *call
		rest.ID, rest.Name, rest.Args = "", "", nil
		if !isZero(&rest) {
			return nil, false
		}
		if out, ok = appendNamed(append(out, `"functionCall":`...), call.ID, call.Name, "args", call.Args); !ok {
			return nil, false
		}
	}
	if r := p.FunctionResponse; r != nil {
		rest := *r
		rest.ID, rest.Name, rest.Response = "", "", nil
		if !isZero(&rest) {
			return nil, false
		}
		if out, ok = appendNamed(append(out, `"functionResponse":`...), r.ID, r.Name, "response", r.Response); !ok || len(r.Response) == 0 {
			return nil, false
		}
	}
	if p.Text != "" || len(p.ThoughtSignature) > 0 && p.FunctionCall == nil && p.FunctionResponse == nil {
		out = jsonscan.AppendString(append(out, `"text":`...), p.Text)
		out = append(out, ',')
	}
	if p.Thought {
		out = append(out, `"thought":true,`...)
	}
	if len(p.ThoughtSignature) > 0 {
		out = base64.StdEncoding.AppendEncode(append(out, `"thoughtSignature":"`...), p.ThoughtSignature)
		out = append(out, `",`...)
	}
	last := len(out) - 1
	if out[last] != ',' {
		return nil, false // an empty part
	}
	out[last] = '}'
	return out, true
}

// appendNamed appends a call or a tool result.
func appendNamed(out []byte, id, name, key string, value map[string]any) ([]byte, bool) {
	out = append(out, '{')
	if id != "" {
		out = append(jsonscan.AppendString(append(out, `"id":`...), id), ',')
	}
	if name != "" {
		out = append(jsonscan.AppendString(append(out, `"name":`...), name), ',')
	}
	data := []byte("{}")
	if len(value) > 0 {
		var err error
		if data, err = json.Marshal(value); err != nil {
			return nil, false // encoding/json returns the error
		}
	}
	out = append(append(append(out, '"'), key...), `":`...)
	return append(append(out, data...), "},"...), true
}

// encodeUsualTool encodes a tool that contains only functions with JSON schemas.
func encodeUsualTool(t *genai.Tool) (out []byte, ok bool) {
	rest := *t
	rest.FunctionDeclarations = nil
	if !isZero(&rest) || len(t.FunctionDeclarations) == 0 {
		return nil, false
	}
	out = append(out, `{"functionDeclarations":[`...)
	for i, d := range t.FunctionDeclarations {
		if d == nil {
			return nil, false
		}
		rest := *d
		rest.Name, rest.Description, rest.ParametersJsonSchema = "", "", nil
		if !isZero(&rest) {
			return nil, false
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonscan.AppendString(append(out, `{"name":`...), d.Name)
		if d.Description != "" {
			out = jsonscan.AppendString(append(out, `,"description":`...), d.Description)
		}
		if d.ParametersJsonSchema != nil {
			data, err := json.Marshal(d.ParametersJsonSchema)
			if err != nil {
				return nil, false
			}
			out = append(append(out, `,"parametersJsonSchema":`...), data...)
		}
		out = append(out, '}')
	}
	return append(out, "]}"...), true
}

// isZero reports whether all fields of a struct have their zero values.
func isZero[T any](v *T) bool { return reflect.ValueOf(v).Elem().IsZero() }
