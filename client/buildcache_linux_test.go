package client

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A full disk costs the cache what it was to keep, and the build nothing: the
// request behind is answered.
func TestBuildCacheOnAFullDisk(t *testing.T) {
	t.Parallel()
	pipes, dir := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	c := buildCache{dir: dir, standard: func() map[string]bool { return nil }}
	if err := c.serve(pipes, func() { t.Error("it failed") }); err != nil {
		t.Fatal(err)
	}
	body := []byte("what was compiled")
	sum := sha256.Sum256(body)
	in := json.NewDecoder(c.answers)
	ask := func(id int64) (a cacheAnswer) {
		t.Helper()
		line, err := json.Marshal(cacheRequest{ID: id, Command: "put", ActionID: sum[:], OutputID: sum[:], BodySize: int64(len(body))})
		if err == nil {
			_, err = fmt.Fprintf(c.requests, "%s\n\n\"%s\"\n", line, base64.StdEncoding.EncodeToString(body))
		}
		if err == nil {
			err = in.Decode(&a)
		}
		if err != nil || a.ID != id {
			t.Fatalf("%+v: %v", a, err)
		}
		return a
	}
	var known cacheAnswer
	if err := in.Decode(&known); err != nil || len(known.KnownCommands) != 3 {
		t.Fatalf("%+v: %v", known, err)
	}
	if a := ask(1); a.Err == "" || a.DiskPath != "" {
		t.Errorf("without a folder: %+v", a)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if a := ask(2); a.Err != "" || a.Size != int64(len(body)) {
		t.Errorf("with a folder: %+v", a)
	}
	if err := c.close(); err != nil {
		t.Errorf("who closes it is told %v", err)
	}

	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	part := partFile{file: full}
	for range 2 {
		if n, err := part.Write(body); n != len(body) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if !errors.Is(part.err, syscall.ENOSPC) {
		t.Errorf("the disk was full: %v", part.err)
	}
}

// What comes before a body is little, whoever writes it.
func TestBuildCacheReadsNoEndlessOpening(t *testing.T) {
	t.Parallel()
	for before, ok := range map[string]bool{
		"": true, "\n": true, "\n \n": true, "x": false, "\t": false,
		strings.Repeat("\n", 8): true, strings.Repeat("\n", 9): false,
	} {
		if err := opened(bufio.NewReader(strings.NewReader(before + "\"rest"))); (err == nil) != ok {
			t.Errorf("%q: %v", before, err)
		}
	}
	if opened(bufio.NewReader(strings.NewReader("\n"))) == nil {
		t.Error("no body at all")
	}
}
