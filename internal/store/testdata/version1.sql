-- A history of the first version, as goated 1 wrote it.
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

PRAGMA journal_mode = wal;
INSERT INTO conversation (id, title, preview, created, updated, pinned, draft)
VALUES ('01931a00-0000-7000-8000-000000000001', 'the tide', 'High at noon.', 1767322805000000000, 1767322806000000000, 1, 'and to');
INSERT INTO turn (id, conversation, started, ended, user)
VALUES ('01931a00-0000-7000-8000-000000000002', 1, 1767322805000000000, 1767322806000000000, '[{"text":"the tide"}]');
UPDATE conversation SET active = 1;
INSERT INTO event VALUES (1, 1, '{"type":"text","text":"High at noon."}');
INSERT INTO content VALUES (1, 0, '{"parts":[{"text":"the tide"}],"role":"user"}'), (1, 1, '{"parts":[{"text":"High at noon."}],"role":"model"}');
INSERT INTO said VALUES (1, 'THE TIDE
HIGH AT NOON.');
PRAGMA application_id = 1735352692;
PRAGMA user_version = 1;
