package geminitest

import "fmt"

const (
	roleUser  = "user"
	roleModel = "model"
)

// role returns the role of a content. The default is user.
func (c content) role() string {
	if c.Role == "" {
		return roleUser
	}
	return c.Role
}

// checkContents applies the rules "contents is not specified", "parts must not be empty" and
// "Please use a valid role: user, model."
func checkContents(req *generateRequest) *failure {
	if len(req.Contents) == 0 {
		return invalidField("contents", "contents is not specified")
	}
	for i, c := range req.Contents {
		if len(c.Parts) == 0 {
			return invalidField(fmt.Sprintf("contents[%d].parts", i), "contents.parts must not be empty.")
		}
		if role := c.role(); role != roleUser && role != roleModel {
			return invalid("Please use a valid role: user, model.")
		}
	}
	return nil
}

// checkEnds requires that a conversation starts with the user, and that "multiturn requests ends
// with a user role or a function response".
func checkEnds(req *generateRequest) *failure {
	if req.Contents[0].role() != roleUser {
		return invalid("Please ensure that multiturn requests start with a user role.")
	}
	last := req.Contents[len(req.Contents)-1]
	if last.calls() > 0 {
		return invalid("Please ensure that the number of function response parts is equal to " +
			"the number of function call parts of the function call turn.")
	}
	if last.role() != roleUser {
		return invalid("Please ensure that multiturn requests ends with a user role or a function response.")
	}
	return nil
}

// checkParts requires exactly one data field in every part.
func checkParts(req *generateRequest) *failure {
	for i, c := range req.Contents {
		if f := checkOneof(fmt.Sprintf("contents[%d]", i), c.Parts); f != nil {
			return f
		}
	}
	return nil
}

// checkSystemInstruction requires that the instruction is text.
func checkSystemInstruction(req *generateRequest) *failure {
	if req.SystemInstruction == nil {
		return nil
	}
	parts := req.SystemInstruction.Parts
	if len(parts) == 0 {
		return invalidField("system_instruction.parts", "parts must not be empty.")
	}
	for _, p := range parts {
		if p.Text == nil && len(p.data()) > 0 {
			return invalid("System instruction supports only text parts.")
		}
	}
	return checkOneof("system_instruction", parts)
}

// checkOneof applies the rule "required oneof field 'data' must have one initialized field". Empty
// text counts as data only beside a thought signature, because Gemini itself sends that.
func checkOneof(path string, parts []part) *failure {
	for i, p := range parts {
		at := fmt.Sprintf("%s.parts[%d]", path, i)
		set := p.data()
		if len(set) > 1 {
			return invalid("Invalid value at '%s' (oneof), oneof field 'data' is already set. Cannot set '%s'", at, set[1])
		}
		emptyText := p.Text != nil && *p.Text == "" && len(p.ThoughtSignature) == 0
		if len(set) == 0 || emptyText {
			return invalidField(at+".data", "required oneof field 'data' must have one initialized field")
		}
	}
	return nil
}

// data returns the names of the data fields that are set.
func (p part) data() []string {
	var set []string
	for _, field := range []struct {
		name string
		set  bool
	}{
		{"text", p.Text != nil},
		{"inlineData", p.InlineData != nil},
		{"fileData", p.FileData != nil},
		{"functionCall", p.FunctionCall != nil},
		{"functionResponse", p.FunctionResponse != nil},
		{"executableCode", p.ExecutableCode != nil},
		{"codeExecutionResult", p.CodeExecutionResult != nil},
		{"toolCall", p.ToolCall != nil},
		{"toolResponse", p.ToolResponse != nil},
	} {
		if field.set {
			set = append(set, field.name)
		}
	}
	return set
}
