package linked

import (
	"context"
	"sync"
)

// starting are the servers that start. Each starts in a goroutine of its own: one that signs in or
// compiles takes minutes, and the files change meanwhile.
type starting struct {
	mu  sync.Mutex
	all map[string]*context.CancelFunc // by their marks
}

// begin starts a server in a goroutine of wg, unless it starts already. The context of connect ends
// when the server leaves its file.
func (s *starting) begin(ctx context.Context, wg *sync.WaitGroup, mark string, connect func(context.Context)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[mark] != nil {
		return
	}
	if s.all == nil {
		s.all = make(map[string]*context.CancelFunc)
	}
	ctx, cancel := context.WithCancel(ctx)
	own := &cancel
	s.all[mark] = own
	wg.Go(func() {
		defer cancel()
		connect(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.all[mark] == own { // else it left its file, and may have come back
			delete(s.all, mark)
		}
	})
}

// cancel gives up the starts of servers that left their files.
func (s *starting) cancel(left func(mark string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for mark, cancel := range s.all {
		if left(mark) {
			(*cancel)()
			delete(s.all, mark)
		}
	}
}
