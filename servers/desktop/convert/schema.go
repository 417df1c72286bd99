package convert

import (
	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Schema returns the schema of a message in arguments. Objects that are nested deeper than depth
// may have any members.
func Schema(md protoreflect.MessageDescriptor, depth int) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object"}
	if depth <= 0 {
		return s
	}
	s.Properties = make(map[string]*jsonschema.Schema)
	for i := range md.Fields().Len() {
		fd := md.Fields().Get(i)
		s.Properties[string(fd.Name())] = FieldSchema(fd, depth-1)
	}
	return s
}

// FieldSchema returns the schema of a field.
func FieldSchema(fd protoreflect.FieldDescriptor, depth int) *jsonschema.Schema {
	switch {
	case fd.IsMap():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: one(fd.MapValue(), depth)}
	case fd.IsList():
		return &jsonschema.Schema{Type: "array", Items: one(fd, depth)}
	}
	return one(fd, depth)
}

func one(fd protoreflect.FieldDescriptor, depth int) *jsonschema.Schema {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return &jsonschema.Schema{Type: "boolean"}
	case protoreflect.DoubleKind:
		return &jsonschema.Schema{Type: "number"}
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		return &jsonschema.Schema{Type: "integer"}
	case protoreflect.EnumKind:
		s := &jsonschema.Schema{Type: "string"}
		for _, n := range enumNames(fd.Enum()) {
			s.Enum = append(s.Enum, n)
		}
		return s
	case protoreflect.MessageKind:
		switch fd.Message().FullName() {
		case durationName:
			return &jsonschema.Schema{Type: "number"}
		case timestampName:
			return &jsonschema.Schema{Type: "string"}
		}
		return Schema(fd.Message(), depth)
	case protoreflect.BytesKind:
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	}
	return &jsonschema.Schema{Type: "string"}
}

// AnswerSchema is like Schema, for answers. Enums are plain strings there, because a newer server
// may have more values.
func AnswerSchema(md protoreflect.MessageDescriptor, depth int) *jsonschema.Schema {
	s := Schema(md, depth)
	open(s)
	return s
}

func open(s *jsonschema.Schema) {
	s.Enum = nil
	if s.ContentEncoding != "" {
		*s = jsonschema.Schema{Type: "integer"} // number of bytes
	}
	for _, p := range s.Properties {
		open(p)
	}
	if s.Items != nil {
		open(s.Items)
	}
	if s.AdditionalProperties != nil {
		open(s.AdditionalProperties)
	}
}
