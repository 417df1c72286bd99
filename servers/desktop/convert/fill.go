// Package convert converts the JSON arguments of tools to protobuf messages, and messages to JSON.
// It also makes JSON schemas of both.
//
// The JSON is easier for models than protobuf's own: names are as in the .proto file, enums are
// short lower-case names, and durations are in seconds. The package owns these rules and the errors
// for wrong arguments. It must not know tools.
package convert

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/internal/enumeration"
)

const (
	durationName  = "google.protobuf.Duration"
	timestampName = "google.protobuf.Timestamp"
)

// maxDepth is how deep messages may be nested in arguments. For example, macros are nested.
const maxDepth = 32

// An ArgumentError reports which argument is wrong and why.
type ArgumentError struct {
	Path string
	Why  string
}

func (e *ArgumentError) Error() string { return e.Path + " " + e.Why }

func wrong(path, format string, args ...any) error {
	return &ArgumentError{path, fmt.Sprintf(format, args...)}
}

// Set sets the field at a path such as "input.action.click.position.x" to a JSON value. name is the
// argument's name in errors.
func Set(m protoreflect.Message, path string, value any, name string) error {
	for {
		head, rest, more := strings.Cut(path, ".")
		fd := m.Descriptor().Fields().ByName(protoreflect.Name(head))
		if fd == nil {
			return fmt.Errorf("%s has no field %s", m.Descriptor().FullName(), head)
		}
		if !more {
			return set(m, fd, value, name, 0)
		}
		m, path = m.Mutable(fd).Message(), rest
	}
}

// Field returns the field at a path, or nil.
func Field(md protoreflect.MessageDescriptor, path string) protoreflect.FieldDescriptor {
	for {
		head, rest, more := strings.Cut(path, ".")
		fd := md.Fields().ByName(protoreflect.Name(head))
		if fd == nil || !more {
			return fd
		}
		if fd.Message() == nil {
			return nil
		}
		md, path = fd.Message(), rest
	}
}

// fill sets the fields of a message to the members of a JSON object.
func fill(m protoreflect.Message, value any, name string, depth int) error {
	object, ok := value.(map[string]any)
	if !ok {
		return wrong(name, "must be an object with %s", strings.Join(names(m.Descriptor()), ", "))
	}
	if depth > maxDepth {
		return wrong(name, "nests deeper than %d", maxDepth)
	}
	keys := make([]string, 0, len(object))
	for k := range object {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fd := m.Descriptor().Fields().ByName(protoreflect.Name(k))
		if fd == nil {
			fd = m.Descriptor().Fields().ByJSONName(k)
		}
		if fd == nil {
			return wrong(name+"."+k, "is unknown. Use one of: %s", strings.Join(names(m.Descriptor()), ", "))
		}
		if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() {
			if had := m.WhichOneof(o); had != nil {
				return wrong(name, "has both %s and %s. Choose one", had.Name(), fd.Name())
			}
		}
		if err := set(m, fd, object[k], name+"."+k, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func names(md protoreflect.MessageDescriptor) []string {
	var all []string
	for i := range md.Fields().Len() {
		all = append(all, string(md.Fields().Get(i).Name()))
	}
	return all
}

func set(m protoreflect.Message, fd protoreflect.FieldDescriptor, value any, name string, depth int) error {
	switch {
	case value == nil:
		return nil
	case fd.IsMap():
		object, ok := value.(map[string]any)
		if !ok {
			return wrong(name, "must be an object")
		}
		all := m.Mutable(fd).Map()
		for k, v := range object {
			one, err := scalar(fd.MapValue(), v, name+"."+k)
			if err != nil {
				return err
			}
			all.Set(protoreflect.ValueOfString(k).MapKey(), one)
		}
		return nil
	case fd.IsList():
		list, ok := value.([]any)
		if !ok {
			list = []any{value} // a single value may stand for a list of one
		}
		all := m.Mutable(fd).List()
		for i, v := range list {
			at := fmt.Sprintf("%s[%d]", name, i)
			if fd.Message() != nil {
				if err := fill(all.AppendMutable().Message(), v, at, depth); err != nil {
					return err
				}
				continue
			}
			one, err := scalar(fd, v, at)
			if err != nil {
				return err
			}
			all.Append(one)
		}
		return nil
	case fd.Message() == nil:
		one, err := scalar(fd, value, name)
		if err != nil {
			return err
		}
		m.Set(fd, one)
		return nil
	case fd.Message().FullName() == durationName:
		s, err := number(value, name)
		if err != nil {
			return err
		}
		if s < 0 || s > 1e9 {
			return wrong(name, "must be a number of seconds")
		}
		d := m.Mutable(fd).Message()
		whole, part := math.Modf(s)
		d.Set(d.Descriptor().Fields().ByName("seconds"), protoreflect.ValueOfInt64(int64(whole)))
		d.Set(d.Descriptor().Fields().ByName("nanos"), protoreflect.ValueOfInt32(int32(part*1e9)))
		return nil
	}
	return fill(m.Mutable(fd).Message(), value, name, depth)
}

// scalar converts a JSON value to the type of a field. It also accepts numbers and booleans in
// strings, because models send them.
func scalar(fd protoreflect.FieldDescriptor, value any, name string) (protoreflect.Value, error) {
	var none protoreflect.Value
	switch fd.Kind() {
	case protoreflect.StringKind:
		switch v := value.(type) {
		case string:
			return protoreflect.ValueOfString(v), nil
		case float64:
			return protoreflect.ValueOfString(strconv.FormatFloat(v, 'f', -1, 64)), nil
		case bool:
			return protoreflect.ValueOfString(strconv.FormatBool(v)), nil
		}
		return none, wrong(name, "must be a text")
	case protoreflect.BoolKind:
		switch v := value.(type) {
		case bool:
			return protoreflect.ValueOfBool(v), nil
		case string:
			if b, err := strconv.ParseBool(v); err == nil {
				return protoreflect.ValueOfBool(b), nil
			}
		}
		return none, wrong(name, "must be true or false")
	case protoreflect.BytesKind:
		if v, ok := value.(string); ok {
			if b, err := base64.StdEncoding.DecodeString(v); err == nil {
				return protoreflect.ValueOfBytes(b), nil
			}
		}
		return none, wrong(name, "must be base64")
	case protoreflect.EnumKind:
		if v, ok := value.(string); ok {
			if n, ok := enumNumber(fd.Enum(), v); ok {
				return protoreflect.ValueOfEnum(n), nil
			}
		}
		return none, wrong(name, "must be %s", enumeration.Or(enumNames(fd.Enum())))
	case protoreflect.DoubleKind:
		f, err := number(value, name)
		return protoreflect.ValueOfFloat64(f), err
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		f, err := number(value, name)
		if err != nil {
			return none, err
		}
		if f != math.Trunc(f) || math.Abs(f) > 1<<53 || fd.Kind() == protoreflect.Int32Kind && math.Abs(f) > math.MaxInt32 {
			return none, wrong(name, "must be a whole number")
		}
		if fd.Kind() == protoreflect.Int32Kind {
			return protoreflect.ValueOfInt32(int32(f)), nil
		}
		return protoreflect.ValueOfInt64(int64(f)), nil
	}
	return none, wrong(name, "cannot be set")
}

func number(value any, name string) (float64, error) {
	switch v := value.(type) {
	case float64:
		return v, nil
	case string:
		if f, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f, nil
		}
	}
	return 0, wrong(name, "must be a number")
}
