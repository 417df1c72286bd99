package geminitest_test

import (
	"fmt"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// rule contains a request that Gemini refuses and a very similar one that it accepts.
type rule struct {
	name    string
	refused string
	want    string // part of the message
	sibling string
}

// try sends the bodies of each rule, inserted into format if it is not empty.
func try(t *testing.T, format string, rules []rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			s := geminitest.New(t)
			s.ExpectRefusals()
			s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("ok") })
			res := post(t, s, generatePath, fmt.Sprintf(format, r.refused))
			if res.status != 400 || !strings.Contains(res.body, `"status":"INVALID_ARGUMENT"`) {
				t.Errorf("answered %d %s", res.status, res.body)
			}
			if got := s.Refusals(); len(got) != 1 || !strings.Contains(got[0], r.want) {
				t.Errorf("refused with %q, want %q", got, r.want)
			}
			if r.sibling == "" {
				return
			}
			if res := post(t, s, generatePath, fmt.Sprintf(format, r.sibling)); res.status != 200 {
				t.Errorf("sibling answered %d %s", res.status, res.body)
			}
		})
	}
}

func TestShapeRules(t *testing.T) {
	const text = `{"contents":[{"parts":[{"text":"hi"}]}]`
	try(t, "%s", []rule{
		{"not JSON", `{"contents"`, `Invalid JSON payload received.`, text + `}`},
		{"two values", text + `}{}`, `Expected end of input.`, text + `} `},
		{"unknown field", text + `,"x":1}`, `Unknown name "x": Cannot find field.`, text + `,"store":false}`},
		{"unknown nested field", `{"contents":[{"parts":[{"text":"hi","x":1}]}]}`,
			`Unknown name "x" at 'contents[0].parts[0]': Cannot find field.`, `{"contents":[{"parts":[{"text":"hi","thought":true}]}]}`},
		{"other case", `{"Contents":[]}`, `Unknown name "Contents"`, text + `}`},
		{"generation config", text + `,"generationConfig":{"maxTokens":1}}`,
			`Unknown name "maxTokens" at 'generation_config'`, text + `,"generationConfig":{"maxOutputTokens":1}}`},
		{"text for a number", text + `,"generationConfig":{"temperature":"hot"}}`,
			`Invalid value at 'generation_config.temperature'`, text + `,"generationConfig":{"temperature":"1.5"}}`},
		{"number for a text", `{"contents":[{"parts":[{"text":1}]}]}`,
			`Invalid value at 'contents[0].parts[0].text' (TYPE_STRING), 1`, text + `}`},
		{"text for a truth value", text + `,"store":"yes"}`, `(TYPE_BOOL)`, text + `,"store":true}`},
		{"object for a list", `{"contents":{}}`, `Invalid value at 'contents'`, text + `}`},
		{"list for an object", text + `,"toolConfig":[]}`, `Proto field is not repeating, cannot start list.`, text + `,"toolConfig":{}}`},
		{"base64", `{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"%%"}}]}]}`, `(TYPE_BYTES)`,
			`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"AQI="}}]}]}`},
		{"name of a file", `{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"AQI=","displayName":"a.png"}}]}]}`,
			`Unknown name "displayName" at 'contents[0].parts[0].inline_data': Cannot find field.`,
			`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"AQI="}}]}]}`},
	})
}

