package macro

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Fill sets the fields of a request from args. Each field is text, or JSON for a message. If args
// has no parent, Fill uses parent, unless that is "".
func Fill(request proto.Message, parent string, args map[string]string) error {
	r := request.ProtoReflect()
	fields := r.Descriptor().Fields()
	if f := fields.ByName("parent"); f != nil && args["parent"] == "" && parent != "" {
		r.Set(f, protoreflect.ValueOfString(parent))
	}
	for name, text := range args {
		f := fields.ByName(protoreflect.Name(name))
		if f == nil {
			return fmt.Errorf("%s has no field %q", r.Descriptor().Name(), name)
		}
		value := quote(text)
		if k := f.Kind(); f.IsList() || f.IsMap() || k != protoreflect.StringKind && k != protoreflect.EnumKind && k != protoreflect.BytesKind {
			value = cmp.Or(strings.TrimSpace(text), "null")
		}
		part := r.New().Interface()
		if err := protojson.Unmarshal([]byte(fmt.Sprintf("{%s:%s}", quote(name), value)), part); err != nil {
			return fmt.Errorf("the field %q of %s: %w", name, r.Descriptor().Name(), err)
		}
		proto.Merge(request, part)
	}
	return nil
}

// quote returns a string as JSON.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
