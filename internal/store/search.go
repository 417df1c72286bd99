package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/genai"

	"goated/internal/store/match"
)

// A Hit is one result of a search.
type Hit struct {
	Conversation string    // id
	Title        string    // of the conversation
	When         time.Time // start of the turn, or time of the conversation's last message
	Turn         string    // id, or "" if the title matched
	Snippet      string    // text around the first match, on one line
	Matches      [][2]int  // the start and end of each word in Snippet, in bytes
}

// Search finds the conversations whose titles contain all words of query, and the turns on all branches
// whose text does. It matches parts of words, too, and ignores case. Titles come first, followed by
// turns, the newest first. query is plain text without operators. A limit of 0 means 50.
func (s *Store) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	words := strings.Fields(match.Fold(query))
	if len(words) == 0 {
		return nil, nil
	}
	if limit <= 0 {
		limit = 50
	}
	var hits []Hit
	err := s.base.read(ctx, "searching", func(tx *sql.Tx) (err error) {
		if hits, err = searchTitles(ctx, tx, words, limit); err != nil || len(hits) == limit {
			return err
		}
		turns, err := searchTurns(ctx, tx, words, limit-len(hits))
		hits = append(hits, turns...)
		return err
	})
	return hits, err
}

// searchTitles reads all titles, because there are few.
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
		if containsAll(match.Fold(h.Title), words) {
			h.Snippet, h.Matches = match.Snippet(h.Title, words)
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
	events, err := readEvents(ctx, tx, turns)
	if err != nil {
		return nil, err
	}
	for i := range hits {
		var parts []*genai.Part
		if err := json.Unmarshal([]byte(users[i]), &parts); err != nil {
			return nil, err
		}
		hits[i].Snippet, hits[i].Matches = match.Snippet(transcript(parts, events[turns[i]]), words)
	}
	return hits, nil
}

// condition returns the query for words. The index finds only words of three or more characters.
// Shorter words need a scan of the texts.
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
