package pause

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"goated/internal/state"
)

// A frequency says how often the user wants to be asked.
type frequency string

// The frequencies, from the fewest questions to the most.
const (
	minimal frequency = "minimal" // only critical questions
	low     frequency = "low"     // also questions of high importance
	normal  frequency = "normal"  // also questions of medium importance
	high    frequency = "high"    // all
)

func frequencies() []frequency { return []frequency{minimal, low, normal, high} }

// saved is the file of preferences. It has the fields of the original program.
type saved struct {
	Version   string              `json:"version"`
	Frequency frequency           `json:"dialogFrequency"`
	Decisions map[string]decision `json:"decisions"`
}

// A decision is something that the user decided and wants to be remembered.
type decision struct {
	Value          string    `json:"value"`
	Timestamp      time.Time `json:"timestamp"`
	Count          int       `json:"count"` // how often the user decided so
	ApplyToSimilar bool      `json:"applyToSimilar"`
}

// preferences are the user's preferences in a file, which several servers share. It is safe
// for concurrent use.
type preferences struct {
	file state.File
	log  *slog.Logger
	now  func() time.Time
}

func (p *preferences) read() (saved, error) {
	s := saved{Version: "1.0", Frequency: normal}
	warning, err := p.file.Load(&s)
	if err != nil {
		return s, fmt.Errorf("reading the preferences: %w", err)
	}
	if warning != nil {
		p.log.Warn("preferences", "error", warning)
	}
	if s.Decisions == nil {
		s.Decisions = make(map[string]decision)
	}
	if !slices.Contains(frequencies(), s.Frequency) {
		s.Frequency = normal
	}
	return s, nil
}

// change applies a function to the preferences and saves them.
func (p *preferences) change(apply func(*saved)) error {
	err := p.file.Exclusive(func() error {
		s, err := p.read()
		if err != nil {
			return err
		}
		apply(&s)
		return p.file.Save(s)
	})
	if err != nil {
		return fmt.Errorf("changing the preferences: %w", err)
	}
	return nil
}

func (p *preferences) remember(category, name, value string, similar bool) error {
	return p.change(func(s *saved) {
		key := decisionKey(category, name)
		count := 1
		if old, ok := s.Decisions[key]; ok && old.Value == value {
			count += old.Count
		}
		s.Decisions[key] = decision{value, p.now().UTC(), count, similar}
	})
}

// find returns what the user decided, or what they decided in the same category and
// want to be applied to similar decisions.
func (s saved) find(category, name string) (value string, similar, ok bool) {
	if d, ok := s.Decisions[decisionKey(category, name)]; ok {
		return d.Value, false, true
	}
	var newest decision
	for key, d := range s.Decisions {
		if strings.HasPrefix(key, decisionKey(category, "")) && d.ApplyToSimilar && d.Timestamp.After(newest.Timestamp) {
			newest = d
		}
	}
	return newest.Value, true, newest.Value != ""
}

func decisionKey(category, name string) string { return category + "." + name }
