package openai

import (
	"fmt"
	"net/http"
	"testing"

	"goated/agent"
	"goated/agent/modeltest"
	"goated/agent/turntest"
)

// The tokens of thoughts count once, whether the service includes them in the completion tokens or
// counts them separately.
func TestThoughtsCountOnce(t *testing.T) {
	for name, body := range map[string]string{
		"OpenAI": `{"prompt_tokens":12,"completion_tokens":319,"total_tokens":331,"completion_tokens_details":{"reasoning_tokens":317}}`,
		"xAI":    `{"prompt_tokens":12,"completion_tokens":2,"total_tokens":331,"completion_tokens_details":{"reasoning_tokens":317}}`,
	} {
		m := served(t, "m", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":%s}\n\ndata: [DONE]\n\n", body)
		})
		events, err := modeltest.Collect(t.Context(), sessionOf(m, box()), "hi")
		if ends := turntest.Only[agent.TurnEnded](events); err != nil || len(ends) != 1 || ends[0].Usage.Answer != 2 || ends[0].Usage.Thought != 317 || ends[0].Usage.Total() != 331 {
			t.Errorf("%s: %+v, %v", name, ends, err)
		}
	}
}
