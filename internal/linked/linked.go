// Package linked runs the servers of configuration files that stay linked: goated reads
// them at each start, follows their changes, and never writes them. Only servers whose
// exact command the user agreed to are started; a changed one waits for the user.
//
// It owns the comparison of files and running servers. It must not know how the user is
// asked; internal/linkcmd does.
package linked

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/launch"
	"goated/internal/transfer"
	"goated/ui/view"
)

// A Server is one server of a linked file.
type Server struct {
	Launch config.Launch // with the values of the file, which are not saved
	Mark   string        // of its exact command, address, variables and headers
	Agreed bool          // the user agreed to it
	File   string        // that has it
}

// All reads all linked files. An error is about some of them; the others' servers are returned.
func All(links []config.Link) (list []Server, err error) {
	for _, l := range links {
		some, wrong := Read(l)
		list, err = append(list, some...), errors.Join(err, wrong)
	}
	return list, err
}

// Called finds the server of a linked file by its name, in any case.
func Called(links []config.Link, name string) (Server, bool) {
	list, _ := All(links)
	i := slices.IndexFunc(list, func(s Server) bool { return strings.EqualFold(s.Launch.Called(), strings.TrimSpace(name)) })
	if i < 0 {
		return Server{}, false
	}
	return list[i], true
}

// Startable returns why a server does not start; nil if the user agreed to it.
func (s Server) Startable() error {
	if s.Agreed {
		return nil
	}
	return fmt.Errorf("%s in %s is new or has changed. To allow it, use: goated servers link %s", s.Launch.Called(), s.File, view.ShellWord(s.File))
}

// A FixedError is the error of a change that only the linked file can have.
type FixedError struct{ Server Server }

func (e *FixedError) Error() string {
	file, name := e.Server.File, e.Server.Launch.Called()
	return fmt.Sprintf("goated never writes %s, which has the server %s. Edit that file, or save the server with: goated servers import --file %s %s", file, name, view.ShellWord(file), view.ShellWord(name))
}

// Mark returns a fingerprint of everything that decides what a server runs and gets. It
// reveals no value.
func Mark(l config.Launch) string {
	text := fmt.Sprintf("%q %q %q %q %q", l.Path, l.Command, l.URL, l.Args, l.Dir)
	for _, list := range [][]config.Variable{l.Env, l.Headers} {
		kept := make([]string, len(list))
		for i, v := range list {
			kept[i] = v.Name + "=" + v.Value
		}
		slices.Sort(kept)
		text += fmt.Sprintf(" %q", kept)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// Read reads a linked file. Servers that are off in it are left out. An error is about
// the file, or about servers in it; the others are returned all the same.
func Read(link config.Link) (list []Server, err error) {
	found := transfer.Read(transfer.FileAt(link.Path), launch.Here(nil))
	err = found.Err
	for _, e := range found.Servers {
		if e.Err != nil {
			err = errors.Join(err, fmt.Errorf("%s in %s: %w", e.Name, link.Path, e.Err))
			continue
		}
		if l := e.Server.Asks(found.Inputs); len(l) > 0 {
			err = errors.Join(err, fmt.Errorf("%s in %s needs a value for %s: a linked file gets none. Import the server instead", e.Name, link.Path, l[0].ID))
			continue
		}
		l := transfer.Drafted(e.Server, nil, nil).Launch
		if l.Off {
			continue
		}
		for _, values := range [][]config.Variable{l.Env, l.Headers} {
			for i := range values {
				values[i].Ref = "" // the value stays in the file
			}
		}
		mark := Mark(l)
		list = append(list, Server{Launch: l, Mark: mark, Agreed: slices.Contains(link.Agreed, mark), File: link.Path})
	}
	return list, err
}

// A Follower follows the linked files of one host.
type Follower struct {
	Host     *client.Host
	Settings func() config.Settings // the current ones
	Tell     func(text string)      // tells the user; from any goroutine
	Given    []string               // marks of servers that --server starts
}

// settle is how long a file must be quiet: programs write one in several steps.
const settle = 300 * time.Millisecond

// Run follows the files until ctx ends. It returns an error if the system cannot watch
// files.
func (f Follower) Run(ctx context.Context) error {
	links := f.Settings().Linked
	if len(links) == 0 {
		return nil
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching linked files: %w", err)
	}
	defer w.Close()
	for _, l := range links {
		if err := w.Add(filepath.Dir(l.Path)); err != nil { // a program may replace the file
			f.Tell(fmt.Sprintf("goated cannot watch %s: %s", l.Path, err))
		}
	}
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return nil
			}
			if slices.ContainsFunc(links, func(l config.Link) bool { return l.Path == e.Name }) {
				quiet.Reset(settle)
			}
		case <-w.Errors: // lost events: the next one leads to a whole comparison
		case <-quiet.C:
			f.Compare(ctx)
		case <-ctx.Done():
			return nil
		}
	}
}

// Compare starts the servers that the files have and that do not run, ends those that
// they no longer have, and reports changed ones that wait for the user.
func (f Follower) Compare(ctx context.Context) {
	s := f.Settings()
	wanted := make(map[string]Server)
	ours := make(map[string]bool) // marks that any link agreed to
	for _, link := range s.Linked {
		for _, mark := range link.Agreed {
			ours[mark] = true
		}
		list, err := Read(link)
		if err != nil {
			f.Tell(err.Error())
			if len(list) == 0 {
				return // half a file ends no server
			}
		}
		for _, one := range list {
			if one.Agreed {
				wanted[one.Mark] = one
				continue
			}
			f.Tell(one.Startable().Error())
		}
	}
	for _, running := range f.Host.Snapshot().Servers {
		c, ok := f.Host.Config(running.ID)
		mark := Mark(consent.LaunchOf(c))
		if _, stays := wanted[mark]; stays {
			delete(wanted, mark) // it runs
		} else if ok && ours[mark] {
			f.Tell(running.Name + " is no longer in its file, and was disconnected.")
			_ = f.Host.Disconnect(ctx, running.ID)
		}
	}
	for _, mark := range f.Given {
		delete(wanted, mark)
	}
	for _, one := range wanted {
		if _, err := f.Host.Connect(ctx, consent.Remembered(s, consent.ConfigOf(one.Launch))); err != nil && ctx.Err() == nil {
			f.Tell(one.Launch.Called() + ": " + err.Error())
		}
	}
}
