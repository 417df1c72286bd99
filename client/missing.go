package client

import (
	"fmt"
	"slices"
	"strings"

	"goated/client/diagnose"
	"goated/internal/enumeration"
)

// MissingValues names the variables and headers of a server whose values cannot be loaded. It is the
// error of a start that needs them.
type MissingValues struct {
	Names []string
	Err   error // why the last one cannot, such as a keyring that does not answer
}

func (m *MissingValues) Error() string {
	what := "value"
	if len(m.Names) > 1 {
		what = "values"
	}
	return fmt.Sprintf("the %s of %s can't be read: %s", what, enumeration.And(m.Names), cause(m.Err))
}

func (m *MissingValues) Unwrap() error { return m.Err }

// checkMissing returns an error if a value of [Config.Missing] is still missing. The user may have
// entered it or removed its variable in the meantime.
func (c Config) checkMissing() error {
	var names []string
	for _, name := range c.Missing.Names {
		if empty := name + "="; slices.Contains(c.Env, empty) || slices.Contains(c.Headers, empty) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return &MissingValues{names, c.Missing.Err}
}

// diagnosis names the missing values, and a variable to set.
func (m *MissingValues) diagnosis(c Config) diagnose.Diagnosis {
	d := diagnose.Diagnosis{Cause: diagnose.ValueMissing, Args: diagnose.Args{Subject: enumeration.And(m.Names), Text: cause(m.Err)}}
	for _, name := range m.Names {
		if slices.Contains(c.Env, name+"=") {
			d.Args.Variable = name
			break
		}
	}
	return d
}

// without returns variables except those of some names.
func without(list, names []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, name)
	})
}
