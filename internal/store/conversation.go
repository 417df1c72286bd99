package store

import (
	"context"
	"database/sql"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// The limits of what describes a conversation, in characters.
const (
	maxTitle   = 200
	maxPreview = 100 // of the 500 that a preview may have
)

// A Conversation describes a conversation without what was said in it.
type Conversation struct {
	ID      string // a UUID
	Title   string // of the first message, unless renamed; may be empty
	Preview string // the beginning of the last message
	Created time.Time
	Updated time.Time // of the last message
	Used    int64     // the order of last use, whatever the clock said: higher is later
	Pinned  bool
	Active  string // id of the last turn of the branch that is shown; empty if there is none
	Draft   string // what the user has written and not sent
	Place   string // where the reader was, in the words of SetPlace's caller
}

const selectConversation = `
SELECT c.id, c.title, c.preview, c.created, c.updated, c.used, c.pinned, c.draft, c.place, coalesce(t.id, '')
FROM conversation c LEFT JOIN turn t ON t.seq = c.active
WHERE c.deleted IS NULL`

func scanConversation(scan func(...any) error) (Conversation, error) {
	var c Conversation
	var created, updated int64
	err := scan(&c.ID, &c.Title, &c.Preview, &created, &updated, &c.Used, &c.Pinned, &c.Draft, &c.Place, &c.Active)
	c.Created, c.Updated = time.Unix(0, created), time.Unix(0, updated)
	return c, err
}

// Conversations lists all conversations that are not deleted: the pinned ones
// first, then the one used last first.
func (s *Store) Conversations(ctx context.Context) ([]Conversation, error) {
	var all []Conversation
	err := s.read(ctx, "listing conversations", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, selectConversation+` ORDER BY c.pinned DESC, c.used DESC, c.seq DESC`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			c, err := scanConversation(rows.Scan)
			if err != nil {
				return err
			}
			all = append(all, c)
		}
		return rows.Err()
	})
	return all, err
}

// nextUse is the order of what is used now.
const nextUse = `(SELECT coalesce(max(used), 0) + 1 FROM conversation)`

// Create makes an empty conversation. One that the disk does not take, or for which
// there is no time before ctx ends, is made with what is first to be kept of it.
func (s *Store) Create(ctx context.Context) (Conversation, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Conversation{}, err
	}
	now := s.now()
	c := Conversation{ID: id.String(), Created: time.Unix(0, now.UnixNano()), Updated: time.Unix(0, now.UnixNano())}
	err = s.commit(ctx, "creating a conversation", func(tx *sql.Tx) error {
		return insert(ctx, tx, c.ID, now.UnixNano())
	})
	if passing(err) || err != nil && ctx.Err() != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.unmade[c.ID] = now.UnixNano()
		return c, nil
	}
	if err != nil {
		return Conversation{}, err
	}
	return c, nil
}

// Rename gives a conversation a title of at most 200 characters, which messages
// no longer change. With an empty title the next message titles it again.
func (s *Store) Rename(ctx context.Context, id, title string) error {
	title = clean(title)
	return s.update(ctx, "renaming a conversation", id, func(tx *sql.Tx, seq int64) error {
		if utf8.RuneCountInString(title) > maxTitle {
			return ErrTitle
		}
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET title = ?, renamed = ? WHERE seq = ?`, title, title != "", seq)
		return err
	})
}

// Pin keeps a conversation at the top of the list, or no longer does.
func (s *Store) Pin(ctx context.Context, id string, pinned bool) error {
	return s.update(ctx, "pinning a conversation", id, func(tx *sql.Tx, seq int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET pinned = ? WHERE seq = ?`, pinned, seq)
		return err
	})
}

// SetDraft keeps what the user has written and not sent.
func (s *Store) SetDraft(ctx context.Context, id, text string) error {
	return s.update(ctx, "keeping a draft", id, func(tx *sql.Tx, seq int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET draft = ? WHERE seq = ?`, text, seq)
		return err
	})
}

// SetPlace keeps where the reader is. What place says is the caller's to know.
func (s *Store) SetPlace(ctx context.Context, id, place string) error {
	return s.update(ctx, "keeping a place", id, func(tx *sql.Tx, seq int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET place = ? WHERE seq = ?`, place, seq)
		return err
	})
}

// update changes a conversation that is not deleted.
func (s *Store) update(ctx context.Context, doing, id string, do func(tx *sql.Tx, seq int64) error) error {
	err := s.commit(ctx, doing, func(tx *sql.Tx) error {
		seq, err := s.find(ctx, tx, id)
		if err != nil {
			return err
		}
		return do(tx, seq)
	})
	if err == nil {
		s.made(id)
	}
	return err
}

func insert(ctx context.Context, tx *sql.Tx, id string, now int64) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO conversation (id, created, updated, used) VALUES (?1, ?2, ?2, `+nextUse+`) ON CONFLICT (id) DO NOTHING`, id, now)
	return err
}

// find returns the number of a conversation that is not deleted.
func find(ctx context.Context, tx *sql.Tx, id string) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq FROM conversation WHERE id = ? AND deleted IS NULL`, id).Scan(&seq)
	return seq, missing(err)
}

// missing names what a query without a row means.
func missing(err error) error {
	if err == sql.ErrNoRows {
		return ErrNotFound
	}
	return err
}
