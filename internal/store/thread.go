package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"google.golang.org/genai"

	"goated/agent"
)

// A Thread is a conversation with its active branch.
type Thread struct {
	Conversation Conversation
	Turns        []Turn        // from the first to the active one
	Unsent       []*genai.Part // files that the user has attached but not sent
}

// A Turn is a message of the user and everything that resulted from it.
type Turn struct {
	ID       string
	Parent   string           // the parent's id, or "" for a first turn
	User     []*genai.Part    // the message
	Events   []agent.Event    // consecutive pieces of text are joined
	Contents []*genai.Content // the contents that the turn added to the model's history
	Started  time.Time
	Ended    time.Time // zero if the turn is running or was interrupted
	Error    string    // the error that ended the turn, or ""

	Siblings   []string // ids of all turns with the same parent, the oldest first
	Index      int      // the index of this turn in Siblings
	Duplicates []int    // for each sibling, the index of the first one with the same message
}

// Thread reads a conversation with everything that was recorded on its active branch.
func (s *Store) Thread(ctx context.Context, id string) (Thread, error) {
	s.pending.flush()
	var t Thread
	err := s.base.read(ctx, "reading a conversation", func(tx *sql.Tx) (err error) {
		t.Conversation, err = scanConversation(tx.QueryRowContext(ctx, selectConversation+` AND c.id = ?`, id).Scan)
		if err != nil {
			return notFound(err)
		}
		seq, err := findConversation(ctx, tx, id)
		if err != nil {
			return err
		}
		if t.Unsent, err = readUnsent(ctx, tx, seq); err != nil {
			return err
		}
		nodes, err := tree(ctx, tx, seq)
		if err != nil {
			return err
		}
		b := branchTo(nodes, t.Conversation.Active)
		if t.Turns, err = readTurns(ctx, tx, b.path); err != nil {
			return err
		}
		duplicates, err := duplicates(ctx, tx, b.siblings)
		if err != nil {
			return err
		}
		for i, n := range b.path {
			t.Turns[i].Duplicates = duplicates[n.parent]
			t.Turns[i].Siblings = b.siblings[n.parent]
			t.Turns[i].Index = slices.Index(b.siblings[n.parent], n.id)
		}
		return nil
	})
	return t, err
}
