// Package state saves small data, such as settings, as JSON files that people can read and edit.
//
// It owns the file protocol: a lock against other processes, a backup, an atomic and durable
// replacement, and the quarantine of damaged files. It must not know the contents of a file.
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

// A File holds one JSON object: the exported fields of a struct. Goroutines and processes may use
// it at the same time. Two files are beside it: Path.bak with the contents before the last change,
// and Path.lock.
type File struct{ Path string }

// Same reports whether two results of os.Stat belong to the same unchanged file. Nil means a
// missing file.
func Same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// Load reads the file into the struct that v points to. A missing file is not an error and does not
// change v.
//
// If the file is damaged, Load renames it to Path.corrupt-TIME and restores the backup. If only
// some members have a wrong type, it keeps the others instead. If the backup is damaged too, v does
// not change. If Load cannot write, the file stays, and Load reads the backup. In all these cases
// it returns a warning for the user.
func (f File) Load(v any) (warning, err error) {
	data, err := os.ReadFile(f.Path)
	damage := err
	switch {
	case err == nil:
		damage = parse(data, v)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err // names the file already
	case f.unrestored() == "":
		damage = nil
	}
	if damage == nil {
		return nil, nil
	}
	return f.recover(v, damage), nil
}

// Save writes the struct v, or the struct that v points to. It keeps members of the file that the
// struct lacks, for example those of a newer version. After Save returns nil, the file survives a
// crash. After an error it is unchanged. Save does not overwrite a damaged file, because Load
// renames it first.
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
			return fmt.Errorf("the present contents can't be read, and are not overwritten: %w", err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range memberNames(v) { // Marshal omits default values
		delete(members, name)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &members); err != nil { // keeps the other members
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

// Exclusive runs change while no other Exclusive of the file runs, in this process or another. Use
// it to load a file, change it and save it: change may call Load and Save.
func (f File) Exclusive(change func() error) error {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return fmt.Errorf("changing %s: %w", f.Path, err)
	}
	unlock, err := File{f.Path + ".change"}.lock()
	if err != nil {
		return fmt.Errorf("changing %s: %w", f.Path, err)
	}
	defer unlock()
	return change()
}

// parse decodes an object into v. If it fails, v does not change.
func parse(data []byte, v any) error {
	into := reflect.New(reflect.TypeOf(v).Elem())
	into.Elem().Set(reflect.ValueOf(v).Elem())
	if err := json.Unmarshal(data, into.Interface()); err != nil {
		return err
	}
	reflect.ValueOf(v).Elem().Set(into.Elem())
	return nil
}

// memberNames returns the JSON names of a struct's fields, including those of embedded structs.
func memberNames(v any) (names []string) { return namesOf(structOf(v)) }

func namesOf(t reflect.Type) (names []string) {
	for f := range t.Fields() {
		if f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag.Get("json") == "" {
			names = append(names, namesOf(f.Type)...)
			continue
		}
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

// lockTime is how long lock waits for another process that holds the lock but writes nothing. A
// write takes milliseconds.
const lockTime = 5 * time.Second

// lock excludes other writers until the caller calls unlock. It keeps waiting as long as others
// write, because with many writers it may take a while to get the lock.
func (f File) lock() (unlock func(), err error) {
	l := flock.New(f.Path+".lock", flock.SetPermissions(0o600))
	seen, _ := os.Stat(f.Path)
	for deadline := time.Now().Add(lockTime); ; time.Sleep(5 * time.Millisecond) {
		got, err := l.TryLock()
		if now, _ := os.Stat(f.Path); now != nil && (!os.SameFile(seen, now) || !now.ModTime().Equal(seen.ModTime())) {
			seen, deadline = now, time.Now().Add(lockTime)
		}
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
