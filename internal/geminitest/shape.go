package geminitest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// decode decodes body into the wire type T as strictly as protobuf's JSON parser. encoding/json
// alone ignores the case of names, and reports neither the location nor all errors.
func decode[T any](body []byte) (*T, *failure) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var raw any
	if err := decoder.Decode(&raw); err != nil {
		return nil, invalid("Invalid JSON payload received. %v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, invalid("Invalid JSON payload received. Expected end of input.")
	}
	var found violations
	found.value("", raw, reflect.TypeFor[T]())
	if f := found.failure(); f != nil {
		return nil, f
	}
	wire := new(T)
	decoder = json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(wire); err != nil {
		return nil, invalid("Invalid JSON payload received. %v", err)
	}
	return wire, nil
}

func (v *violations) value(path string, value any, t reflect.Type) {
	if value == nil { // null means an unset field
		return
	}
	switch {
	case t.Kind() == reflect.Interface:
	case t.Kind() == reflect.Pointer:
		v.value(path, value, t.Elem())
	case t == reflect.TypeFor[json.Number]():
		v.number(path, value)
	case t == reflect.TypeFor[[]byte]():
		if s, ok := value.(string); !ok || !isBase64(s) {
			v.wrong(path, "TYPE_BYTES", value)
		}
	case t.Kind() == reflect.String:
		if _, ok := value.(string); !ok {
			v.wrong(path, "TYPE_STRING", value)
		}
	case t.Kind() == reflect.Bool:
		if _, ok := value.(bool); !ok {
			v.wrong(path, "TYPE_BOOL", value)
		}
	case t.Kind() == reflect.Slice:
		list, ok := value.([]any)
		if !ok {
			v.wrong(path, "TYPE_MESSAGE", value)
		}
		for i, element := range list {
			v.value(fmt.Sprintf("%s[%d]", path, i), element, t.Elem())
		}
	default:
		fields, ok := value.(map[string]any)
		if !ok {
			v.wrong(path, "type.googleapis.com/google.protobuf.Struct", value)
		}
		v.fields(path, fields, t)
	}
}

// fields checks the members of a message (a struct here) or of a map.
func (v *violations) fields(path string, fields map[string]any, t reflect.Type) {
	for i, name := range slices.Sorted(maps.Keys(fields)) {
		value := fields[name]
		if t.Kind() == reflect.Map {
			v.value(fmt.Sprintf("%s[%d].value", path, i), value, t.Elem())
			continue
		}
		field, known := fieldNamed(t, name)
		if !known {
			v.unknown(path, name, "Cannot find field.")
			continue
		}
		if _, list := value.([]any); list && !repeats(field) {
			v.unknown(path, name, "Proto field is not repeating, cannot start list.")
			continue
		}
		v.value(strings.TrimPrefix(path+"."+snake(name), "."), value, field)
	}
}

func fieldNamed(t reflect.Type, name string) (reflect.Type, bool) {
	for i := range t.NumField() {
		tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if tag == name {
			return t.Field(i).Type, true
		}
	}
	return nil, false
}

func repeats(t reflect.Type) bool {
	return t.Kind() == reflect.Interface || t.Kind() == reflect.Slice && t != reflect.TypeFor[[]byte]()
}

func (v *violations) number(path string, value any) {
	number, ok := value.(json.Number)
	if text, quoted := value.(string); quoted {
		number, ok = json.Number(text), true
	}
	if _, err := number.Float64(); !ok || err != nil {
		v.wrong(path, "TYPE_NUMBER", value)
	}
}

func isBase64(s string) bool {
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil
}
