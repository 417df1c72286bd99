// Package history stores the dialogs that the user has seen: the question, the caller, the time and
// the answer. It owns one file with a line of JSON for each dialog. It must not know how a dialog
// looks or how it reached the user.
package history

import (
	"bytes"
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
	"goated/internal/truncate"
	"goated/servers/pause/dialog"
)

// Most is the maximum number of dialogs in a history (seed 004).
const Most = 1000

// longest limits each text of a record, in characters. A draft is stored nowhere else, so it may be
// as long as the longest part of a question.
const (
	longest      = 4000
	longestDraft = dialog.MaxBody
)

// A Record describes a dialog that has ended.
type Record struct {
	Kind     dialog.Kind   `json:"kind"`
	Question string        `json:"question"`
	Answer   string        `json:"answer,omitempty"` // as text; empty: the user gave none
	Draft    string        `json:"draft,omitempty"`  // what the user had entered when the caller left
	Caller   dialog.Caller `json:"caller"`
	Asked    time.Time     `json:"asked"`
	Ended    time.Time     `json:"ended"`
	Outcome  Outcome       `json:"outcome"`
}

// An Outcome is how a dialog ended.
type Outcome string

// These are the outcomes.
const (
	Answered  Outcome = "answered"
	Cancelled Outcome = "cancelled" // by the user
	Left      Outcome = "left"      // the caller exited or stopped waiting
)

// A History contains the dialogs of one file. It is safe for concurrent use. Create one with
// [Open].
type History struct {
	path string

	mu      sync.Mutex
	records []Record // oldest first
}

// Open reads the history in a file, which need not exist. It skips lines that cannot be decoded,
// for example one that a killed program did not finish.
func Open(path string) (*History, error) {
	h := &History{path: path}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, fmt.Errorf("reading the history of dialogs: %w", err)
	}
	broken := false
	for line := range bytes.Lines(text) {
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			broken = true
			continue
		}
		h.records = append(h.records, r)
	}
	if n := len(h.records) - Most; n > 0 || broken {
		h.records = h.records[max(n, 0):]
		return h, h.rewrite()
	}
	return h, nil
}

// Add adds and saves a dialog that has ended.
func (h *History) Add(r Record) error {
	r.Question, r.Answer, r.Draft = truncate.Runes(r.Question, longest), truncate.Runes(r.Answer, longest), truncate.Runes(r.Draft, longestDraft)
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.records = append(h.records, r)
	if len(h.records) >= 2*Most {
		h.records = slices.Clone(h.records[len(h.records)-Most:])
		return h.rewrite()
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return fmt.Errorf("saving the history of dialogs: %w", err)
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = errors.Join(appendLine(f, line), f.Close())
	}
	if err != nil {
		return fmt.Errorf("saving the history of dialogs: %w", err)
	}
	return nil
}

// appendLine appends a line. It first ends a line that an earlier write did not finish, because the
// disk was full or the program was killed.
func appendLine(f *os.File, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	last := []byte{'\n'}
	if info.Size() > 0 {
		if _, err := f.ReadAt(last, info.Size()-1); err != nil {
			return err
		}
	}
	if last[0] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(append(line, '\n'))
	return err
}

// Clear removes all dialogs.
func (h *History) Clear() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.records = nil
	return h.rewrite()
}

// rewrite replaces the file. The caller holds mu, or is the only user of h.
func (h *History) rewrite() error {
	var text bytes.Buffer
	for _, r := range h.records {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	if err := state.ReplaceBytes(h.path, text.Bytes()); err != nil {
		return fmt.Errorf("saving the history of dialogs: %w", err)
	}
	return nil
}

// Len returns the number of dialogs.
func (h *History) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return min(len(h.records), Most)
}

// Search returns the dialogs that contain all words of a query in the question, the answer or the
// caller, newest first. An empty query matches all dialogs.
func (h *History) Search(query string) []Record {
	words := strings.Fields(strings.ToLower(query))
	h.mu.Lock()
	defer h.mu.Unlock()
	var found []Record
	for _, r := range slices.Backward(h.records[max(len(h.records)-Most, 0):]) {
		text := strings.ToLower(r.Question + "\n" + r.Answer + "\n" + r.Draft + "\n" + r.Caller.Name + "\n" + r.Caller.Folder)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			found = append(found, r)
		}
	}
	return found
}

// AnswerText describes an answer as text. If masked is set, it hides what the user wrote, because
// that may be a password.
func AnswerText(q dialog.Question, a dialog.Answer, masked bool) string {
	if a.Cancelled {
		return ""
	}
	hide := func(text string) string {
		if masked && text != "" {
			return "••••••"
		}
		return text
	}
	parts := []string{hide(a.Text)}
	if a.Confirmed != nil {
		yes, no := "Yes", "No"
		if c, ok := q.(*dialog.Confirm); ok {
			yes, no = c.YesLabel, c.NoLabel
		}
		if *a.Confirmed {
			no = yes
		}
		parts = append(parts, no)
	}
	chosen := a.Choices
	if a.Choice != "" {
		chosen = []string{a.Choice}
	}
	for i, value := range chosen {
		chosen = slices.Clone(chosen)
		chosen[i] = dialog.Label(q, value)
	}
	parts = append(parts, strings.Join(chosen, ", "), hide(a.Context))
	if _, ok := q.(*dialog.Planner); ok && !a.SwitchToText {
		parts = append(parts, string(a.ThinkingMode), string(a.Action))
	}
	for _, file := range a.Attachments {
		parts = append(parts, file.Name)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}
