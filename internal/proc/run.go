package proc

import (
	"bytes"
	"context"
	"io"
	"syscall"

	"goated/internal/sandbox"
)

// Run runs a command until it exits or ctx ends, and returns its stdout and the
// last lines of its stderr. Its stdin is empty. When Run returns, the command
// has no descendants left; with a keeper, that also holds if this process is
// killed during Run. If ctx ends, Exit says that the process was killed.
func Run(ctx context.Context, c Command) (stdout string, stderr []string, end Exit, err error) {
	var log LogRing
	p, err := Start(ctx, c, &log)
	if err != nil && ctx.Err() != nil { // the same result as a kill just after the start
		return "", nil, Exit{Code: -1, Signal: syscall.SIGKILL.String()}, nil
	}
	if err != nil {
		return "", nil, Exit{}, err
	}
	_ = p.Stdin.Close()
	stop := context.AfterFunc(ctx, p.tree.kill)
	defer stop()
	var written bytes.Buffer
	read := make(chan struct{})
	go func() { // ends when stdout is closed below, at the latest
		defer close(read)
		_, _ = io.Copy(&written, p.Stdout)
	}()
	<-p.done
	// The pipe ends with its last writer, and all are gone. On a busy machine reading the rest takes
	// a while: closing earlier loses it.
	within(read, 20*GraceDrain)
	_ = p.Stdout.Close()
	<-read
	return written.String(), log.All(), p.exit, nil
}

// Refusals starts a command, writes first to its stdin, and returns what its sandbox refuses to
// it until it exits or ctx ends. Its stdin stays open, and what it writes is dropped. First
// must fit into the buffer of a pipe, because the command may not read it.
func Refusals(ctx context.Context, c Command, first []byte) []sandbox.Permission {
	p, err := Start(ctx, c, new(LogRing))
	if err != nil {
		return nil // the first start has told why
	}
	drained := make(chan struct{})
	go func() { // ends when stdout is closed below
		defer close(drained)
		_, _ = io.Copy(io.Discard, p.Stdout)
	}()
	_, _ = p.Stdin.Write(first) // it may have exited
	select {
	case <-p.Done():
	case <-ctx.Done():
	}
	p.Stop()
	_ = p.Stdout.Close()
	<-drained
	return p.Refused()
}
