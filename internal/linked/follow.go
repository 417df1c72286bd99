package linked

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
)

// A Follower follows the linked files of one host. Start and Run share a record of the servers that
// are starting. So a server that leaves its file during the first start does not count as failed.
type Follower struct {
	Host     *client.Host
	Settings func() (config.Settings, error) // returns the current settings; an error means that some are lost
	File     string                          // of the settings, which list the linked files
	Tell     func(text string)               // tells the user something; may be called on any goroutine

	starting starting
	former   map[string]client.Config // servers that left their files, by name; only loop uses it
}

// settle is how long a file must stay unchanged, because programs write a file in several steps.
const settle = 300 * time.Millisecond

// contents holds the servers in the linked files.
type contents struct {
	agreed map[string]Server // the servers that the user agreed to, by mark
	unsure map[string]bool   // marks of files that cannot be read
	told   []string          // messages to the user: servers that wait, and files that cannot be read
}

// read reads the linked files. If a file cannot be read, for example while it is being written, it
// keeps its previous servers.
func read(links []config.Link, before contents) contents {
	now := contents{agreed: make(map[string]Server), unsure: make(map[string]bool)}
	for _, link := range links {
		list, err := Read(link)
		if err != nil {
			now.told = append(now.told, err.Error())
		}
		if err != nil && len(list) == 0 {
			for _, mark := range link.Agreed {
				now.unsure[mark] = true
			}
			list = slices.Collect(maps.Values(before.agreed))
			list = slices.DeleteFunc(list, func(one Server) bool { return one.File != link.Path })
		}
		for _, one := range list {
			if one.Agreed {
				now.agreed[one.Mark] = one
			} else {
				now.told = append(now.told, one.Startable().Error())
			}
		}
	}
	return now
}

// Start starts the servers that the user agreed to and that do not run yet. It skips the servers
// with the marks in given, because --server starts those. It reports the servers that wait for the
// user.
func (f *Follower) Start(ctx context.Context, given []string) {
	s, _ := f.Settings() // the start of goated reports the error
	now := read(s.Linked, contents{})
	f.tell(now.told, nil)
	for _, mark := range given {
		delete(now.agreed, mark)
	}
	var starts sync.WaitGroup
	defer starts.Wait()
	f.connect(ctx, &starts, s, now.agreed)
}

// Run follows the files until ctx ends, including files that are linked in the meantime. It starts
// servers that are added to a file, and stops servers that are removed. It starts no other servers,
// because the user may have disconnected them. It returns an error if the system cannot watch
// files.
func (f *Follower) Run(ctx context.Context) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching linked files: %w", err)
	}
	defer w.Close()
	s, now := f.begin(w)
	f.loop(ctx, w, s, now)
	return nil
}

// begin watches the files and returns their contents, which [Follower.Start] has reported.
func (f *Follower) begin(w *fsnotify.Watcher) (config.Settings, contents) {
	_ = os.MkdirAll(filepath.Dir(f.File), 0o700) // the first change of a setting would create it
	_ = w.Add(filepath.Dir(f.File))              // if this fails, a new link counts only after the next start
	s, _ := f.Settings()
	unwatched := watch(w, s.Linked)
	f.tell(unwatched, nil)
	now := read(s.Linked, contents{})
	now.told = append(now.told, unwatched...)
	return s, now
}

// loop compares the files after each change, until ctx ends. It then waits for the starts that it
// began.
func (f *Follower) loop(ctx context.Context, w *fsnotify.Watcher, s config.Settings, now contents) {
	var starts sync.WaitGroup
	defer starts.Wait()
	f.former = make(map[string]client.Config)
	var quiet <-chan time.Time
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			if e.Name == f.File || slices.ContainsFunc(s.Linked, func(l config.Link) bool { return l.Path == e.Name }) {
				quiet = time.After(settle)
			}
		case _, ok := <-w.Errors: // events are lost
			if !ok {
				return
			}
			quiet = time.After(settle)
		case <-quiet:
			changed, err := f.Settings()
			if err != nil {
				continue // lost settings do not unlink files
			}
			s = changed
			now = f.follow(ctx, &starts, s, now, watch(w, s.Linked))
		case <-ctx.Done():
			return
		}
	}
}

// watch watches the folders of the linked files, not the files, because a program may replace a
// file. It returns a message for each folder that it cannot watch.
func watch(w *fsnotify.Watcher, links []config.Link) (failed []string) {
	for _, l := range links {
		dir := filepath.Dir(l.Path)
		if slices.Contains(w.WatchList(), dir) {
			continue
		}
		if err := w.Add(dir); err != nil {
			failed = append(failed, fmt.Sprintf("goated cannot watch %s: %s", l.Path, err))
		}
	}
	return failed
}

// follow applies a change of the files to the running servers, and returns the new contents.
func (f *Follower) follow(ctx context.Context, starts *sync.WaitGroup, s config.Settings, before contents, unwatched []string) contents {
	after := read(s.Linked, before)
	after.told = append(after.told, unwatched...)
	f.tell(after.told, before.told)
	ours := make(map[string]bool) // marks of servers that are or were in files
	for mark := range before.agreed {
		ours[mark] = true
	}
	for _, link := range s.Linked {
		for _, mark := range link.Agreed {
			ours[mark] = true
		}
	}
	left := func(mark string) bool {
		_, stays := after.agreed[mark]
		return ours[mark] && !stays && !after.unsure[mark]
	}
	f.starting.cancel(left)
	for mark, running := range f.running() {
		if left(mark) {
			f.Tell(running.Name + " is no longer in its file, and was disconnected.")
			if c, ok := f.Host.Config(running.ID); ok {
				f.former[c.Name] = c
			}
			_ = f.Host.Disconnect(ctx, running.ID)
		}
	}
	fresh := maps.Clone(after.agreed)
	maps.DeleteFunc(fresh, func(mark string, _ Server) bool { _, known := before.agreed[mark]; return known })
	f.connect(ctx, starts, s, fresh)
	return after
}

// tell tells the user the texts that are new.
func (f *Follower) tell(texts, before []string) {
	for _, text := range texts {
		if !slices.Contains(before, text) {
			f.Tell(text)
		}
	}
}

// running returns the host's servers by mark.
func (f *Follower) running() map[string]client.Server {
	all := make(map[string]client.Server)
	for _, one := range f.Host.Snapshot().Servers {
		if c, ok := f.Host.Config(one.ID); ok {
			all[Mark(consent.LaunchOf(c))] = one
		}
	}
	return all
}

// connect begins to start the servers that do not run.
func (f *Follower) connect(ctx context.Context, starts *sync.WaitGroup, s config.Settings, list map[string]Server) {
	running := f.running()
	for mark, one := range list {
		if _, runs := running[mark]; runs {
			continue
		}
		was, changed := f.former[one.Launch.Name]
		f.starting.begin(ctx, starts, mark, func(ctx context.Context) {
			c := consent.WithSavedPermissions(s, consent.ConfigOf(one.Launch))
			if changed && consent.LaunchOf(was).SameProgram(one.Launch) {
				client.KeepFolder(f.Host, was, c) // the user agreed to a change of the server
			}
			if _, err := client.ConnectSaved(ctx, f.Host, c); err != nil && ctx.Err() == nil {
				f.Tell(one.Launch.DisplayName() + ": " + err.Error())
			}
		})
	}
}
