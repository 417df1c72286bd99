package geminitest_test

import (
	"fmt"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

const asking = `{"contents":[{"parts":[{"text":"hi"}]}],`

func declarations(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"name":"f%d"}`, i))
	}
	return strings.Join(list, ",")
}

func TestDeclarationRules(t *testing.T) {
	name64 := strings.Repeat("n", 64)
	try(t, asking+`"tools":[{"functionDeclarations":[%s]}]}`, []rule{
		{"no name", `{"description":"d"}`, `Invalid function name.`, `{"name":"_a.b:c-d9"}`},
		{"digit first", `{"name":"9a"}`, `tools[0].function_declarations[0].name: Invalid function name.`, `{"name":"a9"}`},
		{"slash", `{"name":"a/b"}`, `Invalid function name.`, `{"name":"a.b"}`},
		{"long name", `{"name":"` + name64 + `n"}`, `maximum length of 64`, `{"name":"` + name64 + `"}`},
		{"same name", `{"name":"f"},{"name":"f"}`, `Duplicate function declaration found: f`, `{"name":"f"},{"name":"g"}`},
		{"same name in another tool", `{"name":"f"}]},{"functionDeclarations":[{"name":"f"}`, `Duplicate function declaration found: f`,
			`{"name":"f"}]},{"functionDeclarations":[{"name":"g"}`},
		{"number", declarations(513), `At most 512`, declarations(512)},
		{"empty tool", `]},{"functionDeclarations":[`, `tool_type`, `{"name":"f"}]},{"googleSearch":{}},{"functionDeclarations":[{"name":"g"}`},
		{"both parameters", `{"name":"f","parameters":{"type":"STRING"},"parametersJsonSchema":{"type":"object"}}`,
			`mutually exclusive`, `{"name":"f","parametersJsonSchema":{"type":"object"}}`},
		{"both responses", `{"name":"f","response":{"type":"STRING"},"responseJsonSchema":{"type":"string"}}`,
			`mutually exclusive`, `{"name":"f","responseJsonSchema":{"type":"string"}}`},
		{"bad response", `{"name":"f","response":{"type":"TEXT"}}`, `response.type`, `{"name":"f","response":{"type":"STRING"}}`},
	})
}

func TestOpenAPIRules(t *testing.T) {
	try(t, asking+`"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"object","properties":{"a":%s}}}]}]}`, []rule{
		{"list of types", `{"type":["string","null"]}`,
			`Unknown name "type" at 'tools[0].function_declarations[0].parameters.properties[0].value': Proto field is not repeating, cannot start list.`,
			`{"type":"string","nullable":true}`},
		{"unknown keyword", `{"type":"STRING","const":"a"}`,
			`Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field.`,
			`{"type":"STRING","enum":["a"]}`},
		{"additionalProperties", `{"type":"STRING","additionalProperties":false}`, `Unknown name "additionalProperties"`, `{"type":"STRING","pattern":"a"}`},
		{"unknown type", `{"type":"TEXT"}`, `.properties[a].type'`, `{"type":"STRING"}`},
		{"object without properties", `{"type":"OBJECT"}`, `should be non-empty for OBJECT type`, `{"type":"OBJECT","properties":{"b":{"type":"NUMBER"}}}`},
		{"array without items", `{"type":"ARRAY"}`, `items: missing field`, `{"type":"ARRAY","items":{"type":"STRING"},"minItems":"1"}`},
		{"enum of numbers", `{"type":"INTEGER","enum":["1"]}`, `only allowed for STRING type`, `{"type":"STRING","enum":["1"]}`},
		{"required", `{"type":"OBJECT","properties":{"b":{"type":"NUMBER"}},"required":["c"]}`, `required[0]: property is not defined`,
			`{"type":"OBJECT","properties":{"b":{"type":"NUMBER"}},"required":["b"]}`},
		{"format", `{"type":"STRING","format":"date"}`, `only 'enum' and 'date-time' are supported`, `{"type":"STRING","format":"date-time"}`},
		{"format enum", `{"type":"STRING","format":"enum"}`, `non-empty for the format enum`, `{"type":"STRING","format":"enum","enum":["a"]}`},
		{"empty enum", `{"type":"STRING","enum":[""]}`, `enum[0]: cannot be empty`, `{"type":"STRING","enum":["a"]}`},
		{"items of a string", `{"type":"STRING","items":{"type":"STRING"}}`, `$type == Type.ARRAY`, `{"type":"ARRAY","items":{"type":"STRING"}}`},
		{"properties of a string", `{"type":"STRING","properties":{"b":{"type":"STRING"}}}`, `only allowed for OBJECT type`, ``},
		{"next to anyOf", `{"type":"STRING","anyOf":[{"type":"STRING"}]}`, `must be the only field set`, `{"anyOf":[{"type":"STRING"}]}`},
		{"in items", `{"type":"ARRAY","items":{"type":"ARRAY"}}`, `.items.items: missing field`, ``},
		{"in anyOf", `{"anyOf":[{"type":"ARRAY"}]}`, `.any_of[0].items: missing field`, `{"anyOf":[{"type":"STRING"},{"type":"NUMBER"}]}`},
	})
}

