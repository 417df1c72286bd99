package backend

import (
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

// masked returns the fields of a message that a read mask names; all without one.
func masked[M proto.Message](m M, mask *fieldmaskpb.FieldMask) (M, error) {
	if len(mask.GetPaths()) == 0 || len(mask.GetPaths()) == 1 && mask.GetPaths()[0] == "*" {
		return m, nil
	}
	if !mask.IsValid(m) {
		return m, invalid("the read mask %v names fields that %s does not have", mask.GetPaths(), m.ProtoReflect().Descriptor().Name())
	}
	keep := make(map[protoreflect.Name]bool)
	for _, p := range mask.GetPaths() {
		first, _, _ := strings.Cut(p, ".")
		keep[protoreflect.Name(first)] = true
	}
	r := m.ProtoReflect()
	r.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if !keep[f.Name()] {
			r.Clear(f)
		}
		return true
	})
	return m, nil
}
