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

// Limits of a conversation's metadata, in characters.
const (
	maxTitle   = 200
	maxPreview = 100 // the schema allows 500
)

// A Conversation is the metadata of a conversation.
type Conversation struct {
	ID      string // a UUID
	Title   string // from the first message, unless renamed; may be ""
	Preview string // the start of the last message
	Created time.Time
	Updated time.Time // the time of the last message
	Used    int64     // order of last use, independent of the clock; a higher number is later
	Pinned  bool
	Active  string // the id of the last turn of the active branch, or "" if there is none
	Draft   string // text that the user has written but not sent
	Unsent  bool   // the user has attached files but not sent them
	Place   string // the reading position, in the format of SetReadingPosition's caller
	Choices Choices
	Stamp   string // changes with each turn of the active branch, and with each event of the last one
}

// Choices are the user's choices for one conversation. The zero value follows the settings.
type Choices struct {
	// Model is the name of the model. If it is empty, the settings determine the model. Service is the
	// URL of its service, or "" for Gemini.
	Model   string `json:"model,omitempty"`
	Service string `json:"service,omitempty"`
	// Instructions are the user's instructions for this conversation.
	Instructions string `json:"instructions,omitempty"`
	// Profile is the name of the profile of servers. If it is empty, the profile in use applies.
	Profile string `json:"profile,omitempty"`
}

// encode returns the form of c in the database.
func (c Choices) encode() (string, error) {
	if c == (Choices{}) {
		return "", nil
	}
	body, err := json.Marshal(c)
	return string(body), err
}

// decodeChoices decodes choices. If they are unreadable, it returns the zero value, because they must
// not hide the conversation.
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

// Conversations lists the conversations that are not deleted. Pinned ones come first. Within each
// group, the last used one is first.
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

// nextUseSQL is the SQL expression for the order of use of a conversation that is used now.
const nextUseSQL = `(SELECT coalesce(max(used), 0) + 1 FROM conversation)`

// Create creates an empty conversation. If it cannot be written, or ctx ends first, the conversation is
// inserted together with its first data.
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
	if isTemporary(err) || err != nil && ctx.Err() != nil {
		s.pending.addConversation(c.ID, now)
		return c, nil
	}
	if err != nil {
		return Conversation{}, err
	}
	return c, nil
}

// Rename sets a title of at most 200 characters, which messages no longer change. If the title is
// empty, the next message sets it again.
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

// Pin keeps a conversation at the top of the list, or no longer does so.
func (s *Store) Pin(ctx context.Context, id string, pinned bool) error {
	return s.update(ctx, "pinning a conversation", id, func(tx *sql.Tx, seq int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET pinned = ? WHERE seq = ?`, pinned, seq)
		return err
	})
}

// SetDraft saves text that the user has written but not sent, and the attached files. If files is nil,
// the saved files stay. [ErrUnsentTooLarge] means that the text was saved, but the files of all conversations
// together are too large.
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

// SetReadingPosition saves the user's reading position. The caller defines the format of place.
func (s *Store) SetReadingPosition(ctx context.Context, id, place string) error {
	return s.update(ctx, "saving a reading position", id, func(tx *sql.Tx, seq int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET place = ? WHERE seq = ?`, place, seq)
		return err
	})
}

// SetChoices saves the user's choices for a conversation.
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

// update runs do for a conversation that is not deleted.
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
		INSERT INTO conversation (id, created, updated, used) VALUES (?1, ?2, ?2, `+nextUseSQL+`) ON CONFLICT (id) DO NOTHING`, id, now)
	return err
}

// findConversation returns the row of a conversation that is not deleted.
func findConversation(ctx context.Context, tx *sql.Tx, id string) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq FROM conversation WHERE id = ? AND deleted IS NULL`, id).Scan(&seq)
	return seq, notFound(err)
}

// notFound converts the error of a query without rows to ErrNotFound.
func notFound(err error) error {
	if err == sql.ErrNoRows {
		return ErrNotFound
	}
	return err
}
