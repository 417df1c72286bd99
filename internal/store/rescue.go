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

// Close writes turns that cannot be written to the database to a file beside it, in the format of
// ExportJSON. The next Open imports them as separate conversations, because their own conversation may
// have continued in the meantime.

// rescueInfix precedes the time in the name of such a file.
const rescueInfix = ".unsaved-"

// partTime is the age at which an unfinished file must come from a killed process.
const partTime = time.Hour

// A draft is the data of a turn that a rescue needs: how it began, and the events that are not on the
// disk.
type draft struct {
	parent  string
	user    string // the encoded message
	started time.Time
	ended   time.Time
	failure string
	events  []agent.Event
}

// unsaved returns the turn in the form that a rescue writes.
func (r *Recorder) unsaved() (exportedTurn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := Turn{ID: r.ID, Parent: r.draft.parent, Started: r.draft.started, Ended: r.draft.ended, Error: r.draft.failure}
	for _, e := range r.draft.events {
		t.Events = appendEvent(t.Events, e)
	}
	out, err := exportTurn(t)
	out.User = json.RawMessage(r.draft.user)
	for _, body := range r.contents.bodies {
		out.Contents = append(out.Contents, json.RawMessage(body))
	}
	return out, err
}

// rescue writes the turns of recorders to a file beside the database and returns the file's path.
func rescue(database string, lost []*Recorder) (path string, err error) {
	doc := document{Format: format, Version: formatVersion}
	for _, r := range lost {
		turn, err := r.unsaved()
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
		doc.Conversations[i].ID = uuid.NewString() // identifies it if the file is read twice
	}
	data, err := json.Marshal(doc)
	if err != nil {
		return "", err
	}
	path = database + rescueInfix + time.Now().Format("20060102-150405.000000") + ".json"
	return path, state.WriteFile(path, data)
}

// importRescued imports the files that earlier processes rescued. warning has a line for each kind of
// outcome. Files that cannot be imported remain.
func (db *database) importRescued(ctx context.Context) (warning error) {
	pattern := escapePattern(db.path) + rescueInfix + "*.json" // Glob cannot fail
	parts, _ := filepath.Glob(pattern + state.Part)
	for _, path := range parts {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > partTime {
			_ = os.Remove(path)
		}
	}
	found, _ := filepath.Glob(pattern)
	imported := false
	var later, bad []string
	var laterErr, badErr error // each from the first such file
	for _, path := range found {
		err := db.importRescue(ctx, path)
		switch {
		case err == nil:
			imported = true
		case isTemporary(err), ctx.Err() != nil:
			later, laterErr = append(later, path), cmp.Or(laterErr, err)
		default:
			bad, badErr = append(bad, path), cmp.Or(badErr, err)
		}
	}
	var warnings []error
	if imported {
		warnings = append(warnings, errors.New("messages that could not be saved when goated last closed are back, as separate conversations"))
	}
	if len(later) > 0 {
		warnings = append(warnings, fmt.Errorf("messages that could not be saved when goated last closed are in %s, and will be read at the next start: %w", firstAndCount(later), laterErr))
	}
	if len(bad) > 0 {
		warnings = append(warnings, fmt.Errorf("messages that could not be saved when goated last closed are in %s, and can't be read: %w", firstAndCount(bad), badErr))
	}
	return errors.Join(warnings...)
}

// firstAndCount names the first of several files and counts the others.
func firstAndCount(paths []string) string {
	if len(paths) == 1 {
		return paths[0]
	}
	return fmt.Sprintf("%s and %d more files beside it", paths[0], len(paths)-1)
}

// importRescue imports one file and removes it.
func (db *database) importRescue(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	doc, err := parse(f)
	_ = f.Close() // it was only read
	if err != nil {
		return err
	}
	err = db.commit(ctx, "importing unsaved messages", func(tx *sql.Tx) error {
		var ids []string
		for _, c := range doc.Conversations {
			var had int
			if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM conversation WHERE id = ?`, c.ID).Scan(&had); err != nil {
				return err
			}
			if had > 0 { // an earlier Open imported it but could not remove the file
				continue
			}
			id, err := importOne(ctx, tx, c)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return orderByTime(ctx, tx, ids)
	})
	if err != nil {
		return err
	}
	_ = os.Remove(path) // if that fails, the next Open recognizes the ids
	return nil
}

// escapePattern returns a pattern that matches only path.
func escapePattern(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}
