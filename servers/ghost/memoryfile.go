package ghost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"goated/internal/paths"
)

// lockWait is how long a call waits for another process that holds the file.
const lockWait = 10 * time.Second

// facts is the content of the memory file. Values stay raw, so that a value of any type that the
// user wrote by hand survives.
type facts map[string]json.RawMessage

// withLock calls f while no other process reads or writes the memory. The lock is a separate file,
// because a write replaces the memory file.
func (m *memory) withLock(ctx context.Context, f func(*os.Root) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()

	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
		return fmt.Errorf("creating the directory of %s: %w", m.name(), paths.WithoutPath(err))
	}
	root, err := os.OpenRoot(filepath.Dir(m.path))
	if err != nil {
		return fmt.Errorf("opening the directory of %s: %w", m.name(), paths.WithoutPath(err))
	}
	defer root.Close()
	for _, name := range []string{m.name(), m.name() + ".lock"} {
		// The working directory may be a hostile project. A link must not redirect the write, and a
		// pipe must not block it.
		if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file; move it away to use the memory", name)
		}
	}

	lock := flock.New(m.path+".lock", flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, m.wait)
	defer cancel()
	err = acquire(ctx, lock)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s is in use by another program, try again later", m.name())
	}
	if err != nil {
		return fmt.Errorf("locking %s: %w", m.name(), paths.WithoutPath(err))
	}
	defer lock.Close()
	return f(root)
}

// acquire waits for the lock. The pause between attempts grows. An attempt takes longer than a
// write, so 64 processes that try every 5 ms would do nothing else.
func acquire(ctx context.Context, lock *flock.Flock) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 64*time.Millisecond) {
		if got, err := lock.TryLock(); got || err != nil {
			return err
		}
		select {
		case <-time.After(pause/2 + rand.N(pause)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// load reads the memory and creates it if it is missing. It renames a damaged file, and replaces a
// damaged or empty file with the backup. Both cases return an error to inform the caller. Without a
// backup, the next load starts with an empty memory.
func (m *memory) load(root *os.Root) (facts, error) {
	data, err := m.readFile(root, m.name())
	if errors.Is(err, fs.ErrNotExist) {
		fresh := facts{}
		return fresh, m.save(root, fresh)
	}
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		before, spare := m.backup(root)
		if !spare { // created by touch; there is nothing to lose
			return facts{}, nil
		}
		if err := m.save(root, before); err != nil {
			return nil, fmt.Errorf("%s is empty, probably after a crash. Restoring its backup failed: %w", m.name(), err)
		}
		return nil, fmt.Errorf("%s was empty, probably after a crash. This call neither read nor changed anything. "+
			"%[1]s now has the content of its backup, which may lack the last change. Repeat the call", m.name())
	}
	if found, ok := parse(data); ok {
		return found, nil
	}
	before, spare := m.backup(root)
	kept, err := m.renameDamaged(root)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: it is not a JSON object. Renaming it failed: %w", m.name(), paths.WithoutPath(err))
	}
	if spare && m.save(root, before) == nil {
		return nil, fmt.Errorf("%s was damaged: it was not a JSON object. This call neither read nor changed anything. The damaged file is now %s. "+
			"%[1]s now has the content of its backup, which may lack the last change. Repeat the call", m.name(), kept)
	}
	return nil, fmt.Errorf("%s was damaged: it was not a JSON object. This call neither read nor changed anything. The damaged file is now %s. "+
		"Repair that file and rename it to %[1]s, or repeat the call to start with an empty memory", m.name(), kept)
}

func parse(data []byte) (found facts, ok bool) {
	err := json.Unmarshal(data, &found)
	return found, err == nil && found != nil
}

// backup returns the memory before its last change. ok is false if there is no backup.
func (m *memory) backup(root *os.Root) (before facts, ok bool) {
	if info, err := root.Lstat(m.backupName()); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	data, err := m.readFile(root, m.backupName())
	if err != nil {
		return nil, false
	}
	return parse(data)
}

func (m *memory) backupName() string { return m.name() + ".bak" }

func (m *memory) readFile(root *os.Root, name string) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // see readDir
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, paths.WithoutPath(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxMemory+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, paths.WithoutPath(err))
	}
	if len(data) > maxMemory {
		return nil, fmt.Errorf("%s is larger than the limit of %d bytes; it was left as it is", name, maxMemory)
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil // Windows editors add the byte order mark
}

// save writes all facts, sorted by key.
func (m *memory) save(root *os.Root, all facts) error {
	data, err := encode(all)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", m.name(), err)
	}
	if len(data) > maxMemory {
		return fmt.Errorf("the memory is full: %s would be larger than the limit of %d bytes", m.name(), maxMemory)
	}
	perm := fs.FileMode(0o600) // the file contains facts about a person
	if info, err := root.Lstat(m.name()); err == nil {
		perm = info.Mode().Perm()
	}
	// Only the owner of the lock uses this file. An existing one comes from a process that was
	// killed.
	tmp := "." + m.name() + ".tmp"
	_ = root.Remove(tmp)
	if err := m.backUp(root, perm); err != nil {
		return fmt.Errorf("keeping %s as it was: %w", m.name(), paths.WithoutPath(err))
	}
	if err := replaceBy(root, tmp, m.name(), data, perm); err != nil {
		return fmt.Errorf("writing %s: %w", m.name(), paths.WithoutPath(err))
	}
	return nil
}

// backUp makes the current file the backup. It creates a hard link, which writes no data, because a
// change of the memory replaces the file. An empty file never becomes the backup.
func (m *memory) backUp(root *os.Root, perm fs.FileMode) error {
	info, err := root.Lstat(m.name())
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	tmp := "." + m.backupName() + ".tmp" // the same name as in save
	_ = root.Remove(tmp)
	if err := m.link(root, m.name(), tmp); err != nil { // for example FAT has no hard links
		data, err := m.readFile(root, m.name())
		if err == nil {
			err = writeTemp(root, tmp, data, perm)
		}
		if err != nil {
			return err
		}
	}
	err = root.Rename(tmp, m.backupName())
	_ = root.Remove(tmp) // if both are the same file, as after a save that failed, Rename leaves both
	return err
}

// renameDamaged renames the file to an unused name. The caller holds the lock, so no other process can
// take that name.
func (m *memory) renameDamaged(root *os.Root) (kept string, err error) {
	base := m.name() + ".corrupt-" + m.now().UTC().Format("20060102T150405Z")
	kept = base
	for n := 2; ; n++ {
		_, err := root.Lstat(kept)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return "", err
		}
		kept = fmt.Sprintf("%s-%d", base, n)
	}
	if err := root.Rename(m.name(), kept); err != nil {
		return "", err
	}
	return kept, syncDir(root)
}
