package openai

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
)

// failureOf returns the failure of a request to a service that answers with status and body.
func failureOf(t *testing.T, status int, body string) *agent.Failure {
	t.Helper()
	m := served(t, "m", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	})
	for _, err := range m.Generate(t.Context(), genai.Text("hi"), &genai.GenerateContentConfig{}) {
		if f := (*agent.Failure)(nil); errors.As(err, &f) {
			return f
		}
	}
	t.Fatalf("%d %s is no failure", status, body)
	return nil
}

// The errors of services have the right kinds, regardless of their form. A temporary error has
// another kind than one that the user has to fix.
func TestKindsOfRefusals(t *testing.T) {
	tomorrow := fmt.Sprint(time.Now().Add(20 * time.Hour).UnixMilli())
	soon := fmt.Sprint(time.Now().Add(20 * time.Second).UnixMilli())
	for _, tt := range []struct {
		name   string
		status int
		body   string
		kind   agent.FailureKind
		words  string
		after  time.Duration
	}{
		{"OpenRouter, a day", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"50","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"` + tomorrow + `"}}}}`,
			agent.QuotaUsed, "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day", 20 * time.Hour},
		{"OpenRouter, a minute", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-min.","code":429,"metadata":{"headers":{"X-RateLimit-Reset":"` + soon + `"}}}}`, agent.RateLimited, "Rate limit exceeded: free-models-per-min.", 20 * time.Second},
		{"OpenRouter, credits", 402, `{"error":{"message":"Insufficient credits","code":402}}`, agent.NoCredit, "Insufficient credits", 0},
		{"OpenAI, credits", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, agent.NoCredit, "You exceeded your current quota", 0},
		{"OpenAI, a spending limit", 429, `{"error":{"message":"You reached the spend limit of the project","code":"project_spend_limit_exceeded"}}`, agent.NoCredit, "You reached the spend limit of the project", 0},
		{"Gemini, credits", 429, `[{"error":{"code":429,"message":"Your prepayment credits are depleted.","status":"RESOURCE_EXHAUSTED"}}]`, agent.NoCredit, "Your prepayment credits are depleted.", 0},
		{"xAI, credits", 403, `{"code":"permission-denied","error":"Your team t has either used all available credits or reached its monthly spending limit."}`,
			agent.NoCredit, "Your team t has either used all available credits or reached its monthly spending limit.", 0},
		{"Z.AI, credits", 429, `{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}`, agent.NoCredit, "Insufficient balance or no resource package. Please recharge.", 0},
		{"OpenRouter, moderation", 403, `{"error":{"code":403,"message":"Your input was flagged","metadata":{"reasons":["violence"],"flagged_input":"x"}}}`, agent.Moderated, "Your input was flagged", 0},
		{"a key without rights", 403, `{"error":{"code":403,"message":"This key may not use the model"}}`, agent.KeyRefused, "This key may not use the model", 0},
		{"an unknown model", 404, `{"error":{"message":"model \"m\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, agent.ModelUnknown, `model "m" not found, try pulling it first`, 0},
		{"OpenRouter, a provider", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"bad role\"}}","provider_name":"X"}}}`, agent.RequestBad, "bad role", 0},
		{"vLLM", 400, `{"object":"error","message":"bad schema","type":"BadRequestError","param":null,"code":400}`, agent.RequestBad, "bad schema", 0},
		{"FastAPI", 422, `{"detail":"not a message"}`, agent.RequestBad, "not a message", 0},
		{"Gemini in a list", 400, `[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]`, agent.RequestBad, "bad", 0},
		{"Gemini, a plan", 429, `[{"error":{"code":429,"message":"Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0, model: gemini-3.1-pro","status":"RESOURCE_EXHAUSTED"}}]`,
			agent.NotInPlan, "Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0, model: gemini-3.1-pro", 0},
		{"OpenAI, a country", 403, `{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported","param":null,"type":"request_forbidden"}}`,
			agent.NotInRegion, "Country, region, or territory not supported", 0},
		{"Gemini, a country", 400, `[{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}]`, agent.NotInRegion, "User location is not supported for the API use.", 0},
		{"a page", 502, `<html>Bad gateway</html>`, agent.Unavailable, "Bad Gateway", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := failureOf(t, tt.status, tt.body)
			if f.Kind != tt.kind || f.Message != tt.words || f.RetryAfter > tt.after || f.RetryAfter < tt.after-5*time.Second {
				t.Errorf("%+v", f)
			}
		})
	}
}
