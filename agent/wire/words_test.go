package wire

import "testing"

// Gemini names the limit of each quota in the message: only 0 means that the plan lacks the model.
func TestNotInPlan(t *testing.T) {
	const quota = "* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: "
	for said, want := range map[string]bool{
		quota + "0, model: gemini-3.1-pro\nPlease retry in 25.4s.":                     true,
		quota + "0\nPlease retry in 25.4s.":                                            true,
		quota + "20, model: gemini-2.5-flash\n" + quota + "0, model: gemini-2.5-flash": true,
		"Gemini 2.5 Pro Preview doesn't have a free quota tier.":                       true,
		quota + "20, model: gemini-2.5-flash\nPlease retry in 25.4s.":                  false,
		quota + "05":                       false,
		"Rate limit: 0 requests remaining": false,
		"":                                 false,
	} {
		if got := NotInPlan(said); got != want {
			t.Errorf("%q: %t", said, got)
		}
	}
}

// A message about an empty account or a spending limit is no rate limit, although Gemini's message about
// a rate limit mentions billing, too.
func TestNoCredit(t *testing.T) {
	for said, want := range map[string]bool{
		"Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.": true,
		"Your project has exceeded its monthly spending cap. Please go to AI Studio at https://ai.studio/spend":                          true,
		"insufficient_quota":                true,
		"credit_balance_exhausted":          true,
		"organization_spend_limit_exceeded": true,
		"organization_usage_limit_exceeded": true,
		"Your team t has either used all available credits or reached its monthly spending limit.":                                   true,
		"Insufficient balance or no resource package. Please recharge.":                                                              true,
		"Your account is suspended due to insufficient balance, please recharge your account or check your plan and billing details": true,
		"You exceeded your current quota, please check your plan and billing details.":                                               false,
		"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day":                        false,
		"insufficient_system_resource": false,
		"rate_limit_exceeded":          false,
	} {
		if got := NoCredit(said); got != want {
			t.Errorf("%q: %t", said, got)
		}
	}
}

// The messages of services for a request that is too large, and the size of the context in them.
func TestContextFull(t *testing.T) {
	for said, want := range map[string]int{
		"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.":                                                         8192,
		"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).":                      4096,
		"This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens":                                                           32768,
		"the request exceeds the available context size, try increasing it":                                                                                           0,
		"request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it":                                                                   4096,
		"the input length exceeds the context length":                                                                                                                 0,
		"prompt too long; exceeded max context length by 12 tokens":                                                                                                   0,
		"Trying to keep the first 6000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.": 4096,
		"Reached context length of 4096 tokens with this model, but this model does not currently support mid-generation context overflow.":                           4096,
		"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).":                                                                     1048576,
		"Request too large for model `x` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 7000":                                                  6000,
		"prompt is too long: 210000 tokens > 200000 maximum":                                                                                                          200000,
	} {
		if got, full := ContextFull(said); !full || got != want {
			t.Errorf("%q: %d, %t", said, got, full)
		}
	}
	for _, said := range []string{"", "Rate limit reached", "image exceeds 5 MB", "Unknown name \"context\"", "max_tokens is too large: 9000"} {
		if _, full := ContextFull(said); full {
			t.Errorf("%q is no full context", said)
		}
	}
}
