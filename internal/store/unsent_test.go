package store

import (
	"bytes"
	"database/sql"
	"errors"
	"testing"

	"google.golang.org/genai"
)

// Unsent files survive a restart, and are deleted with their conversation. Their size is limited across
// all conversations. Files that exceed the limit do not affect those of another conversation.
func TestUnsentFilesAreKept(t *testing.T) {
	path := t.TempDir() + "/history.db"
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { s.Close() }()
	var ids [3]string
	for i := range ids {
		c, err := s.Create(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = c.ID
	}
	const room = 2 << 20
	err = s.base.commit(t.Context(), "filling", func(tx *sql.Tx) error { // zeros cost less than encoded files
		_, err := tx.Exec(`INSERT INTO unsent (conversation, parts) SELECT seq, hex(zeroblob(?)) FROM conversation WHERE id = ?`, (maxUnsent-room)/2, ids[2])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	large := genai.NewPartFromBytes(bytes.Repeat([]byte{7}, room/2), "image/png") // encoded in Base64, it takes two thirds of the room
	large.InlineData.DisplayName = "large.png"
	small := genai.NewPartFromText("Attached file \"a.txt\":\n```\na\n```")
	if err := s.SetDraft(t.Context(), ids[0], "", &[]*genai.Part{large, small}); err != nil {
		t.Fatal(err)
	}
	if err := s.SetDraft(t.Context(), ids[1], "", &[]*genai.Part{large}); !errors.Is(err, ErrUnsentTooLarge) {
		t.Errorf("the second large file leads to %v", err)
	}
	if err := s.SetDraft(t.Context(), ids[1], "", &[]*genai.Part{small}); err != nil {
		t.Error(err)
	}
	if err := s.SetDraft(t.Context(), ids[0], "", &[]*genai.Part{large}); err != nil { // it replaces the files of the same conversation
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	all, err := s.Conversations(t.Context())
	if err != nil || len(all) != 3 || !all[0].Unsent || !all[1].Unsent || !all[2].Unsent {
		t.Fatalf("%+v, %v", all, err)
	}
	thread, err := s.Thread(t.Context(), ids[0])
	files := thread.Unsent
	if err != nil || len(files) != 1 || files[0].InlineData.DisplayName != "large.png" || !bytes.Equal(files[0].InlineData.Data, large.InlineData.Data) {
		t.Errorf("%d files, %v", len(files), err)
	}
	if err := s.SetDraft(t.Context(), ids[0], "", new([]*genai.Part)); err != nil {
		t.Fatal(err)
	}
	if thread, err := s.Thread(t.Context(), ids[0]); err != nil || thread.Conversation.Unsent {
		t.Errorf("%+v, %v", thread.Conversation, err)
	}
	if err := errors.Join(s.Delete(t.Context(), ids[1]), s.Delete(t.Context(), ids[2]), s.Purge(t.Context(), s.base.clock().AddDate(1, 0, 0))); err != nil {
		t.Fatal(err)
	}
	left := 0
	err = s.base.read(t.Context(), "counting", func(tx *sql.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM unsent`).Scan(&left)
	})
	if err != nil || left != 0 {
		t.Errorf("a purged conversation has %d files, %v", left, err)
	}
}

// An export contains the files of an unsent message, and an import restores them.
func TestUnsentFilesAreExported(t *testing.T) {
	open := func() *Store {
		s, err := Open(t.Context(), t.TempDir()+"/history.db")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	from, to := open(), open()
	c, err := from.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	picture := genai.NewPartFromBytes([]byte{7, 8}, "image/png")
	if err := from.SetDraft(t.Context(), c.ID, "look at this", &[]*genai.Part{picture}); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := from.ExportJSON(t.Context(), &file, c.ID); err != nil {
		t.Fatal(err)
	}
	ids, err := to.Import(t.Context(), &file, nil)
	if err != nil {
		t.Fatal(err)
	}
	thread, err := to.Thread(t.Context(), ids[0])
	if err != nil || thread.Conversation.Draft != "look at this" || len(thread.Unsent) != 1 || !bytes.Equal(thread.Unsent[0].InlineData.Data, picture.InlineData.Data) {
		t.Errorf("%q with %d files, %v", thread.Conversation.Draft, len(thread.Unsent), err)
	}
}
