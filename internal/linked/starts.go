package linked

import (
	"context"
	"sync"
)

// starting contains the servers that are starting. Each starts in a separate goroutine: a server
// that signs in or compiles takes minutes, and the files may change in the meantime.
type starting struct {
	mu  sync.Mutex
	all map[string]*context.CancelFunc // by mark
}

// begin starts a server in a goroutine of wg, unless it is already starting. The context passed to
// connect ends when the server leaves its file.
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
		if s.all[mark] == own { // otherwise the server left its file, and may have come back
			delete(s.all, mark)
		}
	})
}

// cancel cancels the starts of servers that left their files.
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
