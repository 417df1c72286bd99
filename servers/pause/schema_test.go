package pause

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// schemaOfTheSeed contains the fields of the tools, as in the seed and in the program that it
// describes. "!" means required, "[1]" means a list with at least one entry, and parentheses
// contain the values of an enum.
var schemaOfTheSeed = map[string]map[string]string{
	"planner":              {"decision_context": "string!", "visual_output": "string", "plan": "string", "options": "array!", "default_action": "string"},
	"text_input":           {"question": "string!", "description": "string", "placeholder": "string", "defaultText": "string", "maxLength": "integer", "expectsCode": "boolean", "required": "boolean"},
	"single_choice":        {"question": "string!", "description": "string", "options": "array[1]!", "defaultValue": "string"},
	"multi_choice":         {"question": "string!", "description": "string", "options": "array[1]!", "minSelections": "integer", "maxSelections": "integer", "allowEmpty": "boolean"},
	"screenshot_request":   {"question": "string!", "description": "string"},
	"confirm":              {"question": "string!", "description": "string", "warning": "string", "isDangerous": "boolean", "defaultToNo": "boolean", "yesLabel": "string", "noLabel": "string", "title": "string"},
	"set_dialog_frequency": {"frequency": "string(minimal low normal high)!"},
	"remember_preference":  {"category": "string!", "decision": "string!", "value": "string!", "applyToSimilar": "boolean"},
	"check_preference":     {"category": "string!", "decision": "string!", "importance": "string(low medium high critical)"},
	"reset_preferences":    {"confirm": "boolean!"},
	"should_ask_user": {"type": "string!", "category": "string(architecture implementation style configuration)!", "importance": "string(low medium high critical)!",
		"hasExistingPattern": "boolean", "isFirstImplementation": "boolean", "isBreakingChange": "boolean"},
}

// fields describes the properties of a schema in the notation of schemaOfTheSeed.
func fields(schema map[string]any) map[string]string {
	all := make(map[string]string)
	required, _ := schema["required"].([]any)
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		field, _ := p.(map[string]any)
		text := fmt.Sprint(field["type"])
		if least, ok := field["minItems"]; ok {
			text += fmt.Sprintf("[%v]", least)
		}
		if values, ok := field["enum"].([]any); ok {
			text += "(" + strings.Trim(fmt.Sprint(values), "[]") + ")"
		}
		if slices.Contains(required, any(name)) {
			text += "!"
		}
		all[name] = text
	}
	return all
}

func toolsByName(t *testing.T) map[string]*mcp.Tool {
	t.Helper()
	r, err := connect(t, Options{}, nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]*mcp.Tool)
	for _, tool := range r.Tools {
		all[tool.Name] = tool
	}
	return all
}

func TestEachFieldOfTheSeed(t *testing.T) {
	all := toolsByName(t)
	if len(all) != len(schemaOfTheSeed) {
		t.Errorf("there are %d tools, the seed has %d", len(all), len(schemaOfTheSeed))
	}
	for name, want := range schemaOfTheSeed {
		if all[name] == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		schema, _ := all[name].InputSchema.(map[string]any)
		if got := fields(schema); !maps.Equal(got, want) {
			t.Errorf("%s has %v\nwant %v", name, got, want)
		}
	}
	output, _ := all["planner"].OutputSchema.(map[string]any)
	got := fields(output)
	for name, want := range map[string]string{
		"status": "string(answered cancelled declined text error)!", "thinkingMode": "string(quick normal deep ultra)", "action": "string(plan execute submit)",
	} {
		if got[name] != want {
			t.Errorf("the output has %s %s, want %s", name, got[name], want)
		}
	}
	multi, _ := all["multi_choice"].InputSchema.(map[string]any)
	properties, _ := multi["properties"].(map[string]any)
	options, _ := properties["options"].(map[string]any)
	items, _ := options["items"].(map[string]any)
	if got, want := fields(items), (map[string]string{"value": "string!", "label": "string!", "description": "string", "checked": "boolean", "disabled": "boolean", "group": "string", "tags": "array"}); !maps.Equal(got, want) {
		t.Errorf("an option has %v, want %v", got, want)
	}
}

// The planner has each field from the text of the seed, with its type and its description.
func TestPlannerOfTheSeedsText(t *testing.T) {
	text, err := os.ReadFile("testdata/seed_planner.ts")
	if err != nil {
		t.Fatal(err)
	}
	tool := toolsByName(t)["planner"]
	schema, _ := tool.InputSchema.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	options, _ := properties["options"].(map[string]any)
	items, _ := options["items"].(map[string]any)
	inner, _ := items["properties"].(map[string]any)
	found := 0
	for _, m := range regexp.MustCompile(`(\w+): \{\s*type: '(\w+)'(?:,\s*description: '([^']*)')?`).FindAllStringSubmatch(string(text), -1) {
		name, kind, description := m[1], m[2], m[3]
		if name == "parameters" || name == "items" {
			continue
		}
		field, ok := properties[name].(map[string]any)
		if !ok {
			field, ok = inner[name].(map[string]any)
		}
		words, _ := field["description"].(string)
		if !ok || field["type"] != kind || !strings.HasPrefix(words, description) {
			t.Errorf("%s is %v, the seed has %s %q", name, field, kind, description)
		}
		found++
	}
	if found != 7 {
		t.Errorf("the seed has %d fields", found)
	}
	for _, m := range regexp.MustCompile(`required: \[(.*)\]`).FindAllStringSubmatch(string(text), -1) {
		for name := range strings.SplitSeq(m[1], ", ") {
			if required, _ := schema["required"].([]any); !slices.Contains(required, any(strings.Trim(name, "'"))) {
				t.Errorf("%s is not required", name)
			}
		}
	}
	if !strings.HasPrefix(tool.Description, "Interactive planning dialog with visual output") {
		t.Errorf("the description is %q", tool.Description)
	}
}
