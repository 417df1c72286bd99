package main

import (
	"testing"

	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	_ "goated/servers/desktop/macosusesdk"
)

// TestGeneratedCodeIsFresh compares the .proto files with the generated code that is linked into
// this test. If it fails, run "make proto".
func TestGeneratedCodeIsFresh(t *testing.T) {
	files, err := compile(t.Context(), "../../servers/desktop/proto")
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for _, f := range files {
		known[f.Path()] = true
		generated, err := protoregistry.GlobalFiles.FindFileByPath(f.Path())
		if err != nil {
			t.Errorf("%s has no generated code. Run: make proto", f.Path())
			continue
		}
		if want, got := bare(f), bare(generated); !proto.Equal(want, reread(t, got)) {
			t.Errorf("the generated code of %s is not of its present text. Run: make proto", f.Path())
		}
	}
	for _, pkg := range []protoreflect.FullName{"macosusesdk.type", "macosusesdk.v1"} {
		protoregistry.GlobalFiles.RangeFilesByPackage(pkg, func(f protoreflect.FileDescriptor) bool {
			if !known[f.Path()] {
				t.Errorf("there is generated code of %s, which is gone. Delete it", f.Path())
			}
			return true
		})
	}
}

// reread returns a message after a round trip through text. After that, options that one side has
// as unknown fields and the other as extensions are equal.
func reread[M proto.Message](t *testing.T, m M) M {
	t.Helper()
	b, err := prototext.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	again := m.ProtoReflect().New().Interface()
	if err := prototext.Unmarshal(b, again); err != nil {
		t.Fatal(err)
	}
	return again.(M)
}

// bare returns a file's descriptor without comments and positions.
func bare(f protoreflect.FileDescriptor) *descriptorpb.FileDescriptorProto {
	d := proto.Clone(protoutil.ProtoFromFileDescriptor(f)).(*descriptorpb.FileDescriptorProto)
	d.SourceCodeInfo = nil
	return d
}
