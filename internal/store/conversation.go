package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"google.golang.org/genai"
)

// Limits of the metadata of a conversation, in characters.
const (
	maxTitle   = 200
	maxPreview = 100 // the schema allows 500
)

// A Conversation is the metadata of a conversation.
type Conversation struct {
	ID      string // a UUID
	Title   string // from the first message, unless renamed; may be empty
	Preview string // the beginning of the last message
	Created time.Time
	Updated time.Time // when the last message came
	Used    int64     // order of last use, independent of the clock: higher is later
	Pinned  bool
	Active  string // id of the last turn of the active branch; empty if there is none
	Draft   string // text that the user has written and not sent
	Unsent  bool   // the user has attached files and not sent them
	Place   string // where the user was reading, in the format of SetPlace's caller
	Choices Choices
	Stamp   string // changes with each turn of the active branch, and with each event of the last one
}

// Choices are what the user chose for one conversation. The zero value follows the
// settings.
type Choices struct {
	// Model is the name of the model. If it is empty, the settings choose the model. Service
	// is the URL of its service; empty: Gemini.
	Model   string `json:"model,omitempty"`
	Service string `json:"service,omitempty"`
	// Instructions are the user's, for this conversation.
	Instructions string `json:"instructions,omitempty"`
	// Profile is the name of the profile of servers; empty: the one in use.
	Profile string `json:"profile,omitempty"`
}

// encode returns c as the database has it.
func (c Choices) encode() (string, error) {
	if c == (Choices{}) {
		return "", nil
	}
	body, err := json.Marshal(c)
	return string(body), err
}

// decodeChoices reads choices. Unreadable ones count as none: they must not hide the
// conversation.
func decodeChoices(body string) Choices {
	var c Choices
	if json.Unmarshal([]byte(body), &c) != nil {
		return Choices{}
	}
	return c
}

const selectConversation = `
SELECT c.id, c.title, c.preview, c.created, c.updated, c.used, c.pinned, c.draft, c.place, c.choices, coalesce(t.id, ''), EXISTS (SELECT 1 FROM unsent u WHERE u.conversation = c.seq),
	concat_ws(' ', c.active, t.ended, (SELECT concat(e.n, '+', octet_length(e.body)) FROM event e WHERE e.turn = c.active ORDER BY e.n DESC LIMIT 1))
FROM conversation c LEFT JOIN turn t ON t.seq = c.active
WHERE c.deleted IS NULL`

func scanConversation(scan func(...any) error) (Conversation, error) {
	var c Conversation
	var created, updated int64
	var choices string
	err := scan(&c.ID, &c.Title, &c.Preview, &created, &updated, &c.Used, &c.Pinned, &c.Draft, &c.Place, &choices, &c.Active, &c.Unsent, &c.Stamp)
	c.Choices = decodeChoices(choices)
	c.Created, c.Updated = time.Unix(0, created), time.Unix(0, updated)
	return c, err
}

// Conversations lists the conversations that are not deleted: the pinned ones first,
// then by last use, the latest first.
func (s *Store) Conversations(ctx context.Context) ([]Conversation, error) {
	var all []Conversation
	err := s.base.read(ctx, "listing conversations", func(tx *sql.Tx) error {
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

// nextUse is the order of use of a conversation that is used now.
const nextUse = `(SELECT coalesce(max(used), 0) + 1 FROM conversation)`

// Create makes an empty conversation. If the disk does not take it, or ctx ends
// first, the conversation is inserted with the first data that is saved of it.
func (s *Store) Create(ctx context.Context) (Conversation, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Conversation{}, err
	}
	now := s.base.clock().UnixNano()
	c := Conversation{ID: id.String(), Created: time.Unix(0, now), Updated: time.Unix(0, now)}
	err = s.base.commit(ctx, "creating a conversation", func(tx *sql.Tx) error {
		return insertConversation(ctx, tx, c.ID, now)
	})
	if temporary(err) || err != nil && ctx.Err() != nil {
		s.pending.addConversation(c.ID, now)
		return c, nil
	}
	if err != nil {
		return Conversation{}, err
	}
	return c, nil
}

// Rename sets a title of at most 200 characters, which messages no longer change.
// With an empty title, the next message sets it again.
func (s *Store) Rename(ctx context.Context, id, title string) error {
	title = OneLine(title)
	return s.update(ctx, "renaming a conversation", id, func(tx *sql.Tx, seq int64) error {
		if utf8.RuneCountInString(title) > maxTitle {
			return ErrTitle
		}
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET title = ?, renamed = ? WHERE seq = ?`, title, title != "", seq)
		return err
	})
}

// Pin keeps a conversation at the top of the list, or stops doing so.
func (s *Store) Pin(ctx context.Context, id string, pinned bool) error {
	return s.update(ctx, "pinning a conversation", id, func(tx *sql.Tx, seq int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET pinned = ? WHERE seq = ?`, pinned, seq)
		return err
	})
}

// SetDraft saves text that the user has written and not sent, and the files with it. If files
// is nil, the saved files stay. [ErrUnsent] means that the text is saved, but the files of all
// conversations together are too large.
func (s *Store) SetDraft(ctx context.Context, id, text string, files *[]*genai.Part) error {
	err := s.update(ctx, "saving a draft", id, func(tx *sql.Tx, seq int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET draft = ? WHERE seq = ?`, text, seq)
		return err
	})
	if err != nil || files == nil {
		return err
	}
	return s.update(ctx, "saving files that are not sent", id, func(tx *sql.Tx, seq int64) error {
		return setUnsent(ctx, tx, seq, *files)
	})
}

// SetPlace saves where the user is reading. The caller defines the format of place.
func (s *Store) SetPlace(ctx context.Context, id, place string) error {
	return s.update(ctx, "saving a reading position", id, func(tx *sql.Tx, seq int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET place = ? WHERE seq = ?`, place, seq)
		return err
	})
}

// SetChoices saves what the user chose for a conversation.
func (s *Store) SetChoices(ctx context.Context, id string, c Choices) error {
	body, err := c.encode()
	if err != nil {
		return fmt.Errorf("saving the choices of a conversation: %w", err)
	}
	return s.update(ctx, "saving the choices of a conversation", id, func(tx *sql.Tx, seq int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET choices = ? WHERE seq = ?`, body, seq)
		return err
	})
}

// update changes a conversation that is not deleted.
func (s *Store) update(ctx context.Context, doing, id string, do func(tx *sql.Tx, seq int64) error) error {
	err := s.base.commit(ctx, doing, func(tx *sql.Tx) error {
		seq, err := s.pending.conversation(ctx, tx, id)
		if err != nil {
			return err
		}
		return do(tx, seq)
	})
	if err == nil {
		s.pending.removeConversation(id)
	}
	return err
}

func insertConversation(ctx context.Context, tx *sql.Tx, id string, now int64) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO conversation (id, created, updated, used) VALUES (?1, ?2, ?2, `+nextUse+`) ON CONFLICT (id) DO NOTHING`, id, now)
	return err
}

// findConversation returns the row of a conversation that is not deleted.
func findConversation(ctx context.Context, tx *sql.Tx, id string) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq FROM conversation WHERE id = ? AND deleted IS NULL`, id).Scan(&seq)
	return seq, notFound(err)
}

// notFound makes an ErrNotFound of a query without a row.
func notFound(err error) error {
	if err == sql.ErrNoRows {
		return ErrNotFound
	}
	return err
}
