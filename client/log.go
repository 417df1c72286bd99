package client

import (
	"context"
	"slices"
	"time"

	"goated/internal/proc"
)

// A LogRun holds the lines that a server wrote in one run: the last 64 KiB of stderr and of the
// output on stdout that is not a message. It also holds goated's notes.
type LogRun struct {
	Began time.Time
	Lines []proc.LogLine
}

// Log returns the last run of a server and up to three runs before it, the oldest first. It
// leaves out earlier runs in which the server wrote nothing.
func (h *Host) Log(id string) []LogRun {
	s := h.list.find(id)
	if s == nil {
		return nil
	}
	h.list.mu.Lock()
	runs := runsOf(s)
	h.list.mu.Unlock()
	var out []LogRun
	for i, r := range runs {
		if lines := r.log.Lines(); len(lines) > 0 || i == len(runs)-1 {
			out = append(out, LogRun{Began: r.began, Lines: lines})
		}
	}
	return out
}

// ServerOutput returns the last lines that a server's process has written so far, without its secrets. It is nil
// for a server with a URL, whose log holds only goated's notes.
func ServerOutput(ctx context.Context, h *Host, id string) []string {
	s := h.list.find(id)
	if s == nil {
		return nil
	}
	h.list.mu.Lock()
	l := s.link
	h.list.mu.Unlock()
	if l == nil || l.process == nil {
		return nil
	}
	l.process.Settle(ctx)
	return redacted(s, l.lines())
}

// earlierRuns is how many logs of earlier runs a server keeps: the lines before a crash show
// why it happened.
const earlierRuns = 3

// A run is one start of a server, and its log.
type run struct {
	began time.Time
	log   *proc.LogRing
}

// runsOf returns the runs of a server, the oldest first. The caller holds the list's mu.
func runsOf(s *server) []run {
	if s.link == nil {
		return s.earlier
	}
	return append(slices.Clip(s.earlier), run{s.link.began, s.link.log})
}

// keptRuns returns the runs of a server that the one which replaces it keeps.
func keptRuns(s *server) []run {
	runs := runsOf(s)
	return runs[max(0, len(runs)-earlierRuns):]
}
