package pause

import (
	"context"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/pause/dialog"
)

// A dialogTool describes the tool of a dialog. To add a dialog, add a line to dialogTools; see
// CONTRIBUTING for the four steps.
type dialogTool struct {
	kind        dialog.Kind
	title       string
	description string
	input       any // the type of the arguments
}

func dialogTools() []dialogTool {
	return []dialogTool{
		{dialog.KindPlanner, "Plan with the user", "Interactive planning dialog with visual output. Shows the user where you are, a plan and the ways to go on. The user chooses one or writes their own, says how much you should think, and may add text and files.", dialog.Planner{}},
		{dialog.KindTextInput, "Ask for text", "Asks the user for a text, such as a name, a requirement or code.", dialog.TextInput{}},
		{dialog.KindSingleChoice, "Ask for one choice", "Asks the user to choose one of several options.", dialog.SingleChoice{}},
		{dialog.KindMultiChoice, "Ask for several choices", "Asks the user to choose any number of options, which may stand in groups.", dialog.MultiChoice{}},
		{dialog.KindScreenshot, "Ask for a screenshot", "Asks the user for one or more pictures of their screen.", dialog.Screenshot{}},
		{dialog.KindConfirm, "Ask for confirmation", "Asks the user for yes or no. Use isDangerous before you delete or overwrite something.", dialog.Confirm{}},
	}
}

// askAnnotations are the annotations of tools that ask the user and change nothing. A second call asks again.
var askAnnotations = mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(bool)}

func (s *server) addDialogs(m *mcp.Server) {
	for _, t := range dialogTools() {
		annotations := askAnnotations
		annotations.Title = t.title
		m.AddTool(&mcp.Tool{
			Name: string(t.kind), Title: t.title, Description: t.description,
			InputSchema: inputSchema(t.input), OutputSchema: outputSchema(), Annotations: &annotations,
		}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.ask(ctx, t.kind, r), nil
		})
	}
}

// inputSchema returns the schema of a tool's arguments. It allows no other arguments: with a
// misspelled isDangerous, a dangerous question would look harmless.
func inputSchema(of any) *jsonschema.Schema {
	schema := schemaOf(of)
	switch of.(type) {
	case dialog.SingleChoice, dialog.MultiChoice: // a planner adds its own options
		least := 1
		schema.Properties["options"].MinItems = &least
	}
	switch of.(type) {
	case dialog.SingleChoice, dialog.Planner: // models read each description in each request
		option := schema.Properties["options"].Items
		for _, name := range []string{"checked", "group", "tags"} {
			delete(option.Properties, name)
		}
		option.AdditionalProperties = nil // models send these three anyway; dialog.CheckNames rejects wrong names
	}
	return schema
}

// schemaOf returns the schema of a type. Its lists and pointers are never null.
func schemaOf(of any) *jsonschema.Schema {
	schema, err := jsonschema.ForType(reflect.TypeOf(of), &jsonschema.ForOptions{TypeSchemas: enums})
	if err != nil {
		panic(fmt.Sprintf("the schema of %T: %v", of, err)) // of is a constant of the program
	}
	removeNullTypes(schema)
	return schema
}

// enums contains the schemas of types with few values.
var enums = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[frequency]():           enum(frequencies()),
	reflect.TypeFor[importance]():          enum(importances()),
	reflect.TypeFor[category]():            enum(categories()),
	reflect.TypeFor[status]():              enum(statuses()),
	reflect.TypeFor[dialog.ThinkingMode](): enum(dialog.ThinkingModes()),
	reflect.TypeFor[dialog.Action]():       enum(dialog.Actions()),
}

func enum[T ~string](values []T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// removeNullTypes removes null from the types of a schema's properties, at all levels. The inferred schema
// allows null for each list and pointer, but a list of options is never null.
func removeNullTypes(schema *jsonschema.Schema) {
	for _, p := range schema.Properties {
		removeNullTypes(p)
		if len(p.Types) == 2 && p.Types[0] == "null" {
			p.Type, p.Types = p.Types[1], nil
		}
	}
	if schema.Items != nil {
		removeNullTypes(schema.Items)
	}
}

// ask is the handler of the dialog tools. Wrong arguments and a missing way to the user are results
// with isError, so that the model can react.
func (s *server) ask(ctx context.Context, kind dialog.Kind, r *mcp.CallToolRequest) *mcp.CallToolResult {
	err := dialog.CheckNames(kind, r.Params.Arguments)
	var question dialog.Question
	if err == nil {
		question, err = dialog.Parse(kind, r.Params.Arguments)
	}
	if err != nil {
		return failed(correctAndRepeat, err)
	}
	if response, ok := r.Params.InputResponses[inputID]; ok {
		answer, err := answerFrom(question, response)
		if err != nil {
			return failed(askInReply, err)
		}
		return result(question, answer)
	}
	switch way := chooseChannel(kind, r.ClientCapabilities(), s.socket != nil); way {
	case elicitation, richElicitation:
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{inputID: request(question, way == richElicitation)}}
	case socket:
		return s.askSocket(ctx, question, r)
	}
	if kind == dialog.KindScreenshot {
		return failed(askInReply, fmt.Errorf("%w: forms of this client cannot contain pictures, and goated is not running. The user can attach a picture to a message, or describe it", errUnreachable))
	}
	return failed(stopAndWait, fmt.Errorf("%w: this client has no elicitation, and goated is not running", errUnreachable))
}