const jsonSchemaTool = asking + `"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":%s}]}]}`

func TestJSONSchemaRules(t *testing.T) {
	prop := func(schema string) string { return `{"type":"object","properties":{"a":` + schema + `}}` }
	defs := func(schema, defs string) string {
		return `{"type":"object","properties":{"a":` + schema + `},"$defs":{` + defs + `}}`
	}
	const str, tree = `"d":{"type":"string"}`, `"d":{"type":"object","properties":{"d":{"$ref":"#/$defs/d"}}`
	try(t, jsonSchemaTool, []rule{
		{"root type", `{"type":"string"}`, `must describe an object`, `{"type":"object"}`},
		{"no root type", `{"properties":{}}`, `must describe an object`, `{"type":"object","properties":{}}`},
		{"not a schema", `true`, `must describe an object`, `{"type":"object"}`},
		{"keyword", prop(`{"type":"string","pattern":"a"}`), `parameters_json_schema.properties[a]: unsupported JSON Schema keyword "pattern"`,
			prop(`{"type":"string","format":"date"}`)},
		{"$schema", `{"type":"object","$schema":"x"}`, `keyword "$schema"`, `{"type":"object","$id":"x"}`},
		{"keyword in items", prop(`{"type":"array","items":{"const":1}}`), `.items: unsupported`, prop(`{"type":"array","items":{"type":"number"}}`)},
		{"keyword in anyOf", prop(`{"anyOf":[{"not":{}}]}`), `.anyOf[0]: unsupported`, prop(`{"anyOf":[{"type":"null"}]}`)},
		{"keyword in oneOf", prop(`{"oneOf":[{"not":{}}]}`), `.oneOf[0]: unsupported`, prop(`{"oneOf":[{"type":"null"}]}`)},
		{"keyword in prefixItems", prop(`{"prefixItems":[{"not":{}}]}`), `.prefixItems[0]: unsupported`, prop(`{"prefixItems":[{"type":"null"}]}`)},
		{"keyword in additionalProperties", prop(`{"additionalProperties":{"not":{}}}`), `.additionalProperties: unsupported`, prop(`{"additionalProperties":false}`)},
		{"keyword in $defs", defs(`{}`, `"d":{"not":{}}`), `.$defs[d]: unsupported`, defs(`{}`, str)},
		{"property named like a keyword", `{"type":"object","properties":{"not":{"not":{}}}}`, `.properties[not]: unsupported`,
			`{"type":"object","properties":{"not":{}}}`},
		{"boolean schema", prop(`true`), `a schema must be an object`, prop(`{}`)},
		{"properties", `{"type":"object","properties":[]}`, `must be an object`, `{"type":"object","properties":{}}`},
		{"anyOf", prop(`{"anyOf":{}}`), `must be a list`, prop(`{"anyOf":[{}]}`)},
		{"type", prop(`{"type":"STRING"}`), `unknown type STRING`, prop(`{"type":"string"}`)},
		{"types", prop(`{"type":["string","text"]}`), `unknown type text`, prop(`{"type":["string","null"]}`)},
		{"enum of other values", prop(`{"enum":["a",null]}`), `enum[1]: must be a string or a number`, prop(`{"enum":["a",1]}`)},
		{"type of none", prop(`{"type":[]}`), `must not be empty`, prop(`{}`)},
		{"type twice", prop(`{"type":["null","null"]}`), `occurs twice`, prop(`{"type":["null","string"]}`)},
		{"anyOf of none", prop(`{"anyOf":[]}`), `not empty`, prop(`{"anyOf":[{}]}`)},
		{"enum of none", prop(`{"enum":[]}`), `not empty`, prop(`{"enum":["a"]}`)},
		{"enum of an empty text", prop(`{"enum":["a",""]}`), `enum[1]: cannot be empty`, prop(`{"enum":["a"," "]}`)},
		{"format enum", prop(`{"format":"enum"}`), `non-empty for the format enum`, prop(`{"format":"enum","enum":["a"]}`)},
		{"format as a number", prop(`{"format":7}`), `.properties[a].format' (TYPE_STRING), 7`, prop(`{"format":"date"}`)},
		{"title as a list", prop(`{"title":[]}`), `(TYPE_STRING)`, prop(`{"title":"a"}`)},
		{"description as a list", prop(`{"description":["a"]}`), `(TYPE_STRING)`, prop(`{"description":"a"}`)},
		{"minItems as a text", prop(`{"minItems":"x"}`), `min_items' (TYPE_INT64), x`, prop(`{"minItems":1}`)},
		{"maxItems as a fraction", prop(`{"maxItems":1.5}`), `(TYPE_INT64)`, prop(`{"maxItems":2}`)},
		{"minItems below zero", prop(`{"minItems":-1}`), `(TYPE_INT64)`, prop(`{"minItems":0}`)},
		{"minimum as a text", prop(`{"minimum":"1"}`), `minimum' (TYPE_DOUBLE), 1`, prop(`{"minimum":1}`)},
		{"maximum as a truth value", prop(`{"maximum":true}`), `(TYPE_DOUBLE)`, prop(`{"maximum":1e3}`)},
		{"order as numbers", prop(`{"propertyOrdering":[1]}`), `(TYPE_STRING)`, prop(`{"propertyOrdering":["a"]}`)},
		{"sum of maxItems", prop(`{"maxItems":500,"items":{"maxItems":461}}`), `Request contains an invalid argument.`, prop(`{"maxItems":500,"items":{"maxItems":460}}`)},
		{"enum", prop(`{"enum":"a"}`), `enum: must be a list`, prop(`{"enum":["a"]}`)},
		{"required", `{"type":"object","properties":{"a":{}},"required":["a","b"]}`, `required[1]: property is not defined`,
			`{"type":"object","properties":{"a":{}},"required":["a"]}`},
		{"required without properties", `{"type":"object","required":[1]}`, `required[0]`, `{"type":"object","required":["a"]}`},
		{"required as text", `{"type":"object","required":"a"}`, `must be a list`, ``},
		{"missing definition", defs(`{"$ref":"#/$defs/e"}`, str), `undefined schema #/$defs/e`, defs(`{"$ref":"#/$defs/d"}`, str)},
		{"remote reference", defs(`{"$ref":"https://x/y"}`, str), `undefined schema`, ``},
		{"reference to the root", defs(`{"$ref":"#"}`, str), `undefined schema`, ``},
		{"next to $ref", defs(`{"$ref":"#/$defs/d","description":"a"}`, str), `keyword "description" cannot be set next to $ref`,
			defs(`{"$ref":"#/$defs/d","$anchor":"a"}`, str)},
		{"cycle", defs(`{"$ref":"#/$defs/d"}`, tree+`,"required":["d"]}`), `contains itself`, defs(`{"$ref":"#/$defs/d"}`, tree+`}`)},
		{"cycle of two", defs(`{}`, `"d":{"items":{"$ref":"#/$defs/e"}},"e":{"anyOf":[{"$ref":"#/$defs/d"}]}`), `contains itself`,
			defs(`{}`, `"d":{"items":{"$ref":"#/$defs/e"}},"e":{"anyOf":[{"type":"string"}]}`)},
		{"bad response", prop(`{}`) + `,"responseJsonSchema":{"not":{}}`, `response_json_schema: unsupported`, ``},
	})
}

