package macro

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/internal/lazyregexp"
)

// variable matches a variable in a text. $${ stands for ${.
var variable = lazyregexp.New(`\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_.]*)\}|\$\{[^}]*\}?`)

var wholeVariable = lazyregexp.New(`^\$\{([A-Za-z_][A-Za-z0-9_.]*)\}$`)

// soleVariable returns the name of the variable if the text consists of only that variable.
func soleVariable(text string) (name string, ok bool) {
	m := wholeVariable.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", false
	}
	return m[1], true
}

// value returns the value of a variable.
func (r *run) value(name string) (string, error) {
	v, ok := r.vars[name]
	if !ok {
		return "", fmt.Errorf("the variable %q has no value yet", name)
	}
	return v, nil
}

// text replaces the variables in a text with their values.
func (r *run) text(s string) (string, error) {
	if !strings.Contains(s, "${") {
		return s, nil
	}
	var failed error
	out := variable.ReplaceAllStringFunc(s, func(m string) string {
		if m == "$${" {
			return "${"
		}
		name, ok := soleVariable(m)
		if !ok {
			failed = fmt.Errorf("%q is not a variable; write ${name}, or $${ for the characters themselves", m)
			return ""
		}
		v, err := r.value(name)
		if err != nil {
			failed = err
		}
		return v
	})
	if failed == nil && len(out) > MaxText {
		failed = fmt.Errorf("a text has %d bytes with its variables; at most %d are allowed", len(out), MaxText)
	}
	return out, failed
}

// expand returns a copy of a message in which the variables in all texts are replaced.
func expand[M proto.Message](r *run, m M) (M, error) {
	out := proto.CloneOf(m)
	return out, r.expandIn(out.ProtoReflect())
}

func (r *run) expandIn(m protoreflect.Message) (failed error) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
			failed = r.expandMap(f, v.Map())
		case f.IsList():
			list := v.List()
			for i := 0; i < list.Len() && failed == nil; i++ {
				switch f.Kind() {
				case protoreflect.StringKind:
					var s string
					s, failed = r.text(list.Get(i).String())
					list.Set(i, protoreflect.ValueOfString(s))
				case protoreflect.MessageKind:
					failed = r.expandIn(list.Get(i).Message())
				}
			}
		case f.Kind() == protoreflect.StringKind:
			var s string
			s, failed = r.text(v.String())
			m.Set(f, protoreflect.ValueOfString(s))
		case f.Kind() == protoreflect.MessageKind:
			failed = r.expandIn(v.Message())
		}
		return failed == nil
	})
	return failed
}

func (r *run) expandMap(f protoreflect.FieldDescriptor, m protoreflect.Map) (failed error) {
	if f.MapValue().Kind() != protoreflect.StringKind {
		return nil
	}
	m.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		var s string
		s, failed = r.text(v.String())
		m.Set(k, protoreflect.ValueOfString(s))
		return failed == nil
	})
	return failed
}
