package client

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

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
// base64.
func (c *buildCache) put(r cacheRequest, in *bufio.Reader) (cacheAnswer, error) {
	if len(r.ActionID) != sha256.Size || len(r.OutputID) != sha256.Size || r.BodySize < 0 || r.BodySize > largestOutput {
		return cacheAnswer{}, errors.New("no request to keep something")
	}
	part, err := os.CreateTemp(c.dir, "part-")
	if err != nil {
		return cacheAnswer{}, err
	}
	defer func() {
		_ = part.Close()
		_ = os.Remove(part.Name()) // gone by then, where all went well
	}()
	if r.BodySize > 0 {
		sum := sha256.New()
		if _, err := in.ReadBytes('"'); err != nil {
			return cacheAnswer{}, err
		}
		body := base64.NewDecoder(base64.StdEncoding, io.LimitReader(in, (r.BodySize+2)/3*4))
		if n, err := io.Copy(io.MultiWriter(part, sum), body); err != nil || n != r.BodySize {
			return cacheAnswer{}, fmt.Errorf("%d bytes of %d: %w", n, r.BodySize, err)
		}
		if end, err := in.ReadByte(); err != nil || end != '"' || !bytes.Equal(sum.Sum(nil), r.OutputID) {
			return cacheAnswer{}, errors.New("what was to be kept is something else")
		}
	}
	action, output := fmt.Sprintf("%x", r.ActionID), fmt.Sprintf("%x", r.OutputID)
	err = os.Rename(part.Name(), filepath.Join(c.dir, output+"-d"))
	if err == nil {
		err = os.WriteFile(filepath.Join(c.dir, action+"-a"), []byte(output), 0o600)
	}
	if err != nil {
		return cacheAnswer{Err: err.Error()}, nil
	}
	return c.found(action, output), nil
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
