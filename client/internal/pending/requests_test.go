package pending

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func id(n float64) jsonrpc.ID {
	id, _ := jsonrpc.MakeID(n)
	return id
}

// The SDK falls back to initialize if server/discover gets no response in time. A server that
// responds late started slowly, and a server that refuses late does not support the method. Neither
// response counts as unasked.
func TestProbeThatIsAnsweredLate(t *testing.T) {
	for name, tt := range map[string]struct {
		answer *jsonrpc.Response
		slow   bool
	}{
		"knows":   {&jsonrpc.Response{ID: id(1), Result: json.RawMessage(`{}`)}, true},
		"refuses": {&jsonrpc.Response{ID: id(1), Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var q *Requests
				late := 0
				q = New(func(probe jsonrpc.ID, _ error) {
					if _, ok := q.Drop(probe); ok {
						late++
					}
				})
				q.Begin(id(1), "server/discover", nil)
				time.Sleep(ProbeLimit + time.Second)
				synctest.Wait()
				if _, ok := q.Resolve(tt.answer); ok || late != 1 || q.SlowStart() != tt.slow || q.UnexpectedResponse(id(1)) != nil {
					t.Errorf("settled: %t, late %d times, slow: %t, unasked: %v", ok, late, q.SlowStart(), q.UnexpectedResponse(id(1)))
				}
			})
		})
	}
}

// A probe that has a response, was abandoned, or waits for the user is not late. A second response
// to it counts as unasked.
func TestProbeThatIsNotLate(t *testing.T) {
	for name, end := range map[string]func(q *Requests){
		"answered": func(q *Requests) { q.Resolve(&jsonrpc.Response{ID: id(1), Result: json.RawMessage(`{}`)}) },
		"given up": func(q *Requests) { q.Drop(id(1)) },
		"waits":    func(q *Requests) { q.Unlimit(id(1)) },
		"ended":    func(q *Requests) { q.Stop() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := New(func(jsonrpc.ID, error) { t.Error("the probe is late") })
				q.Begin(id(1), "server/discover", nil)
				end(q)
				time.Sleep(2 * ProbeLimit)
				synctest.Wait()
				if name == "answered" && (q.SlowStart() || q.Version() == "" || q.UnexpectedResponse(id(1)) == nil) {
					t.Errorf("slow: %t, version %q, a second answer: %v", q.SlowStart(), q.Version(), q.UnexpectedResponse(id(1)))
				}
			})
		})
	}
}
