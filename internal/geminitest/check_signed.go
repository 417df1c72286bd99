package geminitest

import "strings"

// skipSignature replaces the signature of a call that another model made
// (ai.google.dev/gemini-api/docs/thought-signatures, FAQ).
const skipSignature = "skip_thought_signature_validator"

// checkSigned requires that "the first functionCall part in each step of the current turn" has a
// signature, except for models before Gemini 3. The current turn starts at the last content of the
// user that contains no responses. Calls that this server issued without a signature pass, because
// checkIssued has checked them.
func (s *Server) checkSigned(req *generateRequest) *failure {
	if strings.HasPrefix(req.Model, "gemini-2") {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	from := 0
	for i, c := range req.Contents {
		if c.role() == roleUser && c.responses() == 0 {
			from = i
		}
	}
	for i, c := range req.Contents[from:] {
		for _, p := range c.Parts {
			if p.FunctionCall == nil {
				continue
			}
			if issued := s.issued.calls[p.fingerprint()]; len(p.ThoughtSignature) == 0 && issued.unsigned == 0 {
				return unsigned(p.FunctionCall.Name, from+i+1)
			}
			break // only the first call of a step needs a signature
		}
	}
	return nil
}

func unsigned(name string, position int) *failure {
	return invalid("Function call is missing a thought_signature in functionCall parts. "+
		"This is required for tools to work correctly, and missing thought_signature may lead to "+
		"degraded model performance. Additional data, function call `%s` , position %d. "+
		"Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
		name, position)
}
