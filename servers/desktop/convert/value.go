package convert

import (
	"math"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Object returns a message as a JSON object. It includes numbers and booleans even if they are
// zero, unless the field has presence and is not set. It leaves out empty strings and lists. It
// replaces bytes by their length, because pictures are separate content.
func Object(m protoreflect.Message) map[string]any {
	out := make(map[string]any)
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if !m.Has(fd) && (fd.HasPresence() || fd.IsList() || fd.IsMap() || fd.Kind() == protoreflect.StringKind || fd.Kind() == protoreflect.BytesKind || fd.Kind() == protoreflect.EnumKind) {
			continue
		}
		name := string(fd.Name())
		v := m.Get(fd)
		if fd.Kind() == protoreflect.DoubleKind && !fd.IsList() && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)) {
			continue // JSON cannot represent this number
		}
		switch {
		case fd.IsMap():
			all := make(map[string]any)
			v.Map().Range(func(k protoreflect.MapKey, one protoreflect.Value) bool {
				all[k.String()] = single(fd.MapValue(), one)
				return true
			})
			out[name] = all
		case fd.IsList():
			list := make([]any, v.List().Len())
			for j := range list {
				list[j] = single(fd, v.List().Get(j))
			}
			out[name] = list
		default:
			out[name] = single(fd, v)
		}
	}
	return out
}

func single(fd protoreflect.FieldDescriptor, v protoreflect.Value) any {
	switch fd.Kind() {
	case protoreflect.BytesKind:
		return len(v.Bytes())
	case protoreflect.EnumKind:
		return EnumName(fd.Enum(), v.Enum())
	case protoreflect.MessageKind:
		m := v.Message()
		seconds := m.Descriptor().Fields().ByName("seconds")
		nanos := m.Descriptor().Fields().ByName("nanos")
		switch m.Descriptor().FullName() {
		case durationName:
			return float64(m.Get(seconds).Int()) + float64(m.Get(nanos).Int())/1e9
		case timestampName:
			return time.Unix(m.Get(seconds).Int(), m.Get(nanos).Int()).UTC().Format("2006-01-02T15:04:05.000Z")
		}
		return Object(m)
	}
	return v.Interface()
}
