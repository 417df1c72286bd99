// Package pricing contains the list prices of Gemini's models. It must not depend on requests.
package pricing

import (
	"strings"

	"goated/internal/lazyregexp"
)

// Date is the date of the prices that [Of] returns: the list prices of the paid tier
// (ai.google.dev/gemini-api/docs/pricing). Prices change and the free tier costs nothing, so every
// cost is an estimate.
const Date = "July 2026"

// A Price is in USD per million tokens.
type Price struct {
	Input  float64
	Cached float64 // input that the provider reads from its cache
	Output float64 // answers and thoughts
}

// longPrompt is the largest input, in tokens, that costs the short price.
const longPrompt = 200_000

// prices lists the models that answer in text by the beginning of their names. The rest of a name
// must match release, so at most one entry matches.
var prices = []struct {
	model       string
	short, long Price // long is zero if there is only one price
}{
	{"gemini-3.5-flash", Price{1.50, 0.15, 9.00}, Price{}},
	{"gemini-3.1-pro", Price{2.00, 0.20, 12.00}, Price{4.00, 0.40, 18.00}},
	{"gemini-3.1-flash-lite", Price{0.25, 0.025, 1.50}, Price{}},
	{"gemini-3-pro", Price{2.00, 0.20, 12.00}, Price{4.00, 0.40, 18.00}},
	{"gemini-3-flash", Price{0.50, 0.05, 3.00}, Price{}},
	{"gemini-2.5-pro", Price{1.25, 0.125, 10.00}, Price{2.50, 0.25, 15.00}},
	{"gemini-2.5-flash", Price{0.30, 0.03, 2.50}, Price{}},
	{"gemini-2.5-flash-lite", Price{0.10, 0.01, 0.40}, Price{}},
}

// release matches the suffixes of names that do not change the price. A suffix such as "-tts" or
// "-image" means another model.
var release = lazyregexp.New(`^(-preview)?(-\d[\d-]*)?$`)

// Of returns the price of a request with an input of prompt tokens. It reports false if the price
// is unknown. It does not resolve an alias such as gemini-flash-latest, so pass the model version
// from the response.
func Of(model string, prompt int) (Price, bool) {
	model = strings.TrimPrefix(model, "models/")
	for _, p := range prices {
		rest, ok := strings.CutPrefix(model, p.model)
		if !ok || !release.MatchString(rest) {
			continue
		}
		if prompt > longPrompt && p.long != (Price{}) {
			return p.long, true
		}
		return p.short, true
	}
	return Price{}, false
}
