package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"google.golang.org/genai"
)

// maxUnsent limits the total size of the files of all unsent messages, as stored.
const maxUnsent = 160 << 20

// setUnsent replaces the files of an unsent message. They have a separate table, because each change of
// a conversation's row would otherwise write them again.
func setUnsent(ctx context.Context, tx *sql.Tx, seq int64, files []*genai.Part) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM unsent WHERE conversation = ?`, seq); err != nil || len(files) == 0 {
		return err
	}
	body, err := encodeParts(files)
	if err != nil {
		return err
	}
	size := 0
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(octet_length(parts)), 0) FROM unsent`).Scan(&size); err != nil {
		return err
	}
	if size+len(body) > maxUnsent {
		return ErrUnsentTooLarge
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO unsent (conversation, parts) VALUES (?, ?)`, seq, body)
	return err
}

// readUnsent reads the files of an unsent message. It returns nil if there are none.
func readUnsent(ctx context.Context, tx *sql.Tx, seq int64) (files []*genai.Part, err error) {
	var body []byte
	err = tx.QueryRowContext(ctx, `SELECT parts FROM unsent WHERE conversation = ?`, seq).Scan(&body)
	if err == sql.ErrNoRows {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(body, &files)
	}
	return files, err
}
