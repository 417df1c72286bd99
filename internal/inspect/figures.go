package inspect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// remembered is the number of recent latencies from which percentiles are computed.
const remembered = 1000

// Figures describe all calls of one tool since the log began, including those whose frames the log
// has dropped. Durations are those of answered calls. Percentiles use the newest 1,000.
type Figures struct {
	Server   string        `json:"server"`
	Tool     string        `json:"tool"`
	Calls    int           `json:"calls"`
	Answered int           `json:"answered"`
	Errors   int           `json:"errors"` // calls whose response is an error or cannot be read, and calls without a response because of the time limit or a failure of the server or its connection
	Mean     time.Duration `json:"meanNanoseconds"`
	P50      time.Duration `json:"p50Nanoseconds"`
	P99      time.Duration `json:"p99Nanoseconds"`
	Success  float64       `json:"successRate"` // successes among the calls that were answered or failed without a response, 0 to 1; 0 if there are none
	Tokens   int           `json:"tokens"`      // estimate for the definition; 0: not listed
	Last     time.Time     `json:"lastUse,omitzero"`
}

type tool struct{ server, name string }

// A figure collects the statistics of one tool's calls.
type figure struct {
	calls, answered, failed, errors, tokens int // failed: without a response
	sum                                     time.Duration
	newest                                  []time.Duration // ring buffer of the last remembered latencies
	last                                    time.Time
}

// count counts a frame with the given header that belongs to e. The caller holds l.mu.
func (l *Log) count(e *Entry, h header) {
	if e.Kind != Request || !e.Ours {
		return
	}
	switch e.Method {
	case "tools/list":
		l.listed(e)
	case "tools/call":
		f := l.figure(e.Server, e.Tool)
		if h.kind == Request {
			f.calls++
			if e.Request.Time.After(f.last) {
				f.last = e.Request.Time
			}
		}
		took, done := e.Latency()
		if !done || e.Outcome == Cancelled || e.Outcome == TimedOut {
			return
		}
		if e.Failed() {
			f.errors++
		}
		if len(f.newest) < remembered {
			f.newest = append(f.newest, took)
		} else {
			f.newest[f.answered%remembered] = took
		}
		f.answered++
		f.sum += took
	}
}

// unanswered counts a call that failed without a response: it timed out, or the server or its
// connection failed. The caller holds l.mu.
func (l *Log) unanswered(e *Entry) {
	if e.Method == "tools/call" {
		f := l.figure(e.Server, e.Tool)
		f.failed, f.errors = f.failed+1, f.errors+1
	}
}

// listed reads the tool definitions in a response to tools/list.
func (l *Log) listed(e *Entry) {
	visit(e.Answer.Data, func(name, result []byte) {
		if string(name) != "result" {
			return
		}
		visit(result, func(name, list []byte) {
			if string(name) != "tools" {
				return
			}
			elements(list, func(definition []byte) {
				visit(definition, func(name, value []byte) {
					if string(name) == "name" {
						l.figure(e.Server, text(value)).tokens = tokens(definition)
					}
				})
			})
		})
	})
}

// tokens estimates the number of tokens of JSON. A token has about four bytes.
func tokens(data []byte) int {
	var compact bytes.Buffer
	if json.Compact(&compact, data) != nil {
		return (len(data) + 3) / 4
	}
	return (compact.Len() + 3) / 4
}

func (l *Log) figure(server, name string) *figure {
	at := tool{server, l.name(name)}
	if l.figures[at] == nil {
		l.figures[at] = new(figure)
	}
	return l.figures[at]
}

// Figures returns the figures of the called tools that the filter's server and tool select, the
// most called tools first.
func (l *Log) Figures(by Filter) []Figures {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []Figures
	for at, f := range l.figures {
		if f.calls == 0 || by.Server != "" && by.Server != at.server || by.Tool != "" && by.Tool != at.name {
			continue
		}
		one := Figures{Server: at.server, Tool: at.name, Calls: f.calls, Answered: f.answered, Errors: f.errors, Tokens: f.tokens, Last: f.last}
		if f.answered > 0 {
			sorted := slices.Sorted(slices.Values(f.newest))
			one.Mean = f.sum / time.Duration(f.answered)
			one.P50, one.P99 = rank(sorted, 50), rank(sorted, 99)
		}
		if ended := f.answered + f.failed; ended > 0 {
			one.Success = float64(ended-f.errors) / float64(ended)
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Figures) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Server, b.Server), cmp.Compare(a.Tool, b.Tool))
	})
	return all
}

// rank returns the nearest-rank percentile of sorted durations.
func rank(sorted []time.Duration, percent int) time.Duration {
	return sorted[(len(sorted)*percent+99)/100-1]
}
