package track

import (
	"cmp"
	"slices"
	"time"
)

// Metrics contains the statistics of all requests since the start.
type Metrics struct {
	Active    int           `json:"active"`
	Completed int           `json:"completed"`
	Errors    int           `json:"errors"`
	Cancelled int           `json:"cancelled"`
	Mean      time.Duration `json:"averageResponseTime"` // of completed requests, in nanoseconds
	Success   float64       `json:"successRate"`         // completed ÷ ended; 0 if none has ended
	Tools     []Tool        `json:"tools"`               // by name
}

// A Tool contains the statistics of one tool.
type Tool struct {
	Name      string        `json:"tool"`
	Requests  int           `json:"requests"`
	Completed int           `json:"completed"`
	Errors    int           `json:"errors"`
	Cancelled int           `json:"cancelled"`
	Mean      time.Duration `json:"averageResponseTime"`
	Success   float64       `json:"successRate"`
}

// A tally counts the requests of one tool.
type tally struct {
	requests, completed, failed, cancelled int
	took                                   time.Duration // total of the completed requests
}

func (t *Tracker) tally(tool string) *tally {
	c, ok := t.tools[tool]
	if !ok {
		c = new(tally)
		t.tools[tool] = c
	}
	return c
}

func (c *tally) end(r *Record) {
	switch r.State {
	case Completed:
		c.completed++
		c.took += r.Updated.Sub(r.Created)
	case Failed:
		c.failed++
	case Cancelled:
		c.cancelled++
	}
}

func (c *tally) figures(name string) Tool {
	return Tool{
		Name: name, Requests: c.requests, Completed: c.completed, Errors: c.failed, Cancelled: c.cancelled,
		Mean: c.took / time.Duration(max(c.completed, 1)), Success: float64(c.completed) / float64(max(c.completed+c.failed+c.cancelled, 1)),
	}
}

// Metrics returns the statistics.
func (t *Tracker) Metrics() Metrics {
	t.mu.Lock()
	defer t.mu.Unlock()
	var sum tally
	var m Metrics
	for name, c := range t.tools {
		m.Tools = append(m.Tools, c.figures(name))
		sum.completed += c.completed
		sum.failed += c.failed
		sum.cancelled += c.cancelled
		sum.took += c.took
	}
	slices.SortFunc(m.Tools, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	all := sum.figures("")
	m.Active, m.Completed, m.Errors, m.Cancelled, m.Mean, m.Success = len(t.active), all.Completed, all.Errors, all.Cancelled, all.Mean, all.Success
	return m
}
