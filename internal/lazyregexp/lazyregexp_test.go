package lazyregexp

import (
	"fmt"
	"reflect"
	"regexp"
	"testing"
)

// Each method returns the same as in package regexp.
func TestMethodsAreThoseOfRegexp(t *testing.T) {
	const expression, text = `(?i)(b)(x)?`, "aBcbx"
	lazy, eager := reflect.ValueOf(New(expression)), reflect.ValueOf(regexp.MustCompile(expression))
	values := map[reflect.Type]reflect.Value{
		reflect.TypeFor[string](): reflect.ValueOf(text),
		reflect.TypeFor[[]byte](): reflect.ValueOf([]byte(text)),
		reflect.TypeFor[int]():    reflect.ValueOf(-1),
		reflect.TypeFor[func(string) string](): reflect.ValueOf(func(s string) string {
			return s + s
		}),
	}
	if lazy.NumMethod() == 0 {
		t.Fatal("it has no methods")
	}
	for m := range lazy.NumMethod() {
		name := lazy.Type().Method(m).Name
		var args []reflect.Value
		for i := range lazy.Method(m).Type().NumIn() {
			args = append(args, values[lazy.Method(m).Type().In(i)])
		}
		got, want := lazy.Method(m).Call(args)[0].Interface(), eager.MethodByName(name).Call(args)[0].Interface()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s gives %v, want %v", name, got, want)
		}
	}
}

// In a test, the expression compiles at once, so that users do not find a mistake first.
func TestMistakesShowInTests(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); got == "<nil>" {
			t.Error("a wrong expression is taken")
		}
	}()
	New(`(`)
}
