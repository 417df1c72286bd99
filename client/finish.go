package client

import (
	"bytes"
	"context"
	"io"
	"syscall"
)

// finish runs a command to its end, or that of ctx, and returns what it wrote to
// its stdout, and the last lines of its stderr. Nobody that it started is left
// then; nor is anybody if goated is killed meanwhile, where c has a keeper.
func finish(ctx context.Context, c invocation) (out string, said []string, end exit, err error) {
	var errs tail
	p, err := spawn(ctx, c, &errs)
	if err != nil && ctx.Err() != nil { // as if that had come a moment later
		return "", nil, exit{code: -1, signal: syscall.SIGKILL.String()}, nil
	}
	if err != nil {
		return "", nil, exit{}, err
	}
	_ = p.stdin.Close() // nobody types
	stop := context.AfterFunc(ctx, p.tree.kill)
	defer stop()
	var written bytes.Buffer
	read := make(chan struct{})
	go func() { // ends with stdout, which is closed below at the latest
		defer close(read)
		_, _ = io.Copy(&written, p.stdout)
	}()
	<-p.exited
	within(read, graceDrain)
	_ = p.stdout.Close()
	<-read
	return written.String(), errs.Log(), p.exit, nil
}
