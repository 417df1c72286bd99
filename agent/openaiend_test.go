package agent

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// Services have reasons of an end that OpenAI does not have. The calls of an answer run only
// if the reason says that it is complete.
func TestReasonsOfAnEnd(t *testing.T) {
	const half = `{"choices":[{"index":0,"delta":{"content":"I call.","tool_calls":[{"index":0,"id":"a","function":{"name":"box__x","arguments":"{\"n\":1}"}}]}}]}`
	for _, tt := range []struct {
		reason string // JSON; empty: the stream ends without one
		kind   FailureKind
		ending Reason
		ran    bool
	}{
		{`"tool_calls"`, "", Done, true},
		{`"stop"`, "", Done, true},
		{`"function_call"`, "", Done, true},
		{`"eos"`, "", Done, true},
		{``, AnswerCut, "", false},
		{`null`, AnswerCut, "", false},
		{`""`, AnswerCut, "", false},
		{`"error"`, AnswerCut, "", false},
		{`"network_error"`, AnswerCut, "", false},
		{`"insufficient_system_resource"`, AnswerCut, "", false},
		{`"abort"`, AnswerCut, "", false},
		{`"Cancelled"`, AnswerCut, "", false},
		{`"FINISH_REASON_UNSPECIFIED"`, AnswerCut, "", false},
		{`"length"`, "", Truncated, false},
		{`"MAX_TOKENS"`, "", Truncated, false},
		{`"content_filter"`, "", Blocked, false},
		{`"sensitive"`, "", Blocked, false},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			t.Parallel()
			asked := 0
			m := servedOpenAI(t, "local", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				asked++
				switch {
				case tt.ran && asked > 1:
					fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}`+"\n\n")
				case tt.reason == "":
					fmt.Fprintf(w, "data: %s\n\n", half)
				default:
					fmt.Fprintf(w, "data: %s\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%s}]}\n\n", half, tt.reason)
				}
				fmt.Fprint(w, "data: [DONE]\n\n")
			})
			box := tools(echo, "x")
			session := &Session{Model: m, Tools: box, Approve: each(allowAll), memory: memory{pause: time.Millisecond}}
			events, err := collect(t.Context(), session, "go")
			var ending Reason
			for _, e := range events {
				if end, ok := e.(TurnEnded); ok {
					ending = end.Reason
				}
			}
			if kind := kindOfFailure(err); kind != tt.kind || ending != tt.ending || (len(box.calls) > 0) != tt.ran {
				t.Errorf("%v, ended %q, ran %d times; want %q, %q, %t", err, ending, len(box.calls), tt.kind, tt.ending, tt.ran)
			}
		})
	}
}
