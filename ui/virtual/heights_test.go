package virtual

import (
	"testing"

	"pgregory.net/rapid"
)

// The sums stay correct after any sequence of Add, Set and Cut.
func TestHeightsSumEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Heights
		var each []float32
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			v := float32(rapid.IntRange(0, 300).Draw(t, "height"))
			switch k := rapid.IntRange(0, 4).Draw(t, "step"); {
			case k == 0 && len(each) > 0:
				n := rapid.IntRange(0, len(each)).Draw(t, "cut")
				h.Truncate(n)
				each = each[:n]
			case k == 1 && len(each) > 0:
				i := rapid.IntRange(0, len(each)-1).Draw(t, "at")
				h.Set(i, v)
				each[i] = v
			default:
				h.Add(v)
				each = append(each, v)
			}
		}
		sum := float32(0)
		for i, v := range each {
			if got := h.Before(i); got != sum {
				t.Fatalf("Before(%d) = %v, want %v", i, got, sum)
			}
			if v > 0 {
				if got := h.At(sum + v/2); got != i {
					t.Fatalf("At(%v) = %d, want %d", sum+v/2, got, i)
				}
			}
			sum += v
		}
		if h.Total() != sum {
			t.Fatalf("Total() = %v, want %v", h.Total(), sum)
		}
	})
}