func TestContentRules(t *testing.T) {
	const hi = `{"role":"user","parts":[{"text":"hi"}]}`
	try(t, `{"contents":[%s]}`, []rule{
		{"no contents", ``, `contents is not specified`, hi},
		{"role", `{"role":"assistant","parts":[{"text":"hi"}]}`, `Please use a valid role: user, model.`, `{"parts":[{"text":"hi"}]}`},
		{"no parts", `{"role":"user"}`, `contents[0].parts: contents.parts must not be empty.`, hi},
		{"model first", `{"role":"model","parts":[{"text":"hi"}]},` + hi, `start with a user role`,
			hi + `,{"role":"model","parts":[{"text":"hi"}]},` + hi},
		{"model last", hi + `,{"role":"model","parts":[{"text":"hi"}]}`, `ends with a user role or a function response`, hi + `,` + hi},
		{"part without data", `{"parts":[{"thought":true}]}`, `contents[0].parts[0].data: required oneof field`, hi},
		{"empty text", `{"parts":[{"text":"hi"},{"text":""}]}`, `contents[0].parts[1].data: required oneof field`, hi},
		{"two kinds of data", `{"parts":[{"text":"hi","fileData":{"fileUri":"x"}}]}`,
			`oneof field 'data' is already set. Cannot set 'fileData'`, `{"parts":[{"text":"hi"},{"fileData":{"fileUri":"x"}}]}`},
		{"signature from the user", `{"parts":[{"text":"hi","thoughtSignature":"AQI="}]}`, `Corrupted thought signature.`, hi},
	})
}

func TestMediaRules(t *testing.T) {
	try(t, `{"contents":[{"parts":[{"text":"hi"},{"inlineData":%s}]}]}`, []rule{
		{"type of a file name", `{"mimeType":"image/jpg","data":"AQI="}`, `Unsupported MIME type: image/jpg`, `{"mimeType":"image/jpeg","data":"AQI="}`},
		{"bitmap", `{"mimeType":"image/bmp","data":"AQI="}`, `Unsupported MIME type`, `{"mimeType":"image/webp","data":"AQI="}`},
		{"archive", `{"mimeType":"application/zip","data":"AQI="}`, `Unsupported MIME type`, `{"mimeType":"application/pdf","data":"AQI="}`},
		{"no type", `{"data":"AQI="}`, `mime_type is not specified`, `{"mimeType":"text/csv; charset=utf-8","data":"AQI="}`},
		{"no data", `{"mimeType":"image/png"}`, `data is empty`, `{"mimeType":"image/png","data":"AQI="}`},
	})
}

func TestSizeRules(t *testing.T) {
	const megabyte = 1 << 20
	try(t, `{"contents":[{"parts":[%s]}]}`, []rule{
		{"payload", `{"inlineData":{"mimeType":"image/png","data":"` + strings.Repeat("AAAA", 5*megabyte) + `"}}`, `exceeds the limit: 20971520 bytes`,
			`{"inlineData":{"mimeType":"image/png","data":"` + strings.Repeat("AAAA", 4*megabyte) + `"}}`},
		{"input", `{"text":"` + strings.Repeat("a", 4*megabyte) + `"}`, `input token count`, `{"text":"` + strings.Repeat("a", 3*megabyte) + `"}`},
		{"nesting", `{"toolCall":` + strings.Repeat(`{"a":`, 100) + `1` + strings.Repeat(`}`, 100) + `}`, `Message too deep`, `{"text":"` + strings.Repeat("[", 200) + `\""}`},
		{"encoding", "{\"text\":\"\xff\"}", `Invalid UTF-8`, `{"text":"é"}`},
	})
}

// In a turn that continues, the first call of each step needs a signature, or the value that Google
// documents for calls of other models.
func TestUnsignedCallsOfOtherModels(t *testing.T) {
	const rest = `,"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}`
	const hi = `{"role":"user","parts":[{"text":"hi"}]}`
	for _, test := range []struct {
		model, contents string
		want            int
	}{
		{modelID, hi + `,{"role":"model","parts":[{"thought":false` + rest, 400},
		{modelID, hi + `,{"role":"model","parts":[{"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="` + rest, 200},
		{modelID, hi + `,{"role":"model","parts":[{"thought":false` + rest + `,` + hi, 200},
		{"gemini-2.5-flash", hi + `,{"role":"model","parts":[{"thought":false` + rest, 200},
	} {
		s := geminitest.New(t)
		s.ExpectRefusals()
		s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("ok") })
		res := post(t, s, "/v1beta/models/"+test.model+":generateContent", `{"contents":[`+test.contents+`]}`)
		if res.status != test.want || test.want == 400 && !strings.Contains(res.body, "missing a thought_signature") {
			t.Errorf("%s to %s: answered %d %s", test.contents, test.model, res.status, res.body)
		}
	}
}

