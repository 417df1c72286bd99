package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"google.golang.org/genai"

	"goated/internal/attachedfile"
)

// Begin adds a turn after parent and makes it the active one. If parent is empty, it is a first turn.
// If parent already has turns, the new turn is another branch. The first message sets the title.
// Without a message, the turn continues from the previous message, as [goated/agent.Session.Send] does.
//
// If the error is [ErrPending], Begin also returns a Recorder: the turn waits in memory. That also
// happens if ctx ends before the database of [Start] is open. A turn is saved even if its ctx has
// ended.
func (s *Store) Begin(ctx context.Context, conversation, parent string, message []*genai.Part) (*Recorder, error) {
	return begin(ctx, s, conversation, parent, message, false)
}

// BeginNext is like Begin, for a message that continues the conversation. If the active turn is not
// parent, it adds nothing and returns [ErrContinuedElsewhere]: another process has continued the conversation, and
// the turn would hide what that process added. A turn that waits in memory is added in any case.
func (s *Store) BeginNext(ctx context.Context, conversation, parent string, message []*genai.Part) (*Recorder, error) {
	return begin(ctx, s, conversation, parent, message, true)
}

// begin implements Begin, and BeginNext if next is true.
func begin(ctx context.Context, s *Store, conversation, parent string, message []*genai.Part, next bool) (*Recorder, error) {
	user, err := encodeParts(message)
	if err != nil {
		return nil, fmt.Errorf("beginning a turn: %w", err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("beginning a turn: %w", err)
	}
	r := &Recorder{
		ID: id.String(), Title: titleOf(message),
		base: s.base, pending: s.pending, conversation: conversation, after: s.pending.find(parent),
	}
	began := s.base.clock()
	r.draft = draft{parent: parent, user: user, started: began}
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-s.base.opened: // from here on, ctx no longer matters
	case <-ctx.Done():
		r.locked = s.base.notReadyError()
	}
	var title string // not r.Title, which the caller may read while the step runs again
	insert := r.insert(context.WithoutCancel(ctx), began.UnixNano(), &title)
	err = r.write(ctx, "beginning a turn", func(tx *sql.Tx, last *row) error {
		if next {
			if err := checkParentActive(ctx, tx, conversation, parent); err != nil {
				return err
			}
		}
		return insert(tx, last)
	})
	next = false // later attempts must not drop the message
	switch {
	case err == nil:
		r.Title = title
	case !errors.Is(err, ErrPending):
		return nil, err
	}
	if !s.pending.add(r) {
		r.finish() // the store is closed
	}
	return r, err
}

// checkParentActive returns [ErrContinuedElsewhere] if the active turn of a saved conversation is not parent.
func checkParentActive(ctx context.Context, tx *sql.Tx, conversation, parent string) error {
	var active string
	err := tx.QueryRowContext(context.WithoutCancel(ctx), `
		SELECT coalesce(t.id, '') FROM conversation c LEFT JOIN turn t ON t.seq = c.active
		WHERE c.id = ? AND c.deleted IS NULL`, conversation).Scan(&active)
	if err == nil && active != parent {
		return ErrContinuedElsewhere
	}
	if err == sql.ErrNoRows {
		return nil // it waits in memory, or insert reports that it is gone
	}
	return err
}

// insert returns the step that inserts the turn. The step may run again after a commit that may have
// failed. It sets title to the conversation's title.
func (r *Recorder) insert(ctx context.Context, now int64, title *string) step {
	return func(tx *sql.Tx, _ *row) error {
		seq, err := r.pending.conversation(ctx, tx, r.conversation)
		if err != nil {
			return err
		}
		var parent any
		if r.draft.parent != "" {
			if parent, err = findTurn(ctx, tx, seq, r.draft.parent); err != nil {
				return err
			}
		}
		err = tx.QueryRow(`
			INSERT INTO turn (id, conversation, parent, started, user) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET started = excluded.started RETURNING seq`,
			r.ID, seq, parent, now, r.draft.user).Scan(&r.turn)
		if err != nil {
			return err
		}
		err = tx.QueryRow(`
			UPDATE conversation SET active = ?1, updated = ?2, used = `+nextUseSQL+`,
				title = iif(renamed OR ?3 = '' OR title <> '' AND ?4 IS NOT NULL AND NOT `+isGreetingSQL+`, title, ?3)
			WHERE seq = ?5 RETURNING title`, r.turn, now, r.Title, parent, seq).Scan(title)
		if err != nil {
			return err
		}
		return indexTurn(ctx, tx, r.turn)
	}
}

// isGreetingSQL is an SQL condition for a title that is only a greeting, so that the next message makes a
// better one.
const isGreetingSQL = `(lower(trim(title, ' !.,?')) IN ('hi', 'hello', 'hey', 'yo', 'hi there', 'hello there', 'hey there',
	'good morning', 'good afternoon', 'good evening', 'hallo', 'moin', 'hola', 'bonjour', 'salut', 'ciao', '你好', 'こんにちは'))`

func encodeParts(parts []*genai.Part) (string, error) {
	if len(parts) == 0 {
		return "[]", nil
	}
	for i, p := range parts {
		if p == nil {
			return "", fmt.Errorf("part %d is empty", i+1)
		}
	}
	data, err := json.Marshal(parts)
	return string(data), err
}

// titleOf returns the first line of a message that contains words, shortened between words. All text
// parts but the last one are attached files. They provide the title only if nothing else does.
func titleOf(message []*genai.Part) string {
	for i, p := range slices.Backward(message) {
		if p != nil && p.Text != "" && !attachedfile.Is(p.Text) && i > 0 {
			if title := titleOf(message[i:]); title != "" {
				return title
			}
		}
	}
	for line := range strings.Lines(textOf(message)) {
		if line = OneLine(line); line != "" {
			return shorten(line, 60)
		}
	}
	return ""
}

// shorten returns a line of at most n characters. If text is omitted, the last character is an
// ellipsis. It cuts between words unless that loses half of the line.
func shorten(line string, n int) string {
	runes := []rune(line)
	if len(runes) <= n {
		return line
	}
	end := n - 1
	for i := end; i > n/2; i-- {
		if unicode.IsSpace(runes[i]) {
			end = i
			break
		}
	}
	return strings.TrimRightFunc(string(runes[:end]), unicode.IsSpace) + "…"
}
