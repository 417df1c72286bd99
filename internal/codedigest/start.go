package codedigest

import (
	"context"
	"slices"
	"strings"
	"time"
)

// codeLimit limits the search for the packages of a program that has started.
const codeLimit = 5 * time.Second

// A Start is a program whose code goated examines before and after it starts.
type Start struct {
	program Program
	files   Sum
	state   string // of the files; empty: only their contents show whether they changed
}

// Begin examines the files of a program that is about to start.
func Begin(p Program) *Start {
	d := look(p, false, time.Now())
	return &Start{p, d.sum(), d.state.text()}
}

// Code returns the digest of all code of the program, which has started by now. It is empty if
// there is no code on this computer. names has a line for each file, for [Changes], and is empty if
// there are too many files. unseen reports that code does not cover all code. changed reports that
// files have changed since Begin.
func (s *Start) Code(ctx context.Context) (code, names string, unseen, changed bool) {
	if s == nil {
		return "", "", true, false
	}
	ctx, cancel := context.WithTimeout(ctx, codeLimit)
	defer cancel()
	files, installed := s.files, Installed(ctx, s.program)
	if s.state == "" || look(s.program, true, time.Now()).state.text() != s.state {
		files = Files(s.program)
	}
	code = strings.TrimSpace(files.Text + " " + installed.Text)
	list := slices.Compact(slices.Sorted(strings.SplitSeq(files.names+"\n"+installed.names, "\n")))
	if !files.many && !installed.many && len(list) <= maxNames {
		names = strings.TrimSpace(strings.Join(list, "\n"))
	}
	return code, names, code == "" || files.Partial || installed.Partial, files.Text != s.files.Text
}

// Changes compares two lists of names and returns the files that differ. If a list is empty, the
// files are unknown, and all results are nil.
func Changes(was, now string) (added, changed, removed []string) {
	if was == "" || now == "" {
		return nil, nil, nil
	}
	before, after := byName(was), byName(now)
	for name, sum := range after {
		if old, ok := before[name]; !ok {
			added = append(added, name)
		} else if old != sum {
			changed = append(changed, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			removed = append(removed, name)
		}
	}
	slices.Sort(added)
	slices.Sort(changed)
	slices.Sort(removed)
	return added, changed, removed
}

// byName returns the digests of a list by file name. Files with the same name in several folders
// count as one file.
func byName(list string) map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(list) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		out[name] += sum
	}
	return out
}
