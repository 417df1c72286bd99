package pricing_test

import (
	"testing"

	"goated/agent/pricing"
)

func TestPriceIsThatOfTheLongestName(t *testing.T) {
	for _, c := range []struct {
		model  string
		prompt int
		output float64 // 0: not known
	}{
		{"gemini-2.5-flash", 1, 2.50},
		{"models/gemini-2.5-flash", 1, 2.50},
		{"gemini-2.5-flash-lite", 1, 0.40},
		{"gemini-2.5-flash-lite-preview-09-2025", 1, 0.40},
		{"gemini-2.5-pro", 200_000, 10},
		{"gemini-2.5-pro", 200_001, 15},
		{"gemini-3-flash-preview", 1, 3},
		{"gemini-3.1-pro-preview", 300_000, 18},
		{"gemini-3.5-flash-001", 300_000, 9},
		{"gemini-2.5-flash-image", 1, 0}, // other models, at other prices
		{"gemini-2.5-flash-preview-tts", 1, 0},
		{"gemini-flash-latest", 1, 0},
		{"gemini-2.5-flashy", 1, 0},
		{"", 1, 0},
	} {
		if p, ok := pricing.Of(c.model, c.prompt); p.Output != c.output || ok != (c.output > 0) {
			t.Errorf("%s at %d tokens: %+v, %t", c.model, c.prompt, p, ok)
		}
	}
}