func TestLenient(t *testing.T) {
	s := geminitest.New(t, geminitest.Lenient())
	s.Script(geminitest.Text("ok"))
	res := post(t, s, generatePath, fmt.Sprintf(jsonSchemaTool, `{"type":"object","$schema":"x","properties":{"a":{"const":1}}}`))
	if res.status != 200 {
		t.Errorf("answered %d %s", res.status, res.body)
	}
	s.ExpectRefusals()
	res = post(t, s, generatePath, fmt.Sprintf(jsonSchemaTool, `{"type":"object","required":["a"],"properties":{}}`))
	if res.status != 400 {
		t.Errorf("answered %d %s", res.status, res.body)
	}
}

func TestToolConfigRules(t *testing.T) {
	const tools = asking + `"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":`
	try(t, `%s}}`, []rule{
		{"mode", tools + `{"mode":"SOME"}`, `FunctionCallingConfig.Mode`, tools + `{"mode":"AUTO"}`},
		{"no functions", asking + `"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}`, `without function_declarations`, tools + `{"mode":"NONE"}`},
		{"allowed in AUTO", tools + `{"mode":"AUTO","allowedFunctionNames":["f"]}`, `only when function calling mode is ANY`,
			tools + `{"mode":"ANY","allowedFunctionNames":["f"]}`},
		{"allowed undeclared", tools + `{"mode":"ANY","allowedFunctionNames":["g"]}`, `"g" is not declared`, tools + `{"mode":"VALIDATED","allowedFunctionNames":["f"]}`},
	})
}
