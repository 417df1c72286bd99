package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/genai"
)

// A Hit is a place where a search has found something.
type Hit struct {
	Conversation string    // id
	Title        string    // of the conversation
	When         time.Time // the turn began, or the conversation's last message
	Turn         string    // id; empty: the title itself was found
	Snippet      string    // the text around the first match, in one line
	Matches      [][2]int  // where the words are in Snippet: first byte and end
}

// Search finds the turns, of all branches, in which all words of query are, as
// words or parts of words, no matter their case; and the conversations in whose
// titles they are, which come first. The newest turns come before older ones.
// Any query is a plain text: it has no operators. A limit of 0 means 50.
func (s *Store) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	words := strings.Fields(fold(query))
	if len(words) == 0 {
		return nil, nil
	}
	if limit <= 0 {
		limit = 50
	}
	var hits []Hit
	err := s.read(ctx, "searching", func(tx *sql.Tx) (err error) {
		if hits, err = searchTitles(ctx, tx, words, limit); err != nil || len(hits) == limit {
			return err
		}
		turns, err := searchTurns(ctx, tx, words, limit-len(hits))
		hits = append(hits, turns...)
		return err
	})
	return hits, err
}

// searchTitles looks at all titles: they are few.
func searchTitles(ctx context.Context, tx *sql.Tx, words []string, limit int) ([]Hit, error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, title, updated FROM conversation WHERE deleted IS NULL AND title <> '' ORDER BY used DESC, seq DESC`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var hits []Hit
	for len(hits) < limit && rows.Next() {
		var h Hit
		var updated int64
		if err := rows.Scan(&h.Conversation, &h.Title, &updated); err != nil {
			return nil, err
		}
		h.When = time.Unix(0, updated)
		if containsAll(fold(h.Title), words) {
			h.Snippet, h.Matches = snippet(h.Title, words)
			hits = append(hits, h)
		}
	}
	return hits, rows.Err()
}

func searchTurns(ctx context.Context, tx *sql.Tx, words []string, limit int) ([]Hit, error) {
	query, args := condition(words)
	rows, err := tx.QueryContext(ctx, query, append(args, limit)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var hits []Hit
	var turns []int64
	var users []string
	for rows.Next() {
		var h Hit
		var turn int64
		var started int64
		var user string
		if err := rows.Scan(&h.Conversation, &h.Title, &h.Turn, &turn, &started, &user); err != nil {
			return nil, err
		}
		h.When = time.Unix(0, started)
		hits, turns, users = append(hits, h), append(turns, turn), append(users, user)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	events, err := eventsOf(ctx, tx, turns)
	if err != nil {
		return nil, err
	}
	for i := range hits {
		var parts []*genai.Part
		if err := json.Unmarshal([]byte(users[i]), &parts); err != nil {
			return nil, err
		}
		hits[i].Snippet, hits[i].Matches = snippet(transcript(parts, events[turns[i]]), words)
	}
	return hits, nil
}

// condition is the query for words. The index knows of three characters and
// more; for shorter words the texts themselves are looked at.
func condition(words []string) (query string, args []any) {
	var long []string
	var short []any
	where := ""
	for _, w := range words {
		if utf8.RuneCountInString(w) >= 3 {
			long = append(long, `"`+strings.ReplaceAll(w, `"`, `""`)+`"`)
			continue
		}
		where += ` AND instr(s.text, ?)`
		short = append(short, w)
	}
	from := `said s`
	if len(long) > 0 {
		from = `search f CROSS JOIN said s ON s.turn = f.rowid`
		where = ` AND f.text MATCH ?` + where
		args = append(args, strings.Join(long, " AND "))
	}
	order := `s.turn`
	if len(long) > 0 {
		order = `f.rowid`
	}
	return `SELECT c.id, c.title, t.id, t.seq, t.started, t.user FROM ` + from + `
		CROSS JOIN turn t ON t.seq = s.turn CROSS JOIN conversation c ON c.seq = t.conversation
		WHERE c.deleted IS NULL AND t.deleted IS NULL` + where + ` ORDER BY ` + order + ` DESC LIMIT ?`, append(args, short...)
}

func containsAll(folded string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(folded, w) {
			return false
		}
	}
	return true
}
