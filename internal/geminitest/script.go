package geminitest

import "slices"

// Script queues replies. Each generate request takes the next one, unless it is refused.
func (s *Server) Script(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.queue = append(s.script.queue, replies...)
}

// Handle sets a function that returns the replies while the queue is empty. The goroutines of
// requests call it concurrently.
func (s *Server) Handle(f func(Request) Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script.handle = f
}

// Requests returns all requests so far, in order, including refused ones.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log.requests)
}

// Refusals returns the messages of the refusals so far. It omits those for wrong keys and unknown
// models, because a user can cause these, and a test may intend them.
func (s *Server) Refusals() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log.refusals)
}

// ExpectRefusals allows refusals, so that they do not fail the test.
func (s *Server) ExpectRefusals() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.expected = true
}

// Pending returns the number of scripted replies that no request has taken yet.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.script.queue)
}

// Done fails the test if scripted replies are left over. It works only for a server from [New]; for
// others, use [Server.Pending].
func (s *Server) Done() {
	s.t.Helper()
	if n := s.Pending(); n > 0 {
		s.t.Errorf("geminitest: %d scripted replies were not asked for", n)
	}
}

// next returns the reply to req, from the queue or from the handler.
func (s *Server) next(req Request) (Reply, bool) {
	s.mu.Lock()
	if len(s.script.queue) > 0 {
		reply := s.script.queue[0]
		s.script.queue = s.script.queue[1:]
		s.mu.Unlock()
		return reply, true
	}
	handle := s.script.handle
	s.mu.Unlock()
	if handle == nil {
		return Reply{}, false
	}
	return handle(req), true
}

func (s *Server) record(req Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.requests = append(s.log.requests, req)
}

func (s *Server) refuse(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.refusals = append(s.log.refusals, message)
}

func (s *Server) unscript(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.unscripted = append(s.log.unscripted, message)
}

// report fails the test for unexpected refusals and requests.
func (s *Server) report() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, message := range s.log.unscripted {
		s.t.Errorf("geminitest: %s", message)
	}
	if s.log.expected {
		return
	}
	for _, message := range s.log.refusals {
		s.t.Errorf("geminitest: Gemini would have refused a request: %s", message)
	}
}
