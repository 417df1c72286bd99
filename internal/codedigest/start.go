package codedigest

import (
	"context"
	"strings"
	"time"
)

// codeLimit bounds the search for the packages of a program that has started.
const codeLimit = 5 * time.Second

// A Start is a program whose code is looked at before and after its start.
type Start struct {
	program Program
	files   Sum
	state   string // of the files; empty: only their contents say whether they changed
}

// Begin looks at the files of a program that is about to start.
func Begin(p Program) *Start {
	d := look(p, false, time.Now())
	return &Start{p, d.sum(), d.state.text()}
}

// Code returns the digest of all code of the program, which has started; empty if there is no
// code on this computer. unseen reports that it does not cover all code, and changed that
// the files changed since Begin.
func (s *Start) Code(ctx context.Context) (code string, unseen, changed bool) {
	if s == nil {
		return "", true, false
	}
	ctx, cancel := context.WithTimeout(ctx, codeLimit)
	defer cancel()
	files, installed := s.files, Installed(ctx, s.program)
	if s.state == "" || look(s.program, true, time.Now()).state.text() != s.state {
		files = Files(s.program)
	}
	code = strings.TrimSpace(files.Text + " " + installed.Text)
	return code, code == "" || files.Partial || installed.Partial, files.Text != s.files.Text
}
