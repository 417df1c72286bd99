package geminitest

import (
	"fmt"
	"slices"

	"goated/internal/lazyregexp"
)

// maxDeclarations limits the number of functions in a request.
const maxDeclarations = 512

var functionName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$`)

// checkTools requires that no tool is empty, and that functions have valid, different names and at
// most one form of each schema.
func (s *Server) checkTools(req *generateRequest) *failure {
	seen := map[string]bool{}
	for i, t := range req.Tools {
		at := fmt.Sprintf("tools[%d]", i)
		if t.empty() {
			return invalidField(at+".tool_type", "required one_of 'tool_type' must have one initialized field")
		}
		for j, d := range t.FunctionDeclarations {
			at := fmt.Sprintf("%s.function_declarations[%d]", at, j)
			if f := checkName(at, d.Name, seen); f != nil {
				return f
			}
			if f := s.checkSchemas(at, d); f != nil {
				return f
			}
		}
	}
	if len(seen) > maxDeclarations {
		return invalid("At most %d function declarations are supported, but %d were given.", maxDeclarations, len(seen))
	}
	return nil
}

func (t tool) empty() bool {
	return len(t.FunctionDeclarations) == 0 && len(t.MCPServers) == 0 &&
		t.ComputerUse == nil && t.FileSearch == nil && t.GoogleSearch == nil &&
		t.GoogleSearchRetrieval == nil && t.GoogleMaps == nil && t.CodeExecution == nil && t.URLContext == nil
}

// checkName applies the rule "Must start with a letter or an underscore … maximum length of 64."
// The service now documents 128, but parts of it still refuse 65.
func checkName(at, name string, seen map[string]bool) *failure {
	if !functionName.MatchString(name) {
		return invalidField(at+".name", "Invalid function name. Must start with a letter or an underscore. "+
			"Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), "+
			"with a maximum length of 64.")
	}
	if seen[name] {
		return invalid("Duplicate function declaration found: %s", name)
	}
	seen[name] = true
	return nil
}

// checkSchemas applies the rule "This field is mutually exclusive with `parameters`", and the rules
// for the form of the schema.
func (s *Server) checkSchemas(at string, d functionDeclaration) *failure {
	if d.Parameters != nil && d.ParametersJSONSchema != nil {
		return invalidField(at, "parameters and parameters_json_schema are mutually exclusive.")
	}
	if d.Response != nil && d.ResponseJSONSchema != nil {
		return invalidField(at, "response and response_json_schema are mutually exclusive.")
	}
	if f := checkOpenAPI(at+".parameters", d.Parameters); f != nil {
		return f
	}
	if f := checkOpenAPI(at+".response", d.Response); f != nil {
		return f
	}
	if d.ParametersJSONSchema != nil {
		at := at + ".parameters_json_schema"
		root, _ := d.ParametersJSONSchema.(object)
		if root["type"] != "object" {
			return invalidField(at, "the schema must describe an object.")
		}
		if f := checkJSONSchema(at, d.ParametersJSONSchema, s.lenient); f != nil {
			return f
		}
	}
	if d.ResponseJSONSchema != nil {
		return checkJSONSchema(at+".response_json_schema", d.ResponseJSONSchema, s.lenient)
	}
	return nil
}

// checkToolConfig requires a known mode and declared functions ("Function calling config is set
// without function_declarations"). Only mode ANY may have allowed names, all of them declared.
func checkToolConfig(req *generateRequest) *failure {
	if req.ToolConfig == nil || req.ToolConfig.FunctionCallingConfig == nil {
		return nil
	}
	config := req.ToolConfig.FunctionCallingConfig
	const at = "tool_config.function_calling_config"
	modes := []string{"", "MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"}
	if !slices.Contains(modes, config.Mode) {
		return invalid("Invalid value at '%s.mode' (type.googleapis.com/google.ai.generativelanguage.v1beta."+
			"FunctionCallingConfig.Mode), %q", at, config.Mode)
	}
	var declared []string
	for _, t := range req.Tools {
		for _, d := range t.FunctionDeclarations {
			declared = append(declared, d.Name)
		}
	}
	if len(declared) == 0 {
		return invalid("Function calling config is set without function_declarations.")
	}
	if len(config.AllowedFunctionNames) > 0 && config.Mode != "ANY" && config.Mode != "VALIDATED" {
		return invalid("Allowed function names should be set only when function calling mode is ANY.")
	}
	for _, name := range config.AllowedFunctionNames {
		if !slices.Contains(declared, name) {
			return invalidField(at+".allowed_function_names", "function %q is not declared.", name)
		}
	}
	return nil
}