func TestPairingRules(t *testing.T) {
	const (
		hi    = `{"role":"user","parts":[{"text":"hi"}]},`
		call  = `{"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=","functionCall":{"id":"1","name":"f","args":{}}}`
		call2 = `{"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=","functionCall":{"name":"g","args":{}}}`
		resp  = `{"functionResponse":{"id":"1","name":"f","response":{}}}`
		resp2 = `{"functionResponse":{"name":"g","response":{}}}`
		model = hi + `{"role":"model","parts":[`
		user  = `]},{"role":"user","parts":[`
		one   = model + call + user + resp + `]}`
		two   = model + call + `,` + call2 + user + resp + `,` + resp2 + `]}`

		number = `number of function response parts is equal to the number of function call parts`
	)
	try(t, `{"contents":[%s]}`, []rule{
		{"call unanswered", model + call + `]}`, number, one},
		{"call answered by text", model + call + user + `{"text":"go on"}]}`, number, one},
		{"one of two answered", model + call + `,` + call2 + user + resp + `]}`, number, two},
		{"call answered twice", model + call + user + resp + `,` + resp + `]}`, number, one},
		{"order", model + call + `,` + call2 + user + resp2 + `,` + resp + `]}`, `is at the position of "f"`, two},
		{"response without call", hi + `{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[` + resp + `]}`,
			`function response turn comes immediately after a function call turn`, one},
		{"response first", `{"role":"user","parts":[` + resp + `]}`, `immediately after a function call turn`, one},
		{"response in model role", model + call + `]},{"role":"model","parts":[` + resp + `]},` + strings.TrimSuffix(hi, ","),
			`function responses are allowed in the user role only`, one},
		{"call in user role", `{"role":"user","parts":[` + call + `]},{"role":"user","parts":[` + resp + `]}`,
			`function calls are allowed in the model role only`, one},
		{"call after a model turn", hi + `{"role":"model","parts":[{"text":"a"}]},` + strings.TrimPrefix(one, hi),
			`function call turn comes immediately after a user turn`, model + `{"text":"a"},` + call + user + resp + `]}`},
		{"text next to responses", model + call + user + resp + `,{"text":"go on"}]}`, `cannot be mixed`, one + `,{"parts":[{"text":"go on"}]}`},
		{"id", model + call + user + `{"functionResponse":{"id":"2","name":"f","response":{}}}]}`, `at the position of id "1"`, one},
		{"no id", model + call + user + `{"functionResponse":{"name":"f","response":{}}}]}`, `at the position of id "1"`, one},
		{"name", model + call2 + user + `{"functionResponse":{"name":"f","response":{}}}]}`, `at the position of "g"`, model + call2 + user + resp2 + `]}`},
		{"no name", model + call2 + user + `{"functionResponse":{"response":{}}}]}`, `Name cannot be empty.`, ``},
		{"no call name", model + `{"functionCall":{"id":"1"}}` + user + resp + `]}`, `Name cannot be empty.`, one},
		{"no args", model + `{"functionCall":{"id":"1","name":"f"}}` + user + resp + `]}`, `args is not specified`, one},
		{"reference in a response", model + call2 + user + `{"functionResponse":{"name":"g","response":{"output":[{"$ref":"#/$defs/a"}]}}}]}`,
			"The referenced name `#/$defs/a` in function_response.response", model + call2 + user + `{"functionResponse":{"name":"g","response":{"output":"{\"$ref\":\"#/$defs/a\"}"}}}]}`},
		{"audio in a response", model + call2 + user + `{"functionResponse":{"name":"g","response":{},"parts":[{"inlineData":{"mimeType":"audio/wav","data":"AQI="}}]}}]}`,
			`Unsupported MIME type: audio/wav`, ``},
		{"no response", model + call2 + user + `{"functionResponse":{"name":"g"}}]}`, `response is not specified`, ``},
		{"response is text", model + call2 + user + `{"functionResponse":{"name":"g","response":"a"}}]}`,
			`contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), "a"`, ``},
		{"response part without data", model + call2 + user + `{"functionResponse":{"name":"g","response":{},"parts":[{}]}}]}`,
			`function_response.parts[0].data`,
			model + call2 + user + `{"functionResponse":{"name":"g","response":{},"parts":[{"inlineData":{"mimeType":"image/png","data":"AQI="}}]}}]}`},
	})
}

