package client

import (
	"context"
	"errors"
	"strings"

	"goated/client/internal/environ"
	"goated/internal/gobuild"
)

// compile builds the Go source that l runs with "go run", and returns the program
// and how to run it. path is the search path on which goTool was found.
func (s *server) compile(ctx context.Context, goTool, path string, l Launch) (string, Launch, error) {
	folder, err := s.host.folders.Of(s.config.folder())
	if err != nil {
		return "", l, err
	}
	program, err := gobuild.Build(ctx, gobuild.Request{
		Go: goTool, Dir: l.Dir, Source: l.Args[1], Folder: folder, // the arguments are "run", "./x.go", the server's own
		Env:    environ.WithPath(environ.Inherited(s.host.o.Env, "go", s.config.Env), s.host.programs.Inherited(), path),
		Keeper: s.host.o.Process.Keeper, Policy: s.policy,
	})
	var failed *gobuild.CompileError
	switch {
	case errors.As(err, &failed):
		s.keepEvidence(strings.Join(failed.Output, "\n"), nil, 0)
		return "", l, &Error{Kind: ErrStart, Subject: s.config.subject(), Err: err, Stderr: failed.Output}
	case err != nil:
		return "", l, err
	}
	return program, Launch{Args: l.Args[2:], Dir: l.Dir}, nil
}
