package proc

import (
	"bytes"
	"context"
	"io"
	"syscall"

	"goated/internal/sandbox"
)

// Run runs a command until it exits or ctx ends. It returns the command's stdout and the last lines
// of its stderr. The command's stdin is empty. When Run returns, no descendant of the command is
// left. With a keeper, that holds even if this process is killed during Run. If ctx ends first, the
// Exit is that of a killed process.
func Run(ctx context.Context, c Command) (stdout string, stderr []string, end Exit, err error) {
	var log LogRing
	p, err := Start(ctx, c, &log)
	if err != nil && ctx.Err() != nil { // the same result as if it were killed just after the start
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
	// The pipe ends with its last writer, and all writers have exited. Reading the rest can take a
	// while on a busy machine, and closing earlier would lose it.
	within(read, 20*GraceDrain)
	_ = p.Stdout.Close()
	<-read
	return written.String(), log.All(), p.exit, nil
}

// Refusals starts a command, writes first to its stdin, and returns the permissions that its
// sandbox refuses until it exits or ctx ends. The stdin stays open, and the command's stdout is
// dropped. first must fit into a pipe's buffer, because the command may not read it.
func Refusals(ctx context.Context, c Command, first []byte) []sandbox.Permission {
	p, err := Start(ctx, c, new(LogRing))
	if err != nil {
		return nil // the first start has reported why
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
