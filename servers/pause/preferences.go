package pause

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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

// preferences are the user's preferences in a file, which several servers share: each
// change reads the file, and replaces it as a whole. It is safe for concurrent use.
type preferences struct {
	path string
	now  func() time.Time
	mu   sync.Mutex
}

func (p *preferences) read() (saved, error) {
	s := saved{Version: "1.0", Frequency: normal, Decisions: make(map[string]decision)}
	text, err := os.ReadFile(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, fmt.Errorf("reading the preferences in %s: %w", p.path, err)
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
	p.mu.Lock()
	defer p.mu.Unlock()
	unlock, err := lock(p.path + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	s, err := p.read()
	if err != nil {
		return err
	}
	apply(&s)
	return p.write(s)
}

func (p *preferences) write(s saved) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := state.ReplaceBytes(p.path, text); err != nil {
		return fmt.Errorf("saving the preferences: %w", err)
	}
	return nil
}

// lock takes a lock file, for as long as a change takes. A lock that is older than a
// few seconds belongs to a process that was killed.
func lock(path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the preferences: %w", err)
	}
	const maxLockAge = 5 * time.Second
	for deadline := time.Now().Add(2 * maxLockAge); ; time.Sleep(5 * time.Millisecond) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			return func() { _ = os.Remove(path) }, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) || time.Now().After(deadline) {
			return nil, fmt.Errorf("locking the preferences: %w", err)
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > maxLockAge {
			_ = os.Remove(path)
		}
	}
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
