package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"goated/agent"
	"goated/internal/state"
)

// What Close can't write into the database goes into a file beside it, of the
// format that ExportJSON writes, and the next Open reads it: as conversations of
// their own, since the one that they belong to may have gone on by then.

// rescued is the ending of such a file, and what comes before its number.
const rescued = ".unsaved-"

// partTime is the age from which one that is being written was left by a process
// that was killed.
const partTime = time.Hour

// A draftTurn is what a rescue needs of a turn: what it began with, and the events
// that are not on the disk.
type draftTurn struct {
	parent  string
	user    string // as it is written
	started time.Time
	ended   time.Time
	failure string
	events  []agent.Event
}

// unsaved is the recorder's turn for a rescue. The caller holds r.mu.
func (r *Recorder) unsaved() (exportedTurn, error) {
	t := Turn{ID: r.ID, Parent: r.draft.parent, Started: r.draft.started, Ended: r.draft.ended, Error: r.draft.failure}
	for _, e := range r.draft.events {
		t.Events = coalesce(t.Events, e)
	}
	out, err := exportTurn(t)
	out.User = json.RawMessage(r.draft.user)
	for _, body := range r.contents {
		out.Contents = append(out.Contents, json.RawMessage(body))
	}
	return out, err
}

// rescue writes what recorders could not, and says where.
func (s *Store) rescue(lost []*Recorder) (path string, err error) {
	doc := document{Format: format, Version: formatVersion}
	for _, r := range lost {
		r.mu.Lock()
		turn, err := r.unsaved()
		r.mu.Unlock()
		if err != nil {
			return "", err
		}
		at := slices.IndexFunc(doc.Conversations, func(c exported) bool { return c.ID == r.conversation })
		if at < 0 {
			at = len(doc.Conversations)
			doc.Conversations = append(doc.Conversations, exported{ID: r.conversation, Title: r.Title, Created: turn.Started, Turns: []exportedTurn{}})
		}
		c := &doc.Conversations[at]
		if !slices.ContainsFunc(c.Turns, func(t exportedTurn) bool { return t.ID == turn.Parent }) {
			turn.Parent = ""
		}
		c.Turns = append(c.Turns, turn)
		c.Updated, c.Active = turn.Started, turn.ID
	}
	for i := range doc.Conversations {
		doc.Conversations[i].ID = uuid.NewString() // by which it is known if it is read twice
	}
	data, err := json.Marshal(doc)
	if err != nil {
		return "", err
	}
	path = s.path + rescued + time.Now().Format("20060102-150405.000000") + ".json"
	return path, state.WriteFile(path, data)
}

// readmit takes in what earlier processes rescued, and has Warning say so, in a line
// for each way that it went. What can't be taken in stays where it is.
func (s *Store) readmit(ctx context.Context) {
	pattern := escaped(s.path) + rescued + "*.json" // which is well formed
	parts, _ := filepath.Glob(pattern + state.Part)
	for _, path := range parts {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > partTime {
			_ = os.Remove(path)
		}
	}
	found, _ := filepath.Glob(pattern)
	back := false
	var waits, bad []string
	var why, wrong error // of the first of them
	for _, path := range found {
		err := s.readmitFile(ctx, path)
		switch {
		case err == nil:
			back = true
		case passing(err), ctx.Err() != nil: // the next time
			waits, why = append(waits, path), cmp.Or(why, err)
		default:
			bad, wrong = append(bad, path), cmp.Or(wrong, err)
		}
	}
	if back {
		s.warn(errors.New("what could not be saved when goated last closed is back, as conversations of its own"))
	}
	if len(waits) > 0 {
		s.warn(fmt.Errorf("what could not be saved when goated last closed is in %s, and is read at the next start: %w", several(waits), why))
	}
	if len(bad) > 0 {
		s.warn(fmt.Errorf("what could not be saved when goated last closed is in %s, and can't be read: %w", several(bad), wrong))
	}
}

func (s *Store) warn(err error) { s.Warning = errors.Join(s.Warning, err) }

// several names the first of some files, and how many more there are.
func several(paths []string) string {
	if len(paths) == 1 {
		return paths[0]
	}
	return fmt.Sprintf("%s and %d more beside it", paths[0], len(paths)-1)
}

func (s *Store) readmitFile(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	doc, err := parse(f)
	_ = f.Close() // it was only read
	if err != nil {
		return err
	}
	err = s.commit(ctx, "reading what was not saved", func(tx *sql.Tx) error {
		var ids []string
		for _, c := range doc.Conversations {
			var had int
			if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM conversation WHERE id = ?`, c.ID).Scan(&had); err != nil {
				return err
			}
			if had > 0 { // and the file could not be removed then
				continue
			}
			id, err := importConversation(ctx, tx, c)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return arrange(ctx, tx, ids)
	})
	if err != nil {
		return err
	}
	_ = os.Remove(path) // one that stays is known the next time
	return nil
}

// escaped is a path as a pattern for itself.
func escaped(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}
