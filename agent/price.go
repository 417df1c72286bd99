package agent

import "goated/agent/pricing"

// cost returns the cost of one request in USD.
func cost(p pricing.Price, u Usage) float64 {
	fresh := max(u.Prompt-u.Cached, 0)
	return (float64(fresh)*p.Input + float64(u.Cached)*p.Cached + float64(u.Answer+u.Thought)*p.Output) / 1e6
}

// priced returns the usage of one request to m with its cost. model is the name in the answer. Prices
// that m itself provides take precedence over [pricing.Of].
func priced(m Model, u Usage, model string) Usage {
	price, known := pricing.Of(model, u.Prompt)
	if own, ok := m.(interface {
		Price(model string, prompt int) (pricing.Price, bool)
	}); ok {
		if p, ok := own.Price(model, u.Prompt); ok {
			price, known = p, true
		}
	}
	if u.Cost = 0; known {
		u.Cost = cost(price, u)
	}
	return u
}

// Estimate returns the cost of a request in USD from its token counts. It reports false if the price
// of the model is unknown.
func Estimate(m Model, prompt, answer int) (dollars float64, known bool) {
	u := priced(m, Usage{Prompt: prompt, Answer: answer}, modelName(m))
	return u.Cost, u.Cost > 0
}

// Total returns the number of input and output tokens.
func (u Usage) Total() int { return u.Prompt + u.Answer + u.Thought }
