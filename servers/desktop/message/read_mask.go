package message

import (
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

// Masked reduces m to the fields in a read mask and returns it. Without a mask it keeps all fields.
// Its error has the code INVALID_ARGUMENT.
func Masked[M proto.Message](m M, mask *fieldmaskpb.FieldMask) (M, error) {
	if len(mask.GetPaths()) == 0 || len(mask.GetPaths()) == 1 && mask.GetPaths()[0] == "*" {
		return m, nil
	}
	if !mask.IsValid(m) {
		return m, status.Errorf(codes.InvalidArgument, "the read mask %v names fields that %s does not have", mask.GetPaths(), m.ProtoReflect().Descriptor().Name())
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
