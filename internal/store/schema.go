package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// application is the application id of goated's databases: "goat".
const application = 0x676f6174

// schema1 is the first version. seq values are never reused, because a recorder may outlive its turn.
// Messages are stored as they were encoded. The table said contains the text index, which is derived
// from them.
const schema1 = `
CREATE TABLE conversation (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	id      TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 36),
	title   TEXT NOT NULL DEFAULT '' CHECK (length(title) <= 200),
	renamed INTEGER NOT NULL DEFAULT 0,
	preview TEXT NOT NULL DEFAULT '' CHECK (length(preview) <= 500),
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL,
	pinned  INTEGER NOT NULL DEFAULT 0,
	draft   TEXT NOT NULL DEFAULT '',
	active  INTEGER REFERENCES turn (seq) ON DELETE SET NULL,
	deleted INTEGER
) STRICT;
CREATE INDEX conversation_updated ON conversation (updated);
CREATE INDEX conversation_active ON conversation (active);

CREATE TABLE turn (
	seq          INTEGER PRIMARY KEY AUTOINCREMENT,
	id           TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 36),
	conversation INTEGER NOT NULL REFERENCES conversation (seq) ON DELETE CASCADE,
	parent       INTEGER REFERENCES turn (seq),
	started      INTEGER NOT NULL,
	ended        INTEGER,
	error        TEXT NOT NULL DEFAULT '',
	stale        INTEGER NOT NULL DEFAULT 0, -- said is older than the events
	user         TEXT NOT NULL
) STRICT;
CREATE INDEX turn_tree ON turn (conversation, seq, parent, id);
CREATE INDEX turn_parent ON turn (parent);
CREATE INDEX turn_stale ON turn (stale) WHERE stale;

CREATE TABLE event (
	turn INTEGER NOT NULL REFERENCES turn (seq) ON DELETE CASCADE,
	n    INTEGER NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY (turn, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE content (
	turn INTEGER NOT NULL REFERENCES turn (seq) ON DELETE CASCADE,
	n    INTEGER NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY (turn, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE said (
	turn INTEGER PRIMARY KEY REFERENCES turn (seq) ON DELETE CASCADE,
	text TEXT NOT NULL -- of the user and the model, folded
) STRICT;
CREATE VIRTUAL TABLE search USING fts5 (
	text, content = 'said', content_rowid = 'turn', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER said_insert AFTER INSERT ON said BEGIN
	INSERT INTO search (rowid, text) VALUES (new.turn, new.text);
END;
CREATE TRIGGER said_delete AFTER DELETE ON said BEGIN
	INSERT INTO search (search, rowid, text) VALUES ('delete', old.turn, old.text);
END;
CREATE TRIGGER said_update AFTER UPDATE ON said BEGIN
	INSERT INTO search (search, rowid, text) VALUES ('delete', old.turn, old.text);
	INSERT INTO search (rowid, text) VALUES (new.turn, new.text);
END;
`

// schema2 keeps deleted turns until they are purged, and saves the user's reading position.
const schema2 = `
ALTER TABLE turn ADD COLUMN deleted INTEGER; -- the same for all that went at once
CREATE INDEX turn_deleted ON turn (deleted) WHERE deleted IS NOT NULL;
DROP INDEX turn_tree;
CREATE INDEX turn_tree ON turn (conversation, seq, parent, id, deleted);
ALTER TABLE conversation ADD COLUMN place TEXT NOT NULL DEFAULT '';
`

// schema3 orders conversations by a counter instead of the time, and dates deletions with a clock that
// cannot jump.
const schema3 = `
ALTER TABLE conversation ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
UPDATE conversation SET used = n
FROM (SELECT seq AS same, row_number() OVER (ORDER BY updated, seq) AS n FROM conversation) WHERE seq = same;
DROP INDEX conversation_updated;
CREATE INDEX conversation_used ON conversation (used);
CREATE TABLE clock (wall INTEGER NOT NULL, seen INTEGER NOT NULL) STRICT; -- one row
`

// schema4 stores the user's choices for a conversation, as JSON. It also adds events that record a
// switch to another model, and a summary of earlier messages.
const schema4 = `ALTER TABLE conversation ADD COLUMN choices TEXT NOT NULL DEFAULT '';`

// schema5 stores the files of unsent messages, in the same format as the user's parts of a turn.
const schema5 = `
CREATE TABLE unsent (
	conversation INTEGER PRIMARY KEY REFERENCES conversation (seq) ON DELETE CASCADE,
	parts        TEXT NOT NULL
) STRICT;
`

// migrations returns the steps from each version to the next. Add steps, and never edit a step that was
// released. A new kind of event also needs a new version, with an empty step, because older versions of
// goated could not read the conversation.
func migrations() []string { return []string{schema1, schema2, schema3, schema4, schema5} }

var (
	errForeign = errors.New("it is not a database of goated")
	errFolder  = errors.New("it is a folder: move it to another place")
	errDamaged = errors.New("it is damaged")
)

// migrate migrates the tables to the present version. The caller commits all steps together.
func migrate(ctx context.Context, tx *sql.Tx) error {
	var app, version, tables int
	err := errors.Join(
		tx.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&app),
		tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version),
		tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables),
	)
	switch {
	case err != nil:
		return err
	case app == 0 && version == 0 && tables == 0: // new
	case app != application || version < 1:
		return errForeign
	case version > len(migrations()):
		return fmt.Errorf("%w (version %d)", ErrNewer, version)
	case version == len(migrations()):
		return nil
	}
	for _, step := range migrations()[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, application, len(migrations())))
	return err
}
