package geminitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Detail is one entry in the details of an error, with its "@type".
type Detail map[string]any

// failure is the body of every Gemini error.
type failure struct {
	Code    int      `json:"code"`
	Message string   `json:"message"`
	Status  string   `json:"status"`
	Details []Detail `json:"details,omitempty"`
}

// RetryInfo returns the detail that tells the client how long to wait before it retries.
func RetryInfo(after time.Duration) Detail {
	return Detail{
		"@type":      "type.googleapis.com/google.rpc.RetryInfo",
		"retryDelay": fmt.Sprintf("%gs", after.Seconds()),
	}
}

func invalid(format string, args ...any) *failure {
	return &failure{
		Code:    http.StatusBadRequest,
		Status:  "INVALID_ARGUMENT",
		Message: fmt.Sprintf(format, args...),
	}
}

// invalidField returns a refusal by the validator of the request message.
func invalidField(path, format string, args ...any) *failure {
	return invalid("* GenerateContentRequest.%s: %s\n", path, fmt.Sprintf(format, args...))
}

func badKey() *failure {
	f := invalid("API key not valid. Please pass a valid API key.")
	f.Details = []Detail{
		{
			"@type":    "type.googleapis.com/google.rpc.ErrorInfo",
			"reason":   "API_KEY_INVALID",
			"domain":   "googleapis.com",
			"metadata": map[string]any{"service": "generativelanguage.googleapis.com"},
		},
		{
			"@type":   "type.googleapis.com/google.rpc.LocalizedMessage",
			"locale":  "en-US",
			"message": f.Message,
		},
	}
	return f
}

func noKey() *failure {
	return &failure{
		Code:   http.StatusForbidden,
		Status: "PERMISSION_DENIED",
		Message: "Method doesn't allow unregistered callers (callers without established identity). " +
			"Please use API Key or other form of API consumer identity to call this API.",
	}
}

func noModel(model, method string) *failure {
	return &failure{
		Code:   http.StatusNotFound,
		Status: "NOT_FOUND",
		Message: fmt.Sprintf("models/%s is not found for API version v1beta, or is not supported for %s. "+
			"Call ListModels to see the list of available models and their supported methods.", model, method),
	}
}

// body returns the failure as JSON.
func (f *failure) body() []byte {
	body, err := json.Marshal(map[string]any{"error": f})
	if err != nil {
		panic(fmt.Sprintf("geminitest: error details are not JSON: %v", err))
	}
	return body
}

func (f *failure) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(f.Code)
	_, _ = w.Write(f.body()) // fails only if the client has disconnected
}
