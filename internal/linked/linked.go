// Package linked runs the servers of configuration files that stay linked: goated reads the files
// at each start, follows their changes, and never writes them. It starts only servers whose exact
// command the user agreed to. If a command changes, the server waits for the user.
//
// It owns the comparison of files and running servers. It must not know how the user is asked,
// which is the task of internal/linkcmd.
package linked

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/shellword"
	"goated/internal/transfer"
)

// A Server is one server of a linked file.
type Server struct {
	Launch config.Launch // with the values from the file, which goated does not save
	Mark   string        // the mark of its exact command, address, variables and headers
	Agreed bool          // the user agreed to it
	File   string        // the file that contains it
}

// All reads all linked files. If some cannot be read, it returns an error and the servers of the
// others.
func All(links []config.Link) (list []Server, err error) {
	for _, l := range links {
		some, wrong := Read(l)
		list, err = append(list, some...), errors.Join(err, wrong)
	}
	return list, err
}

// Called finds the server of a linked file by its name. It ignores case.
func Called(links []config.Link, name string) (Server, bool) {
	list, _ := All(links)
	i := slices.IndexFunc(list, func(s Server) bool { return strings.EqualFold(s.Launch.DisplayName(), strings.TrimSpace(name)) })
	if i < 0 {
		return Server{}, false
	}
	return list[i], true
}

// Startable returns the reason why a server does not start, or nil if the user agreed to it.
func (s Server) Startable() error {
	if s.Agreed {
		return nil
	}
	return fmt.Errorf("the server %s in %s is new or has changed. To allow it, use: goated servers link %s", s.Launch.DisplayName(), s.File, shellword.Quote(s.File))
}

// A FixedError is the error for a change that can only be made in the linked file.
type FixedError struct{ Server Server }

func (e *FixedError) Error() string {
	file, name := e.Server.File, e.Server.Launch.DisplayName()
	return fmt.Sprintf("goated never writes %s, which has the server %s. Edit that file, or save the server with: goated servers import --file %s %s", file, name, shellword.Quote(file), shellword.Quote(name))
}

// Mark returns a fingerprint of everything that determines what a server runs and receives. The
// fingerprint reveals no value.
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

// Agreed reports whether a linked file has a server with the exact command of l that the user
// agreed to. Such a server does not belong in the settings, because its file has it.
func Agreed(links []config.Link, l config.Launch) bool {
	mark := Mark(l)
	return slices.ContainsFunc(links, func(link config.Link) bool { return slices.Contains(link.Agreed, mark) })
}

// Read reads a linked file. It skips servers that are turned off there. An error can concern the
// file or single servers in it; Read returns the other servers anyway.
func Read(link config.Link) (list []Server, err error) {
	found := transfer.Read(transfer.FileAt(link.Path), launch.Here(nil))
	if err = found.Err; found.Empty {
		err = transfer.FaultOf(link.Path, transfer.ErrEmpty)
	}
	for _, e := range found.Servers {
		if e.Err != nil {
			err = errors.Join(err, fmt.Errorf("%s in %s: %w", e.Name, link.Path, e.Err))
			continue
		}
		if l := e.Server.Asks(found.Inputs); len(l) > 0 {
			err = errors.Join(err, fmt.Errorf("%s in %s needs a value for %s: goated can't store values for a linked file. Import the server instead", e.Name, link.Path, l[0].ID))
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
