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

// A frequency is how often the user wants to be asked.
type frequency string

// These are the frequencies, from the fewest questions to the most.
const (
	minimal frequency = "minimal" // only critical questions
	low     frequency = "low"     // also questions of high importance
	normal  frequency = "normal"  // also questions of medium importance
	high    frequency = "high"    // all
)

func frequencies() []frequency { return []frequency{minimal, low, normal, high} }

// saved is the content of the preferences file. It has the fields of the original program.
type saved struct {
	Version   string              `json:"version"`
	Frequency frequency           `json:"dialogFrequency"`
	Decisions map[string]decision `json:"decisions"`
}

// A decision is a choice of the user that the server should remember.
type decision struct {
	Value          string    `json:"value"`
	Timestamp      time.Time `json:"timestamp"`
	Count          int       `json:"count"` // number of times that the user decided so
	ApplyToSimilar bool      `json:"applyToSimilar"`
}

// preferences accesses the user's preferences in a file, which several servers share. It is safe
// for concurrent use.
type preferences struct {
	file state.File
	log  *slog.Logger
	now  func() time.Time
}

// A storageError is an error of the preferences file. Other arguments do not help.
type storageError struct{ error }

func (e storageError) Unwrap() error { return e.error }

func (p *preferences) read() (saved, error) {
	s := saved{Version: "1.0", Frequency: normal}
	warning, err := p.file.Load(&s)
	if err != nil {
		return s, storageError{fmt.Errorf("reading the preferences: %w", err)}
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
		return storageError{fmt.Errorf("changing the preferences: %w", err)}
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

// find returns the user's decision. If there is none, it returns their newest decision in the same
// category that they want to apply to similar ones.
func (s saved) find(category, name string) (value string, similar, ok bool) {
	if key, ok := s.key(category, name); ok {
		return s.Decisions[key].Value, false, true
	}
	var newest decision
	for key, d := range s.Decisions {
		if strings.HasPrefix(normalizeKey(key), normalizeKey(decisionKey(category, ""))) && d.ApplyToSimilar && d.Timestamp.After(newest.Timestamp) {
			newest = d
		}
	}
	return newest.Value, true, newest.Value != ""
}

// key returns the key of a saved decision: the same key, or one that differs only in letter case,
// spaces and separators. Models write the same decision as test_framework and as "Test framework".
func (s saved) key(category, name string) (string, bool) {
	key := decisionKey(category, name)
	if _, ok := s.Decisions[key]; ok {
		return key, true
	}
	for _, k := range slices.Sorted(maps.Keys(s.Decisions)) {
		if normalizeKey(k) == normalizeKey(key) {
			return k, true
		}
	}
	return "", false
}

// maxKnown is the maximum number of decisions that an answer lists.
const maxKnown = 20

// keysIn returns the keys of the decisions in a category, or of all decisions if the category has
// none.
func (s saved) keysIn(category string) []string {
	all := slices.Sorted(maps.Keys(s.Decisions))
	of := normalizeKey(decisionKey(category, ""))
	if own := slices.DeleteFunc(slices.Clone(all), func(k string) bool { return !strings.HasPrefix(normalizeKey(k), of) }); len(own) > 0 {
		all = own
	}
	return all[:min(len(all), maxKnown)]
}

// normalizeKey normalizes a key, so that all its spellings become equal.
func normalizeKey(key string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || r == '_' || r == '-' }), "_"))
}

func decisionKey(category, name string) string {
	return strings.TrimSpace(category) + "." + strings.TrimSpace(name)
}
