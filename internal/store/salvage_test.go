package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/dbfile"
)

// A damagedHistory is a history that a test damages page by page.
type damagedHistory struct {
	path    string
	data    []byte
	whole   document
	kinds   map[string][]int // pages, by what they contain
	deleted string           // the id of a conversation
	affects map[int][]string // what a page contains: "turn ID", "body ID", "conversation ID"
}

const salvagedTurns = 1000

// newDamagedHistory creates a history with long and short turns, branches, deleted turns, and unsent
// files.
func newDamagedHistory(t *testing.T) *damagedHistory {
	t.Helper()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	doc := document{Format: format, Version: formatVersion}
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	id := func(kind, n int) string { return fmt.Sprintf("00000000-0000-7000-800%d-%012d", kind, n) }
	for i := range salvagedTurns {
		if i%50 == 0 {
			doc.Conversations = append(doc.Conversations, exported{ID: id(1, i), Title: fmt.Sprint("title ", i), Created: begun, Updated: begun, Draft: strings.Repeat("draft ", i%90)})
		}
		c := &doc.Conversations[len(doc.Conversations)-1]
		long := 0
		if i%25 == 0 {
			long = i % 1300
		}
		turn := Turn{ID: id(2, i), Started: begun, Ended: begun, User: []*genai.Part{{Text: fmt.Sprint("[{ question ", i, strings.Repeat(" long", long))}}}
		if n := len(c.Turns); n > 0 {
			turn.Parent = c.Turns[max(0, n-1-i%3)].ID
		}
		for k := range i % 4 {
			turn.Events = append(turn.Events, agent.TextDelta{Text: strings.Repeat(fmt.Sprint("answer ", i, k, " "), 1+k*long)}, agent.ThoughtDelta{Text: "thought"})
		}
		turn.Contents = []*genai.Content{genai.NewContentFromParts(turn.User, "user"), genai.NewContentFromText(fmt.Sprint("content ", i), "model")}
		e, err := exportTurn(turn)
		if err != nil {
			t.Fatal(err)
		}
		c.Turns, c.Active = append(c.Turns, e), e.ID
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := s.Import(ctx, bytes.NewReader(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	picture := genai.NewPartFromBytes(bytes.Repeat([]byte{7}, 9000), "image/png")
	for _, n := range []int{3, 4, 5} {
		if err := s.SetDraft(ctx, ids[n], "a draft with a file", &[]*genai.Part{picture}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(ctx, ids[7]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.base.db.sql.Exec(`DELETE FROM turn WHERE conversation = (SELECT seq FROM conversation WHERE id = ?) AND parent IS NOT NULL AND seq NOT IN (SELECT parent FROM turn WHERE parent IS NOT NULL)`, ids[9]); err != nil {
		t.Fatal(err) // this frees pages
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	h := &damagedHistory{path: path, deleted: ids[7], kinds: make(map[string][]int), affects: make(map[int][]string)}
	if h.data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	missing := 0
	if h.whole, missing = salvage(ctx, path); missing != 0 {
		t.Fatalf("%d parts of a good history are missing", missing)
	}
	h.locate(t)
	return h
}

// locate determines what each page contains.
func (h *damagedHistory) locate(t *testing.T) {
	t.Helper()
	db, err := sql.Open("sqlite", readOnly(h.path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT name || ' ' || pagetype, pageno FROM dbstat`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	known := make(map[int]bool)
	for rows.Next() {
		var kind string
		var page int
		if err := rows.Scan(&kind, &page); err != nil {
			t.Fatal(err)
		}
		h.kinds[kind], known[page] = append(h.kinds[kind], page), true
	}
	for page := 1; page <= len(h.data)/usualPage; page++ {
		if !known[page] {
			h.kinds["free"] = append(h.kinds["free"], page)
		}
	}
	file, err := dbfile.Open(h.path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	turns := make(map[int64]string)
	note := func(row dbfile.Row, what string) {
		for _, p := range row.Pages {
			h.affects[int(p)] = append(h.affects[int(p)], what)
		}
	}
	for row := range file.Rows() {
		if name, _ := row.Values[min(1, len(row.Values)-1)].(string); row.Table && strings.Contains(name, "-7000-8002-") {
			turns[row.ID] = name
			note(row, "turn "+name)
		} else if row.Table && strings.Contains(name, "-7000-8001-") {
			note(row, "conversation "+name)
		}
	}
	for row := range file.Rows() {
		if seq, ok := row.Values[0].(int64); ok && !row.Table && len(row.Values) == 3 {
			note(row, "body "+turns[seq])
		}
	}
}

const usualPage = 4096

// damaged returns the path of the history with one page overwritten.
func (h *damagedHistory) damaged(t *testing.T, page int, with []byte) string {
	t.Helper()
	data := bytes.Clone(h.data)
	copy(data[(page-1)*usualPage:page*usualPage], with)
	path := filepath.Join(t.TempDir(), "damaged.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each turn whose own pages are good comes back, whichever page is damaged: a page of any kind,
// overwritten with zeros or with garbage. GOATED_SALVAGE_ALL=1 damages every page instead of one of
// each kind.
func TestSalvageKeepsWhatIsOnGoodPages(t *testing.T) {
	h := newDamagedHistory(t)
	r := rand.New(rand.NewPCG(1, 2))
	pages := make(map[int]string)
	for _, kind := range slices.Sorted(maps.Keys(h.kinds)) {
		of := h.kinds[kind]
		tries := 1
		if strings.HasPrefix(kind, "search_") || strings.Contains(kind, "autoindex") || strings.HasPrefix(kind, "turn_") {
			tries = len(pages) % 2 // they contain nothing that is kept, so a few of them are enough
		}
		if os.Getenv("GOATED_SALVAGE_ALL") != "" {
			tries = len(of)
		}
		r.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		for _, page := range of[:min(tries, len(of))] {
			pages[page] = kind
		}
	}
	for _, kind := range []string{"turn internal", "turn leaf", "turn overflow", "event internal", "event leaf", "event overflow", "content leaf", "conversation leaf", "unsent leaf", "unsent overflow", "sqlite_schema leaf", "free"} {
		if len(h.kinds[kind]) == 0 {
			t.Errorf("the history has no page of the kind %q", kind)
		}
	}
	garbage := make([]byte, usualPage)
	for page, kind := range pages {
		for i := range garbage {
			garbage[i] = byte(r.Uint32())
		}
		for how, with := range map[string][]byte{"zeros": make([]byte, usualPage), "garbage": garbage} {
			if how == "zeros" && os.Getenv("GOATED_SALVAGE_ALL") == "" && (testing.Short() || page%3 > 0) {
				continue // garbage is worse
			}
			got, missing := salvage(t.Context(), h.damaged(t, page, with))
			for _, fault := range h.compare(page, got, missing) {
				t.Errorf("page %d (%s), %s: %s", page, kind, how, fault)
			}
		}
	}
}

// compare lists what is lost unnecessarily.
func (h *damagedHistory) compare(page int, got document, missing int) (faults []string) {
	lost := make(map[string]bool)
	for _, what := range h.affects[page] {
		lost[what] = true
	}
	fault := func(format string, args ...any) {
		if len(faults) < 5 {
			faults = append(faults, fmt.Sprintf(format, args...))
		}
	}
	conversations, turns := make(map[string]exported), make(map[string]exportedTurn)
	for _, c := range got.Conversations {
		conversations[c.ID] = c
		for _, e := range c.Turns {
			turns[e.ID] = e
		}
	}
	someLost := false
	for _, c := range h.whole.Conversations {
		if is, ok := conversations[c.ID]; !lost["conversation "+c.ID] && (!ok || is.Title != c.Title || is.Draft != c.Draft) {
			fault("the conversation %s is lost", c.Title)
		}
		for _, want := range c.Turns {
			is, ok := turns[want.ID]
			delete(turns, want.ID)
			if lost["turn "+want.ID] {
				someLost = someLost || !ok
				continue
			}
			if !ok || string(is.User) != string(want.User) {
				fault("the turn %s is lost", want.ID)
			}
			if lost["turn "+want.Parent] {
				is.Parent = want.Parent
			}
			a, _ := json.Marshal(is)
			b, _ := json.Marshal(want)
			if bytes.Equal(a, b) {
				continue
			}
			if someLost = true; !lost["body "+want.ID] {
				fault("the turn %s is not the same:\n%.300s\n%.300s", want.ID, a, b)
			}
		}
	}
	for id := range turns {
		if !lost["conversation "+h.deleted] { // its row records that its turns are deleted
			fault("the turn %s never was", id)
		}
	}
	if someLost && missing == 0 {
		fault("something is lost, and nothing is said to be missing")
	}
	return faults
}

// Unsent files come back, too. Deleted rows do not.
func TestSalvageKeepsUnsentFiles(t *testing.T) {
	h := newDamagedHistory(t)
	count := func(doc document) (files int) {
		for _, c := range doc.Conversations {
			if len(c.Unsent) > 0 && len(c.Unsent[0].InlineData.Data) == 9000 {
				files++
			}
		}
		return files
	}
	if n := count(h.whole); n != 3 || len(h.whole.Conversations) != salvagedTurns/50-1 {
		t.Fatalf("%d conversations have files, %d of %d are there", n, len(h.whole.Conversations), salvagedTurns/50)
	}
	got, _ := salvage(t.Context(), h.damaged(t, h.kinds["turn leaf"][0], nil))
	if n := count(got); n != 3 {
		t.Errorf("%d conversations have files", n)
	}
}

// If an inner page of the turns' table is lost, all conversations come back with all their turns, and
// nothing is reported as missing. The same is true without the first page, which contains the schema.
func TestOpenRestoresTurnsBelowALostPage(t *testing.T) {
	h := newDamagedHistory(t)
	for name, page := range map[string]int{"turns": h.kinds["turn internal"][0], "schema": 1} {
		t.Run(name, func(t *testing.T) {
			path := h.damaged(t, page, make([]byte, usualPage))
			markDamaged(path)
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if s.Warning() == nil || !strings.Contains(s.Warning().Error(), "could be read and are back") || strings.Contains(s.Warning().Error(), "missing") {
				t.Errorf("the warning is %v", s.Warning())
			}
			turns := 0
			if err := s.base.db.sql.QueryRow(`SELECT count(*) FROM turn`).Scan(&turns); err != nil || turns != turnsOf(h.whole) {
				t.Errorf("%d turns, want %d; %v", turns, turnsOf(h.whole), err)
			}
			list, err := s.Conversations(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			files := 0
			for _, c := range list {
				if c.Unsent {
					files++
				}
			}
			if files != 3 {
				t.Errorf("%d conversations have unsent files", files)
			}
		})
	}
}

func turnsOf(doc document) (n int) {
	for _, c := range doc.Conversations {
		n += len(c.Turns)
	}
	return n
}
