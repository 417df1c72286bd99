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
}

// Begin looks at the files of a program that is about to start.
func Begin(p Program) *Start { return &Start{p, Files(p)} }

// Code returns the digest of all code of the program, which has started; empty if there is no
// code on this computer. unseen reports that it does not cover all code, and changed that
// the files changed since Begin.
func (s *Start) Code(ctx context.Context) (code string, unseen, changed bool) {
	if s == nil {
		return "", true, false
	}
	ctx, cancel := context.WithTimeout(ctx, codeLimit)
	defer cancel()
	files, installed := Files(s.program), Installed(ctx, s.program)
	code = strings.TrimSpace(files.Text + " " + installed.Text)
	return code, code == "" || files.Partial || installed.Partial, files.Text != s.files.Text
}
