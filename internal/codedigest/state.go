package codedigest

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"time"

	"goated/internal/ctime"
)

// young is how old the last change of a file is at least before the next one surely has
// another time: some file systems count in steps of two seconds.
const young = 2 * time.Second

// A state identifies files by their names, sizes and times of change, which no program can
// set. Two equal states have the same contents, except on file systems that keep no such time, such
// as exFAT: there it is the time of modification, which a program can set. To compare states takes a
// tenth of the time that reading the files takes.
type state struct {
	hash    hash.Hash
	now     time.Time
	unknown bool // a file just changed, cannot be read, or has no such time
	only    bool // do not read the contents
}

// look looks at the files of a program and at their state; only at the state if only is set.
func look(p Program, only bool, now time.Time) *digest {
	d := newDigest()
	d.state = &state{hash: sha256.New(), now: now, only: only}
	d.add(p)
	fmt.Fprintln(d.state.hash, d.partial)
	return d
}

// add adds a file; a nil state does nothing.
func (s *state) add(name string, info fs.FileInfo, err error) {
	if s == nil {
		return
	}
	if err != nil || !info.Mode().IsRegular() {
		s.unknown = true
		return
	}
	changed := ctime.Of(info)
	s.unknown = s.unknown || changed == 0 || s.now.Sub(time.Unix(0, changed)) < young
	fmt.Fprintf(s.hash, "%q %d %d %d\n", name, info.Size(), info.ModTime().UnixNano(), changed)
}

// text returns the state of the files; empty if it does not identify their contents.
func (s *state) text() string {
	if s.unknown {
		return ""
	}
	return fmt.Sprintf("%x", s.hash.Sum(nil))
}

// size adds a file, and returns how many bytes it has.
func (s *state) size(name, path string) int64 {
	info, err := os.Stat(path)
	s.add(name, info, err)
	if err != nil {
		return 0
	}
	return info.Size()
}
