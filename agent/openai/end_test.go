package openai

import (
	"fmt"
	"net/http"
	"testing"

	"goated/agent"
	"goated/agent/modeltest"
)

// Services send finish reasons that OpenAI does not have. The calls of an answer run only if the
// reason means that it is complete.
func TestReasonsOfAnEnd(t *testing.T) {
	const half = `{"choices":[{"index":0,"delta":{"content":"I call.","tool_calls":[{"index":0,"id":"a","function":{"name":"box__x","arguments":"{\"n\":1}"}}]}}]}`
	for _, tt := range []struct {
		reason string // JSON; empty: the stream ends without a finish reason
		kind   agent.FailureKind
		ending agent.Reason
		ran    bool
	}{
		{`"tool_calls"`, "", agent.Done, true},
		{`"stop"`, "", agent.Done, true},
		{`"function_call"`, "", agent.Done, true},
		{`"eos"`, "", agent.Done, true},
		{``, agent.AnswerCut, "", false},
		{`null`, agent.AnswerCut, "", false},
		{`""`, agent.AnswerCut, "", false},
		{`"error"`, agent.AnswerCut, "", false},
		{`"network_error"`, agent.AnswerCut, "", false},
		{`"insufficient_system_resource"`, agent.AnswerCut, "", false},
		{`"abort"`, agent.AnswerCut, "", false},
		{`"Cancelled"`, agent.AnswerCut, "", false},
		{`"FINISH_REASON_UNSPECIFIED"`, agent.AnswerCut, "", false},
		{`"length"`, "", agent.Truncated, false},
		{`"MAX_TOKENS"`, "", agent.Truncated, false},
		{`"content_filter"`, "", agent.Blocked, false},
		{`"sensitive"`, "", agent.Blocked, false},
		{`"function_call_filter: MALFORMED_FUNCTION_CALL"`, agent.CallBroken, "", false},
		{`"function_call_filter: UNEXPECTED_TOOL_CALL"`, agent.CallBroken, "", false},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			t.Parallel()
			asked := 0
			m := served(t, "local", func(w http.ResponseWriter, _ *http.Request) {
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
			tools := box()
			session := sessionOf(m, tools)
			events, err := modeltest.Collect(t.Context(), session, "go")
			var ending agent.Reason
			for _, e := range events {
				if end, ok := e.(agent.TurnEnded); ok {
					ending = end.Reason
				}
			}
			if kind := modeltest.KindOf(err); kind != tt.kind || ending != tt.ending || (len(tools.Calls) > 0) != tt.ran {
				t.Errorf("%v, ended %q, ran %d times; want %q, %q, %t", err, ending, len(tools.Calls), tt.kind, tt.ending, tt.ran)
			}
		})
	}
}
