package geminitest

import "fmt"

// calls counts the function calls in a content.
func (c content) calls() int {
	n := 0
	for _, p := range c.Parts {
		if p.FunctionCall != nil {
			n++
		}
	}
	return n
}

// responses counts the function responses in a content.
func (c content) responses() int {
	n := 0
	for _, p := range c.Parts {
		if p.FunctionResponse != nil {
			n++
		}
	}
	return n
}

// checkPairing requires that the content after function calls contains their responses.
func checkPairing(req *generateRequest) *failure {
	for i, c := range req.Contents {
		var previous content
		if i > 0 {
			previous = req.Contents[i-1]
		}
		for _, rule := range []func(i int, previous, c content) *failure{
			checkCallTurn, checkResponseTurn, checkResponses,
		} {
			if f := rule(i, previous, c); f != nil {
				return f
			}
		}
	}
	return nil
}

// checkCallTurn requires that a "function call turn comes immediately after a user turn or after a
// function response turn", and that it has the model's role.
func checkCallTurn(i int, previous, c content) *failure {
	if c.calls() == 0 {
		return nil
	}
	if c.role() != roleModel {
		return invalidField(fmt.Sprintf("contents[%d]", i), "function calls are allowed in the model role only.")
	}
	if previous.role() != roleUser {
		return invalid("Please ensure that function call turn comes immediately after a user turn " +
			"or after a function response turn.")
	}
	for j, p := range c.Parts {
		if p.FunctionCall != nil && p.FunctionCall.Name == "" {
			return invalidField(fmt.Sprintf("contents[%d].parts[%d].function_call.name", i, j), "Name cannot be empty.")
		}
	}
	return nil
}

// checkResponseTurn requires that "the number of function response parts is equal to the number of
// function call parts of the function call turn", which is the previous content. A content with
// responses must have no other parts, and the user's role.
func checkResponseTurn(i int, previous, c content) *failure {
	calls, responses := previous.calls(), c.responses()
	switch {
	case responses > 0 && calls == 0:
		return invalid("Please ensure that function response turn comes immediately after a function call turn.")
	case responses != calls:
		return invalid("Please ensure that the number of function response parts is equal to " +
			"the number of function call parts of the function call turn.")
	case responses > 0 && c.role() != roleUser:
		return invalidField(fmt.Sprintf("contents[%d]", i), "function responses are allowed in the user role only.")
	case responses > 0 && responses != len(c.Parts):
		return invalidField(fmt.Sprintf("contents[%d].parts", i), "function responses cannot be mixed with other parts.")
	}
	return nil
}

// checkResponses requires that each response is an object and has the name and the ID, if any, of
// the call at the same index.
func checkResponses(i int, previous, c content) *failure {
	if c.responses() == 0 {
		return nil
	}
	var calls []*functionCall
	for _, p := range previous.Parts {
		if p.FunctionCall != nil {
			calls = append(calls, p.FunctionCall)
		}
	}
	for j, p := range c.Parts {
		call, response := calls[j], p.FunctionResponse
		at := fmt.Sprintf("contents[%d].parts[%d].function_response", i, j)
		switch {
		case response.Name == "":
			return invalidField(at+".name", "Name cannot be empty.")
		case response.Name != call.Name:
			return invalidField(at+".name", "response to %q is at the position of %q.", response.Name, call.Name)
		case call.ID != "" && response.ID != call.ID:
			return invalidField(at+".id", "response to id %q is at the position of id %q.", response.ID, call.ID)
		case response.Response == nil:
			return invalidField(at+".response", "response is not specified")
		}
		for k, extra := range response.Parts {
			if (extra.InlineData == nil) == (extra.FileData == nil) {
				return invalidField(fmt.Sprintf("%s.parts[%d].data", at, k),
					"required oneof field 'data' must have one initialized field")
			}
		}
	}
	return nil
}
