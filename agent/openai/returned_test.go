package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent/modeltest"
)

// assistant returns the first message of the model with calls in a request.
func assistant(t *testing.T, request string) map[string]any {
	t.Helper()
	var r struct{ Messages []map[string]any }
	if err := json.Unmarshal([]byte(request), &r); err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Messages {
		if m["tool_calls"] != nil {
			return m
		}
	}
	t.Fatalf("no call in %s", request)
	return nil
}

// A service's data about the thoughts before a call goes back to the same model and to no other.
// DeepSeek, Kimi and Gemini refuse the next step without it.
func TestReasoningGoesBack(t *testing.T) {
	session, asked := saying(t, "m", "text/event-stream",
		`data: {"choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"I th","reasoning_details":[{"type":"reasoning.text","index":0,"text":"I th","format":"x"}]}}]}`+"\n\n"+
			`data: {"choices":[{"index":0,"delta":{"reasoning_content":"ink.","reasoning_details":[{"type":"reasoning.text","index":0,"text":"ink.","signature":"S"},{"type":"reasoning.encrypted","index":1,"data":"D"}]}}]}`+"\n\n"+
			`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","extra_content":{"google":{"thought_signature":"G"}},"function":{"name":"box__x","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`+"\n\ndata: [DONE]\n\n",
		saidIn("content", "stop", "Done."), saidIn("content", "stop", "Again."), saidIn("content", "stop", "Other."))
	for _, say := range []string{"go", "again"} {
		if _, err := modeltest.Collect(t.Context(), session, say); err != nil {
			t.Fatal(err)
		}
	}
	for _, request := range asked()[1:3] {
		m := assistant(t, request)
		details := []any{
			map[string]any{"type": "reasoning.text", "index": 0., "text": "I think.", "signature": "S", "format": "x"},
			map[string]any{"type": "reasoning.encrypted", "index": 1., "data": "D"},
		}
		if m["reasoning_content"] != "I think." || !reflect.DeepEqual(m["reasoning_details"], details) {
			t.Errorf("the message is %v", m)
		}
		call, _ := m["tool_calls"].([]any)[0].(map[string]any)
		if !reflect.DeepEqual(call["extra_content"], map[string]any{"google": map[string]any{"thought_signature": "G"}}) {
			t.Errorf("the call is %v", call)
		}
	}
	same := session.Model.(*Model)
	session.SetModel(&Model{client: same.client, host: same.host, model: "other"})
	if _, err := modeltest.Collect(t.Context(), session, "and you?"); err != nil {
		t.Fatal(err)
	}
	if m := assistant(t, asked()[3]); m["reasoning_content"] != nil || m["reasoning_details"] != nil || m["tool_calls"].([]any)[0].(map[string]any)["extra_content"] != nil {
		t.Errorf("another model gets %v", m)
	}
}

// The data that goes back survives when the history is stored and loaded again.
func TestReasoningSurvivesStorage(t *testing.T) {
	part := &genai.Part{Thought: true, ThoughtSignature: returnData{From: "h m", Thought: "reasoning_content"}.signature()}
	data, _ := json.Marshal(part)
	var again genai.Part
	if err := json.Unmarshal(data, &again); err != nil || returnDataOf(&again, "h m").Thought != "reasoning_content" || returnDataOf(&again, "h other").Thought != "" {
		t.Errorf("%v, %s", err, data)
	}
}

// If a service refuses a request because of the reasoning in it, the request is repeated without
// it.
func TestReasoningThatIsRefused(t *testing.T) {
	steps := 0
	m := served(t, "m", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"reasoning_content"`) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"property 'reasoning_content' is unsupported"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if steps++; steps == 1 {
			fmt.Fprint(w, saidIn("reasoning_content", "", "Hm.")+`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"box__x","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`+"\n\n")
			return
		}
		fmt.Fprint(w, saidIn("content", "stop", "Done."))
	})
	if events, err := modeltest.Collect(t.Context(), sessionOf(m, box()), "go"); err != nil || modeltest.Said(events) != "Done." {
		t.Errorf("%q, %v", modeltest.Said(events), err)
	}
}
