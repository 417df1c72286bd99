package geminitest

import "slices"

// Script queues replies; each generate request takes the next one. Refused
// requests take none.
func (s *Server) Script(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, replies...)
}

// Handle sets what decides on the reply while the queue is empty. It is called
// from the goroutines that serve requests.
func (s *Server) Handle(f func(Request) Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handle = f
}

// Requests returns what arrived so far, in order, refused requests included.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Refusals returns the messages of the requests refused so far because the
// client built them wrongly. Wrong keys and unknown models are not among them:
// a user can cause those, and a test may want to.
func (s *Server) Refusals() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.refusals)
}

// ExpectRefusals keeps refusals from failing the test.
func (s *Server) ExpectRefusals() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected = true
}

// Pending returns how many scripted replies no request has taken yet.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue)
}

// Done fails the test if scripted replies are left over. It needs a server
// made by [New]; for another, see [Server.Pending].
func (s *Server) Done() {
	s.t.Helper()
	if n := s.Pending(); n > 0 {
		s.t.Errorf("geminitest: %d scripted replies were not asked for", n)
	}
}

// next takes the reply to req from the queue or from the handler.
func (s *Server) next(req Request) (Reply, bool) {
	s.mu.Lock()
	if len(s.queue) > 0 {
		reply := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		return reply, true
	}
	handle := s.handle
	s.mu.Unlock()
	if handle == nil {
		return Reply{}, false
	}
	return handle(req), true
}

func (s *Server) record(req Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
}

func (s *Server) refuse(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = append(s.refusals, message)
}

func (s *Server) unscript(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unscripted = append(s.unscripted, message)
}

// report fails the test for what it did not say it expects.
func (s *Server) report() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, message := range s.unscripted {
		s.t.Errorf("geminitest: %s", message)
	}
	if s.expected {
		return
	}
	for _, message := range s.refusals {
		s.t.Errorf("geminitest: Gemini would have refused a request: %s", message)
	}
}
