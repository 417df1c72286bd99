// Package state keeps small things, such as settings, as JSON files that a
// person can read, and that survive crashes, other processes, and hands.
package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A File holds one JSON object: the exported members of a struct. It may be used
// from many goroutines and processes at once. Beside it are Path.bak, which is
// how it was before the last change, and Path.lock.
type File struct{ Path string }

// Load reads the file into the struct that v points to. No file is no error, and
// leaves v as it is.
//
// A file that is damaged is kept as Path.corrupt-TIME, and what was there before
// the last change takes its place; if that is damaged too, v stays as it is. The
// warning tells a person so. It is also given where nothing can be written, so that
// the file stays where it is, and what is in the backup counts.
func (f File) Load(v any) (warning, err error) {
	data, err := os.ReadFile(f.Path)
	damage := err
	switch {
	case err == nil:
		damage = parse(data, v)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err // which names the file
	case f.unrestored() == "":
		damage = nil
	}
	if damage == nil {
		return nil, nil
	}
	return f.mend(v, damage), nil
}

// Save writes the struct v, or what v points to. Members of the file that the
// struct does not have, as those of a newer goated, stay. When it returns nil,
// the file outlasts a crash; on an error it is as it was. A damaged file is not
// written over: Load sets it aside.
func (f File) Save(v any) error {
	if err := f.save(v); err != nil {
		return fmt.Errorf("saving %s: %w", f.Path, err)
	}
	return nil
}

func (f File) save(v any) error {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return err
	}
	unlock, err := f.lock()
	if err != nil {
		return err
	}
	defer unlock()
	members := make(map[string]json.RawMessage)
	before, err := os.ReadFile(f.Path)
	if err == nil {
		if err := errors.Join(parse(before, &members), parse(before, reflect.New(structOf(v)).Interface())); err != nil {
			return fmt.Errorf("what is there can't be read, and is not to be lost: %w", err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range memberNames(v) { // one that has its default is left out
		delete(members, name)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &members); err != nil { // adds to what is there
		return err
	}
	if data, err = json.MarshalIndent(members, "", "  "); err != nil {
		return err
	}
	data = append(data, '\n')
	if before != nil && string(before) != string(data) {
		if err := WriteFile(f.Path+".bak", before); err != nil {
			return err
		}
	}
	return WriteFile(f.Path, data)
}

// parse reads an object. What it does not fill of v is left alone, even when it
// fails half way.
func parse(data []byte, v any) error {
	into := reflect.New(reflect.TypeOf(v).Elem())
	into.Elem().Set(reflect.ValueOf(v).Elem())
	if err := json.Unmarshal(data, into.Interface()); err != nil {
		return err
	}
	reflect.ValueOf(v).Elem().Set(into.Elem())
	return nil
}

// memberNames are those that a struct is written with.
func memberNames(v any) (names []string) {
	for f := range structOf(v).Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		names = append(names, name)
	}
	return names
}

func structOf(v any) reflect.Type {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// lockTime is the longest wait for another process that writes the same file. A
// write takes milliseconds.
const lockTime = 5 * time.Second

// lock keeps other writers out until unlock is called.
func (f File) lock() (unlock func(), err error) {
	l := flock.New(f.Path+".lock", flock.SetPermissions(0o600))
	for deadline := time.Now().Add(lockTime); ; time.Sleep(5 * time.Millisecond) {
		got, err := l.TryLock()
		switch {
		case err != nil:
			return nil, err
		case got:
			return func() { _ = l.Close() }, nil
		case time.Now().After(deadline):
			return nil, fmt.Errorf("another process has held %s.lock for %v", f.Path, lockTime)
		}
	}
}
