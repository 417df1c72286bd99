package dialog

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// A typeError is a JSON error in terms that the caller knows: it names the field and the required
// type, instead of a Go type.
type typeError struct {
	words string
	err   *json.UnmarshalTypeError
}

func (e typeError) Error() string { return e.words }
func (e typeError) Unwrap() error { return e.err }

// explainTypeError returns err, or a typeError if err reports a wrong type.
func explainTypeError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	if wrong.Type == reflect.TypeFor[Option]() {
		return typeError{`Each option must be an object, such as {"label": "Yes"}.`, wrong}
	}
	field := strings.TrimPrefix(wrong.Field, "Answer.")
	if field == "" {
		field = "the value"
	}
	return typeError{fmt.Sprintf("%s must be %s, and is a JSON %s", field, typeText(wrong.Type), wrong.Value), wrong}
}

func typeText(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "a whole number"
	}
	return "an object"
}
