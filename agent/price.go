package agent

import "goated/agent/pricing"

// cost returns the cost of one request in USD.
func cost(p pricing.Price, u Usage) float64 {
	fresh := max(u.Prompt-u.Cached, 0)
	return (float64(fresh)*p.Input + float64(u.Cached)*p.Cached + float64(u.Answer+u.Thought)*p.Output) / 1e6
}

// priced returns the usage of one request, which model answered, with its cost. The
// session's model may know prices that [pricing.Of] does not.
func (s *Session) priced(u Usage, model string) Usage {
	price, known := pricing.Of(model, u.Prompt)
	if own, ok := s.Model.(interface {
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

// Estimate returns the cost of a request in USD, from its numbers of tokens. It reports false if the
// price of the model is unknown.
func Estimate(m Model, prompt, answer int) (dollars float64, known bool) {
	s := &Session{Model: m}
	u := s.priced(Usage{Prompt: prompt, Answer: answer}, s.modelName())
	return u.Cost, u.Cost > 0
}

// minus returns the tokens of u that o does not have.
func (u Usage) minus(o Usage) Usage {
	return Usage{Prompt: u.Prompt - o.Prompt, Cached: u.Cached - o.Cached, Answer: u.Answer - o.Answer, Thought: u.Thought - o.Thought}
}

// Total returns the number of all tokens, input and output.
func (u Usage) Total() int { return u.Prompt + u.Answer + u.Thought }
