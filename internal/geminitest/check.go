package geminitest

// check applies the rules for a whole request. The order matters, because later rules rely on
// earlier ones. The rules about issued parts use the ledger.
func (s *Server) check(req *generateRequest) *failure {
	rules := []func(*generateRequest) *failure{
		checkContents,
		checkParts,
		checkEnds,
		checkSystemInstruction,
		checkPairing,
		checkMedia,
		s.checkTools,
		checkSums,
		checkToolConfig,
		checkGenerationConfig,
		s.checkIssued,
		checkArgs,
		s.checkSigned,
	}
	for _, rule := range rules {
		if f := rule(req); f != nil {
			return f
		}
	}
	return nil
}

// checkCount applies the rules for a request that counts tokens. Its contents do not have to be a
// conversation that the model could continue.
func (s *Server) checkCount(req *countRequest) *failure {
	if req.GenerateContentRequest != nil {
		if len(req.Contents) > 0 {
			return invalid("Please specify only one of contents and generate_content_request.")
		}
		return s.check(req.GenerateContentRequest)
	}
	counted := &generateRequest{Contents: req.Contents}
	if f := checkContents(counted); f != nil {
		return f
	}
	return checkParts(counted)
}

func (s *Server) checkIssued(req *generateRequest) *failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.issued.check(req.Contents)
}
