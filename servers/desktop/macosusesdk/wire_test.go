package macosusesdk_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/servers/desktop/macosusesdk"
)

// TestWire compares names, numbers and types with testdata/wire.txt, which lists those of
// the clients and servers that exist (seed 002). A difference breaks each of them.
func TestWire(t *testing.T) {
	want, err := os.ReadFile("testdata/wire.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := wire(macosusesdk.File_macosusesdk_v1_macos_use_proto)
	has, is := make(map[string]bool), make(map[string]bool)
	for _, l := range got {
		is[l] = true
	}
	for l := range strings.Lines(string(want)) {
		l = strings.TrimSuffix(l, "\n")
		has[l] = true
		if !is[l] {
			t.Errorf("missing: %s", l)
		}
	}
	for _, l := range got {
		if !has[l] {
			t.Errorf("not in testdata/wire.txt: %s", l)
		}
	}
	if len(got) < 700 {
		t.Errorf("read %d lines: this is not the whole protocol", len(got))
	}
}

// wire lists everything in a file and in the files of the same protocol that it imports
// that the bytes of a message and the path of a call depend on, and the names in JSON.
func wire(root protoreflect.FileDescriptor) []string {
	var lines []string
	enum := func(e protoreflect.EnumDescriptor) {
		for i := range e.Values().Len() {
			v := e.Values().Get(i)
			lines = append(lines, fmt.Sprintf("%s %s = %d", e.FullName(), v.Name(), v.Number()))
		}
	}
	var message func(protoreflect.MessageDescriptor)
	message = func(m protoreflect.MessageDescriptor) {
		lines = append(lines, string(m.FullName()))
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			kind := f.Kind().String()
			switch {
			case f.Message() != nil:
				kind = string(f.Message().FullName())
			case f.Enum() != nil:
				kind = string(f.Enum().FullName())
			}
			if o := f.ContainingOneof(); o != nil {
				kind += " of " + string(o.Name())
			}
			lines = append(lines, fmt.Sprintf("%s.%s = %d %s %s", m.FullName(), f.Name(), f.Number(), f.Cardinality(), kind))
		}
		for i := range m.Messages().Len() {
			message(m.Messages().Get(i))
		}
		for i := range m.Enums().Len() {
			enum(m.Enums().Get(i))
		}
	}
	seen := make(map[string]bool)
	var file func(protoreflect.FileDescriptor)
	file = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] || !strings.HasPrefix(string(f.Package()), "macosusesdk") {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			file(f.Imports().Get(i).FileDescriptor)
		}
		for i := range f.Messages().Len() {
			message(f.Messages().Get(i))
		}
		for i := range f.Enums().Len() {
			enum(f.Enums().Get(i))
		}
		for i := range f.Services().Len() {
			s := f.Services().Get(i)
			for j := range s.Methods().Len() {
				m := s.Methods().Get(j)
				lines = append(lines, fmt.Sprintf("/%s/%s %s -> %s stream=%t", s.FullName(), m.Name(), m.Input().FullName(), m.Output().FullName(), m.IsStreamingServer()))
			}
		}
	}
	file(root)
	slices.Sort(lines)
	return lines
}
