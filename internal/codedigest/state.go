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

// young is the minimum age of a file's last change. After this time, another change has a different
// time stamp, because some file systems only count in steps of two seconds.
const young = 2 * time.Second

// A state identifies files by their names, sizes and change times. A program cannot set the change
// time, so files with equal states have equal contents. File systems such as exFAT have no change
// time. There a state uses the modification time, which a program can set. Comparing states takes a
// tenth of the time of reading the files.
type state struct {
	hash    hash.Hash
	now     time.Time
	unknown bool // a file has just changed, cannot be read, or has no such time
	only    bool // do not read the contents
}

// look examines the files of a program and their state. If only is set, it examines only the state.
func look(p Program, only bool, now time.Time) *digest {
	d := newDigest()
	d.state = &state{hash: sha256.New(), now: now, only: only}
	d.add(p)
	fmt.Fprintln(d.state.hash, d.partial)
	return d
}

// add adds a file. It does nothing if s is nil.
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

// text returns the state as a string, or "" if it does not identify the contents of the files.
func (s *state) text() string {
	if s.unknown {
		return ""
	}
	return fmt.Sprintf("%x", s.hash.Sum(nil))
}

// size adds a file, and returns its size in bytes.
func (s *state) size(name, path string) int64 {
	info, err := os.Stat(path)
	s.add(name, info, err)
	if err != nil {
		return 0
	}
	return info.Size()
}
