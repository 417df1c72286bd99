package client

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lock has the folder for one build at a time, until free is called: another
// goated may build the same server, and would sweep what this one is about to use.
// The lock lies beside the folder, where no build can hold it.
func (c *buildCache) lock(ctx context.Context) (free func(), err error) {
	l := flock.New(c.dir+".lock", flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("locking the compiler's cache: %w", err)
	}
	return func() { _ = l.Close() }, nil // the file stays: who waits has it open
}

// get looks for what an action made, here and then in the user's cache.
func (c *buildCache) get(action string) cacheAnswer {
	if len(action) != 2*sha256.Size {
		return cacheAnswer{Miss: true}
	}
	entry := filepath.Join(c.dir, action+"-a")
	if text, err := os.ReadFile(entry); err == nil {
		if a := c.found(action, string(text)); !a.Miss {
			return a
		}
	}
	standard := c.standard()
	text, err := os.ReadFile(filepath.Join(c.users, action[:2], action+"-a"))
	fields := strings.Fields(string(text)) // "v1 ACTION OUTPUT SIZE TIME"
	if err != nil || len(fields) != 5 || len(fields[2]) != 2*sha256.Size {
		return cacheAnswer{Miss: true}
	}
	output := fields[2]
	file := filepath.Join(c.users, output[:2], output+"-d")
	if !standard[file] {
		return cacheAnswer{Miss: true}
	}
	// The build cannot write what it reads here, whatever its other names are.
	here := filepath.Join(c.dir, output+"-d")
	if err := os.Link(file, here); err != nil && !errors.Is(err, fs.ErrExist) {
		if copied(file, here) != nil {
			return cacheAnswer{Miss: true}
		}
	}
	if os.WriteFile(entry, []byte(output), 0o600) != nil {
		return cacheAnswer{Miss: true}
	}
	return c.found(action, output)
}

// found answers with an output that is here.
func (c *buildCache) found(action, output string) cacheAnswer {
	var id []byte
	_, err := fmt.Sscanf(output, "%x", &id)
	file := filepath.Join(c.dir, output+"-d")
	info, serr := os.Lstat(file)
	if err != nil || serr != nil || !info.Mode().IsRegular() {
		return cacheAnswer{Miss: true}
	}
	c.used[action+"-a"], c.used[output+"-d"] = true, true
	return cacheAnswer{OutputID: id, Size: info.Size(), DiskPath: file}
}

// put keeps what the build compiled, which follows its request as a string of
// base64. What the disk does not take is read all the same: the next request is
// behind it, and go gets by without a cache.
func (c *buildCache) put(r cacheRequest, in *bufio.Reader) (cacheAnswer, error) {
	if len(r.ActionID) != sha256.Size || len(r.OutputID) != sha256.Size || r.BodySize < 0 || r.BodySize > largestOutput {
		return cacheAnswer{}, errors.New("no request to keep something")
	}
	var part partFile
	if part.file, part.err = os.CreateTemp(c.dir, "part-"); part.err == nil {
		defer func() {
			_ = part.file.Close()
			_ = os.Remove(part.file.Name()) // gone by then, where all went well
		}()
	}
	if r.BodySize > 0 {
		sum := sha256.New()
		if err := opened(in); err != nil {
			return cacheAnswer{}, err
		}
		body := base64.NewDecoder(base64.StdEncoding, io.LimitReader(in, (r.BodySize+2)/3*4))
		if n, err := io.Copy(io.MultiWriter(&part, sum), body); err != nil || n != r.BodySize {
			return cacheAnswer{}, fmt.Errorf("%d bytes of %d: %w", n, r.BodySize, cmp.Or(err, io.ErrUnexpectedEOF))
		}
		if end, err := in.ReadByte(); err != nil {
			return cacheAnswer{}, err
		} else if end != '"' || !bytes.Equal(sum.Sum(nil), r.OutputID) {
			return cacheAnswer{}, errors.New("what was to be kept is something else")
		}
	}
	action, output := fmt.Sprintf("%x", r.ActionID), fmt.Sprintf("%x", r.OutputID)
	err := part.err
	if err == nil {
		err = os.Rename(part.file.Name(), filepath.Join(c.dir, output+"-d"))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(c.dir, action+"-a"), []byte(output), 0o600)
	}
	if err != nil {
		return cacheAnswer{Err: err.Error()}, nil
	}
	return c.found(action, output), nil
}

// opened reads up to the quote that a body begins with. Before it go has an empty
// line, and who else writes no more than that either.
func opened(in *bufio.Reader) error {
	for range 8 + 1 {
		switch b, err := in.ReadByte(); {
		case err != nil:
			return err
		case b == '"':
			return nil
		case b != '\n' && b != ' ':
			return fmt.Errorf("%q where a body was to begin", b)
		}
	}
	return errors.New("no body after a request to keep one")
}

// A partFile is written until the disk takes no more, and takes the rest itself.
type partFile struct {
	file *os.File
	err  error // why it is not whole
}

func (p *partFile) Write(data []byte) (int, error) {
	if p.err == nil {
		_, p.err = p.file.Write(data)
	}
	return len(data), nil
}

func copied(from, to string) error {
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to+"-part", data, 0o600)
	}
	if err == nil {
		err = os.Rename(to+"-part", to)
	}
	return err
}
