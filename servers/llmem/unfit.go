package llmem

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// An unfitSources remembers which files cannot have a summary, so that only changed files are read
// again.
type unfitSources struct {
	mu    sync.Mutex
	known map[workspace.Entry]bool // for each source, whether it is unfit
}

// unfit returns the files that are too large, and the sources that are not text or cannot be read.
// The server refuses to create prompts for them.
func (c *call) unfit(files []workspace.Entry) map[workspace.Entry]bool {
	c.unfits.mu.Lock()
	defer c.unfits.mu.Unlock()
	known := make(map[workspace.Entry]bool)
	var unknown []workspace.Entry
	for _, f := range files {
		if f.Size > int64(c.o.MaxFileBytes) {
			known[f] = true
			continue
		}
		if outline.Language(f.Path, nil) == "" {
			continue
		}
		unfit, ok := c.unfits.known[f]
		if !ok {
			unknown = append(unknown, f)
		}
		known[f] = unfit
	}
	next := make(chan int)
	unfit := make([]bool, len(unknown))
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				unfit[i] = c.isUnfit(unknown[i])
			}
		})
	}
	for i := range unknown {
		next <- i
	}
	close(next)
	wg.Wait()
	for i, f := range unknown {
		known[f] = unfit[i]
	}
	c.unfits.known = known
	return known
}

func (c *call) isUnfit(f workspace.Entry) bool {
	head, err := c.ws.Head(f.Path, int(min(f.Size, outline.Head)))
	return err != nil || outline.IsBinary(outline.Text(head))
}

// withoutSummary explains why an unfit source has no summary.
func withoutSummary(name string, err error) error {
	var large *workspace.SizeError
	switch {
	case errors.As(err, &large):
		return fmt.Errorf("%s is too large for a summary: %s", name, large.Sizes())
	case errors.Is(err, outline.ErrBinary):
		return fmt.Errorf("%s is not text, so no summary is possible", name)
	}
	return err
}
