package dbfile_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"goated/internal/dbfile"
)

// Rows returns the same rows as SQLite, for each page size, with and without a log.
func TestRowsAreThoseOfSQLite(t *testing.T) {
	for _, size := range []int{512, 1024, 4096, 65536} {
		for _, logged := range []bool{false, true} {
			t.Run(fmt.Sprint(size, logged), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "a b.db")
				db, err := sql.Open("sqlite", path)
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				db.SetMaxOpenConns(1)
				do := func(query string, args ...any) {
					t.Helper()
					if _, err := db.Exec(query, args...); err != nil {
						t.Fatal(err)
					}
				}
				do(fmt.Sprintf(`PRAGMA page_size = %d`, size))
				do(`PRAGMA journal_mode = wal`)
				do(`PRAGMA synchronous = off`)
				do(`CREATE TABLE a (id INTEGER PRIMARY KEY, x, y, z)`)
				do(`CREATE TABLE b (p INTEGER, q INTEGER, r TEXT, PRIMARY KEY (p, q)) WITHOUT ROWID`)
				do(`BEGIN`)
				for i := range 300 {
					if i%100 == 50 {
						do(`COMMIT`)
						do(`BEGIN`)
					}
					long := strings.Repeat(fmt.Sprint(i, " "), i*i%7000)
					do(`INSERT INTO a VALUES (?, ?, ?, ?)`, int64(i)-150, []any{nil, int64(i), 0.5 * float64(i), "ü" + fmt.Sprint(i), []byte{0, byte(i)}}[i%5], math.MaxInt64>>(i%64)*int64(1-2*(i%2)), long)
					do(`INSERT INTO b VALUES (?, ?, ?)`, i/10, i%10, long)
				}
				do(`COMMIT`)
				do(`ALTER TABLE a ADD COLUMN late TEXT NOT NULL DEFAULT ''`)
				want := make(map[string]bool)
				for _, query := range []string{`SELECT id, x, y, z FROM a`, `SELECT 0, p, q, r FROM b`} {
					rows, err := db.Query(query)
					if err != nil {
						t.Fatal(err)
					}
					for rows.Next() {
						v := make([]any, 4)
						if err := rows.Scan(&v[0], &v[1], &v[2], &v[3]); err != nil {
							t.Fatal(err)
						}
						want[fmt.Sprintf("%#v", v)] = true
					}
					if err := rows.Close(); err != nil {
						t.Fatal(err)
					}
				}
				if logged { // the files as a killed process leaves them
					other := filepath.Join(t.TempDir(), "other.db")
					for _, suffix := range []string{"", "-wal"} {
						data, err := os.ReadFile(path + suffix)
						if err != nil {
							t.Fatal(err)
						}
						if suffix != "" { // an incompletely written frame
							data = append(data, data[len(data)-size-24:len(data)-10]...)
						}
						if err := os.WriteFile(other+suffix, data, 0o600); err != nil {
							t.Fatal(err)
						}
					}
					path = other
				} else if err := db.Close(); err != nil {
					t.Fatal(err)
				}
				f, err := dbfile.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				got := make(map[string]bool)
				for row, err := range f.Rows() {
					if err != nil {
						t.Errorf("a row of page %d: %v", row.Pages[0], err)
					}
					v := row.Values
					if !row.Table {
						v = append([]any{int64(0)}, v...)
					} else if len(v) == 4 && v[0] == nil {
						v = append([]any{row.ID}, v[1:]...)
					}
					if len(v) == 4 {
						got[fmt.Sprintf("%#v", v)] = true
					}
				}
				for v := range want {
					if !got[v] {
						t.Errorf("it lacks %.200s", v)
					}
				}
				if len(got) != len(want) {
					t.Errorf("%d rows, want %d", len(got), len(want))
				}
			})
		}
	}
}

// No file makes Rows panic or loop forever.
func FuzzRows(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		f.Fatal(err)
	}
	_, err = db.Exec(`PRAGMA page_size = 512; CREATE TABLE a (x); INSERT INTO a VALUES (1), (NULL), ('long ' || hex(zeroblob(2000))); CREATE INDEX i ON a (x)`)
	if err != nil {
		f.Fatal(err)
	}
	if err := db.Close(); err != nil {
		f.Fatal(err)
	}
	seed, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed, []byte{})
	f.Add(bytes.Repeat([]byte{0x0d, 0, 0, 0xff, 0xff}, 1000), []byte{})
	f.Add(slices.Concat(make([]byte, 100), []byte{2, 0, 0, 0, 9}), []byte{0x37, 0x7f, 6, 0x82})
	f.Fuzz(func(t *testing.T, main, log []byte) {
		path := filepath.Join(t.TempDir(), "f.db")
		if err := os.WriteFile(path, main, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+"-wal", log, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := dbfile.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for row := range file.Rows() {
			if len(row.Pages) == 0 {
				t.Error("a row without a page")
			}
		}
	})
}
