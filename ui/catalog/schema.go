package catalog

import (
	"fmt"
	"os"
	"strings"

	"goated/internal/config"
	"goated/internal/errtext"
	"goated/internal/exact"
	"goated/internal/inputs"
	"goated/internal/paths"
)

// schemaOf returns the form for inputs as a JSON schema. The required inputs come first, in their
// order.
func schemaOf(list []inputs.Input) map[string]any {
	properties := make(map[string]any)
	required := []string{}
	for _, in := range list {
		p := map[string]any{"type": "string", "title": in.Label()}
		var help []string
		if in.Description != "" {
			help = append(help, errtext.Sentence(in.Description))
		}
		switch {
		case in.Multiple:
			help = append(help, "Separate several with commas.")
		case in.Kind == inputs.Number:
			p["type"] = "number"
		case in.Kind == inputs.Boolean:
			p["type"] = "boolean"
		case len(in.Choices) > 0:
			p["enum"] = in.Choices
		}
		switch {
		case in.Kind == inputs.Folder:
			help = append(help, "The path of a folder.")
		case in.Kind == inputs.File:
			help = append(help, "The path of a file.")
		case in.Placeholder != "":
			help = append(help, "Such as "+in.Placeholder+".")
		}
		if in.Secret {
			p["format"] = "password"
			help = append(help, "It goes to the system's keyring.")
		}
		if len(in.Default) > 0 {
			p["default"] = initial(in)
		}
		if len(help) > 0 {
			p["description"] = strings.Join(help, " ")
		}
		properties[in.ID] = p
		if in.Required {
			required = append(required, in.ID)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// initial returns the default of an input, in the type of its field.
func initial(in inputs.Input) any {
	text := strings.Join(in.Default, ", ")
	if in.Multiple {
		return text
	}
	switch in.Kind {
	case inputs.Boolean:
		return text == "true"
	case inputs.Number:
		var n any
		if exact.Decode([]byte(text), &n) == nil {
			return n
		}
	}
	return text
}

// valuesOf converts the values of a form to the type of [inputs.Fill], which checks them.
func valuesOf(list []inputs.Input, entered map[string]any) (inputs.Values, error) {
	out := make(inputs.Values)
	for _, in := range list {
		v, ok := entered[in.ID]
		if !ok {
			continue
		}
		text := strings.TrimSpace(fmt.Sprint(v))
		parts := []string{text}
		if in.Multiple {
			parts = strings.Split(text, ",")
		}
		for _, one := range parts {
			one = strings.TrimSpace(one)
			if one == "" {
				continue
			}
			if in.Kind == inputs.File || in.Kind == inputs.Folder {
				one = paths.Absolute(config.ScriptPath(one, home()))
			}
			out[in.ID] = append(out[in.ID], one)
		}
	}
	return inputs.Fill(list, out)
}

// home returns the folder that ~ represents. Without a home folder, ~ is an ordinary name.
func home() string {
	dir, _ := os.UserHomeDir()
	return dir
}
