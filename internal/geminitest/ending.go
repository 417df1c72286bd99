package geminitest

import (
	"net/http"

	"google.golang.org/genai"
)

// The replies below end the response; the server ignores later steps.

// Blocked answers that the prompt is blocked. The response has feedback and no candidate.
func Blocked(reason genai.BlockedReason) Reply {
	return act(func(r *response) bool {
		r.send(chunk{PromptFeedback: &promptFeedback{reason}, Usage: r.usage})
		return false
	})
}

// Fail answers with an error. It is the HTTP response if nothing was sent before, and otherwise an
// event in the stream.
func Fail(code int, status, message string, details ...Detail) Reply {
	return fail(&failure{Code: code, Status: status, Message: message, Details: details})
}

// RateLimited answers that the quota of the key is used up.
func RateLimited(details ...Detail) Reply {
	return Fail(http.StatusTooManyRequests, "RESOURCE_EXHAUSTED",
		"You exceeded your current quota, please check your plan and billing details.", details...)
}

// Overloaded answers that the model has no capacity.
func Overloaded() Reply {
	return Fail(http.StatusServiceUnavailable, "UNAVAILABLE", "The model is overloaded. Please try again later.")
}

// BadKey answers that the key is not valid, even if it is.
func BadKey() Reply { return fail(badKey()) }

func fail(f *failure) Reply {
	return act(func(r *response) bool { r.fail(f); return false })
}

// Drop cuts the TCP connection.
func Drop() Reply {
	return act(func(*response) bool { panic(http.ErrAbortHandler) })
}

// Hang sends nothing until the client disconnects or the server closes.
func Hang() Reply {
	return act(func(r *response) bool { return wait[struct{}](r, nil) })
}

// Malformed sends a chunk that ends inside its JSON, and continues with the next step
// of the reply.
func Malformed() Reply {
	return act(func(r *response) bool { r.raw([]byte(`{"candidates":[{"content":{"par`)); return true })
}