func TestConfigRules(t *testing.T) {
	try(t, `{"contents":[{"parts":[{"text":"hi"}]}],%s}`, []rule{
		{"temperature", `"generationConfig":{"temperature":2.1}`, `[0.0, 2.0]`, `"generationConfig":{"temperature":2}`},
		{"top p", `"generationConfig":{"topP":1.1}`, `[0.0, 1.0]`, `"generationConfig":{"topP":1}`},
		{"output", `"generationConfig":{"maxOutputTokens":-1}`, `must be positive`, `"generationConfig":{"maxOutputTokens":1}`},
		{"candidates", `"generationConfig":{"candidateCount":9}`, `candidate_count`, `"generationConfig":{"candidateCount":1}`},
		{"schema", `"generationConfig":{"responseSchema":{"type":"ARRAY"}}`, `items: missing field`,
			`"generationConfig":{"responseSchema":{"type":"ARRAY","items":{"type":"STRING"}}}`},
		{"level", `"generationConfig":{"thinkingConfig":{"thinkingLevel":"SOME"}}`, `thinking_level`,
			`"generationConfig":{"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"LOW"}}`},
		{"level and budget", `"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW","thinkingBudget":0}}`, `only one of`,
			`"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}`},
		{"empty instruction", `"systemInstruction":{"parts":[]}`, `system_instruction.parts`, `"systemInstruction":{"parts":[{"text":"be nice"}]}`},
		{"instruction without text", `"systemInstruction":{"parts":[{"text":""}]}`, `system_instruction.parts[0].data`, ``},
		{"instruction in a file", `"systemInstruction":{"parts":[{"fileData":{}}]}`, `only text parts`, ``},
	})
}

func TestCountRules(t *testing.T) {
	const path = "/v1beta/models/" + modelID + ":countTokens"
	for _, test := range []struct {
		body string
		want int
	}{
		{good, 200},
		{`{"contents":[{"role":"model","parts":[{"text":"hi"}]}]}`, 200},
		{`{"generateContentRequest":` + good + `}`, 200},
		{bad, 400},
		{`{"contents":[{"parts":[{}]}]}`, 400},
		{`{"generateContentRequest":` + bad + `}`, 400},
		{`{"generateContentRequest":` + good + `,` + good[1:], 400},
		{`{"systemInstruction":{"parts":[{"text":"hi"}]},` + good[1:], 400},
	} {
		s := geminitest.New(t)
		s.ExpectRefusals()
		if res := post(t, s, path, test.body); res.status != test.want {
			t.Errorf("%s: answered %d %s", test.body, res.status, res.body)
		}
	}
}

func TestStreamNeedsSSE(t *testing.T) {
	s := geminitest.New(t)
	s.ExpectRefusals()
	res := post(t, s, "/v1beta/models/"+modelID+":streamGenerateContent", good)
	if res.status != 400 || !strings.Contains(res.body, "alt=sse") {
		t.Errorf("answered %d %s", res.status, res.body)
	}
}

// Models before Gemini 3 accept images only in a separate content, not in responses.
func TestImagesInResponses(t *testing.T) {
	const image = `{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}`
	const before = `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=","functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}`
	within, beside := before+`,"parts":[`+image+`]}}]}]}`, before+`}}]},{"role":"user","parts":[`+image+`]}]}`
	for _, test := range []struct {
		model, body string
		want        int
	}{{modelID, within, 200}, {modelID, beside, 200}, {"gemini-2.5-flash", within, 400}, {"gemini-2.5-flash", beside, 200}} {
		s := geminitest.New(t)
		s.ExpectRefusals()
		s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("ok") })
		if res := post(t, s, "/v1beta/models/"+test.model+":generateContent", test.body); res.status != test.want {
			t.Errorf("%s: answered %d %s to %s", test.model, res.status, res.body, test.body)
		}
	}
}
