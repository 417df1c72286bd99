package geminitest

import (
	"net/http"
	"time"
)

// The replies below change how the rest of the reply is sent. Put them first in a
// [Turn].

// Slow waits before each chunk.
func Slow(each time.Duration) Reply {
	return act(func(r *response) bool { r.each = each; return true })
}

// Repeated sends every chunk twice, like a proxy that retries a write.
func Repeated() Reply {
	return act(func(r *response) bool { r.repeat = true; return true })
}

// CutAfter cuts the TCP connection after n bytes of the stream's body. A shorter body arrives
// whole.
func CutAfter(n int) Reply {
	return act(func(r *response) bool {
		if s, ok := r.out.(*stream); ok {
			s.limited, s.left = true, n
		}
		return true
	})
}

// EndAfter ends the response normally after n bytes of the stream's body, like a proxy that loses
// its connection to the service.
func EndAfter(n int) Reply {
	return act(func(r *response) bool {
		if s, ok := r.out.(*stream); ok {
			s.limited, s.left, s.quiet = true, n, true
		}
		return true
	})
}

// Unfinished ends the response without a finish reason.
func Unfinished() Reply { return act(func(*response) bool { return false }) }

// TooComplex answers that the declared functions together are too complex. Users report this for
// about 50 kB of schemas. The service does not document a limit
// (github.com/cline/cline/issues/7897).
func TooComplex() Reply {
	return fail(invalid("The specified schema produces a constraint that has too many states for serving. " +
		"Typical causes of this error are schemas with lots of text (for example, very long property or enum names), " +
		"schemas with long array length limits (especially when nested), or schemas using complex value matchers."))
}

// ImageRefused answers that an image cannot be read.
func ImageRefused() Reply {
	return fail(invalid("Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting"))
}

// DailyQuota answers that the daily quota is used up. Like the service, it sends a useless retry
// delay of seconds.
func DailyQuota() Reply {
	return RateLimited(quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "20"), RetryInfo(34*time.Second))
}

// MinuteQuota answers that the quota for the current minute is used up.
func MinuteQuota(after time.Duration) Reply {
	return RateLimited(quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "10"), RetryInfo(after))
}

// CreditUsed answers that the prepaid credit of the account is used up. The service gives no details.
func CreditUsed() Reply {
	return Fail(http.StatusTooManyRequests, "RESOURCE_EXHAUSTED",
		"Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.")
}

// NotInPlan answers that the key's plan does not include the model: "limit: 0". Like the service,
// it names every quota of the plan, the daily one too, and no value (github.com/google-gemini/gemini-cli/issues/8437).
func NotInPlan() Reply {
	const requests, tokens = "generate_content_free_tier_requests", "generate_content_free_tier_input_token_count"
	return Fail(http.StatusTooManyRequests, "RESOURCE_EXHAUSTED",
		"You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: "+
			"https://ai.google.dev/gemini-api/docs/rate-limits. To monitor your current usage, head to: https://ai.dev/rate-limit. \n"+
			"* Quota exceeded for metric: generativelanguage.googleapis.com/"+tokens+", limit: 0, model: gemini-pro-latest\n"+
			"* Quota exceeded for metric: generativelanguage.googleapis.com/"+requests+", limit: 0, model: gemini-pro-latest\n"+
			"* Quota exceeded for metric: generativelanguage.googleapis.com/"+requests+", limit: 0, model: gemini-pro-latest\n"+
			"Please retry in 20.04466179s.",
		quotaFailure(
			violation(tokens, "GenerateContentInputTokensPerModelPerMinute-FreeTier", "gemini-pro-latest"),
			violation(requests, "GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "gemini-pro-latest"),
			violation(requests, "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "gemini-pro-latest"),
		), RetryInfo(20*time.Second))
}

func quota(id, limit string) Detail {
	v := violation("generate_content_free_tier_requests", id, "gemini-flash-latest")
	v["quotaValue"] = limit
	return quotaFailure(v)
}

func quotaFailure(violations ...map[string]any) Detail {
	return Detail{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": violations}
}

func violation(metric, id, model string) map[string]any {
	return map[string]any{
		"quotaMetric":     "generativelanguage.googleapis.com/" + metric,
		"quotaId":         id,
		"quotaDimensions": map[string]any{"location": "global", "model": model},
	}
}

// Page answers with an HTML page, like a proxy, instead of the service's JSON.
func Page(code int, html string) Reply {
	return act(func(r *response) bool { r.out.page(code, html); return false })
}

// A Documented is an error that the service documents
// (ai.google.dev/gemini-api/docs/troubleshooting), or that a proxy in front of it sends.
type Documented struct {
	Name  string
	Reply Reply
}

// Failures returns every documented error.
func Failures() []Documented {
	return []Documented{
		{"400 invalid argument", Fail(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")},
		{"400 failed precondition", Fail(400, "FAILED_PRECONDITION", "User location is not supported for the API use.")},
		{"400 bad key", BadKey()},
		{"400 too complex", TooComplex()},
		{"400 image", ImageRefused()},
		{"401", Fail(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")},
		{"402", Fail(402, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted.")},
		{"403", Fail(403, "PERMISSION_DENIED", "Permission denied: Consumer 'api_key' has been suspended.")},
		{"404", Fail(404, "NOT_FOUND", "Requested entity was not found.")},
		{"413", Page(413, "<html><title>413 Request Entity Too Large</title></html>")},
		{"429 minute", MinuteQuota(20 * time.Millisecond)},
		{"429 day", DailyQuota()},
		{"429 plan", NotInPlan()},
		{"429 bare", RateLimited()},
		{"429 credit", CreditUsed()},
		{"499", Fail(499, "CANCELLED", "The operation was cancelled.")},
		{"500", Fail(500, "INTERNAL", "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting")},
		{"502", Page(502, "<html><title>502 Bad Gateway</title></html>")},
		{"503", Overloaded()},
		{"504", Fail(504, "DEADLINE_EXCEEDED", "The request timed out. Please try again.")},
	}
}
