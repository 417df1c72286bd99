package agent

import (
	"regexp"
	"strings"
)

// PricesOf is when the prices of [PriceOf] were the list prices of the paid tier
// in Google's price list, ai.google.dev/gemini-api/docs/pricing. They change, and
// the free tier costs nothing: what is made of them is an estimate.
const PricesOf = "July 2026"

// A Price is what a model costs, in USD for a million tokens.
type Price struct {
	Input  float64
	Cached float64 // of the input that the provider had read before
	Output float64 // thoughts included
}

// longPrompt is from how many tokens of input on a request has the long price.
const longPrompt = 200_000

// prices are those of the models that answer in text, by the beginnings of their
// names; what may follow is that of release, so that no two fit one name.
var prices = []struct {
	model       string
	short, long Price // long is zero where there is but one
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

// release is what may follow a model's name without changing what it costs. Words
// such as "tts" or "image" make it another model.
var release = regexp.MustCompile(`^(-preview)?(-\d[\d-]*)?$`)

// PriceOf is what a request of so many tokens of input to a model costs. It is
// false for a model whose price is not known, such as a name that always means
// the latest one: the response tells which that was.
func PriceOf(model string, prompt int) (Price, bool) {
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

// cost is what one request cost in USD.
func (p Price) cost(u Usage) float64 {
	fresh := max(u.Prompt-u.Cached, 0)
	return (float64(fresh)*p.Input + float64(u.Cached)*p.Cached + float64(u.Answer+u.Thought)*p.Output) / 1e6
}

// add adds the usage of one more request, which model answered. The cost of a
// turn is known only if that of each of its requests is.
func (u Usage) add(step Usage, model string) Usage {
	price, known := PriceOf(model, step.Prompt)
	sum := Usage{
		Prompt: u.Prompt + step.Prompt, Cached: u.Cached + step.Cached, Answer: u.Answer + step.Answer, Thought: u.Thought + step.Thought,
		Cost: u.Cost + price.cost(step),
	}
	if !known && step != (Usage{}) || u.Total() > 0 && u.Cost == 0 {
		sum.Cost = 0
	}
	return sum
}

// Total is all tokens, both ways.
func (u Usage) Total() int { return u.Prompt + u.Answer + u.Thought }
