package pause

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

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

// remember saves a decision and returns its key.
func (p *preferences) remember(category, name, value string, similar bool) (key string, err error) {
	err = p.change(func(s *saved) {
		var ok bool
		if key, ok = s.key(category, name); !ok {
			key = decisionKey(category, name)
		}
		count := 1
		if old, ok := s.Decisions[key]; ok && old.Value == value {
			count += old.Count
		}
		s.Decisions[key] = decision{value, p.now().UTC(), count, similar}
	})
	return key, err
}

// find returns what the user decided, or what they decided in the same category and
// want to be applied to similar decisions.
func (s saved) find(category, name string) (value string, similar, ok bool) {
	if key, ok := s.key(category, name); ok {
		return s.Decisions[key].Value, false, true
	}
	var newest decision
	for key, d := range s.Decisions {
		if strings.HasPrefix(spelling(key), spelling(decisionKey(category, ""))) && d.ApplyToSimilar && d.Timestamp.After(newest.Timestamp) {
			newest = d
		}
	}
	return newest.Value, true, newest.Value != ""
}

// key returns the key of a decision: the same one, or one that differs in capitals, spaces and signs between
// words alone. Models write the same decision as test_framework and as "Test framework".
func (s saved) key(category, name string) (string, bool) {
	key := decisionKey(category, name)
	if _, ok := s.Decisions[key]; ok {
		return key, true
	}
	for _, k := range slices.Sorted(maps.Keys(s.Decisions)) {
		if spelling(k) == spelling(key) {
			return k, true
		}
	}
	return "", false
}

// maxKnown is how many decisions an answer names.
const maxKnown = 20

// known returns the keys of the decisions of a category; if it has none, those of all.
func (s saved) known(category string) []string {
	all := slices.Sorted(maps.Keys(s.Decisions))
	of := spelling(decisionKey(category, ""))
	if own := slices.DeleteFunc(slices.Clone(all), func(k string) bool { return !strings.HasPrefix(spelling(k), of) }); len(own) > 0 {
		all = own
	}
	return all[:min(len(all), maxKnown)]
}

// spelling returns what is the same for all ways to write a key.
func spelling(key string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || r == '_' || r == '-' }), "_"))
}

func decisionKey(category, name string) string {
	return strings.TrimSpace(category) + "." + strings.TrimSpace(name)
}
