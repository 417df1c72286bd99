package transfer

import (
	"goated/internal/config"
	"goated/internal/launch"
)

// A Draft is a server from a file as goated would save it. Secret values already have a reference.
// Store them in the keyring before you save the draft.
type Draft struct {
	config.Launch
	Missing []string // names of variables and headers without a value
}

// Drafted returns a draft of a server. values contains the values of inputs by their IDs.
func Drafted(s launch.Server, inputs []launch.Input, values map[string]string) Draft {
	d := Draft{Launch: config.FromTextWithValues(s, inputs, values)}
	mark := func(list []config.Variable) {
		for i, v := range list {
			if id, ok := launch.InputID(v.Name); v.Value == "" && ok {
				d.Missing = append(d.Missing, id)
			} else if v.Value == "" {
				d.Missing = append(d.Missing, v.Name)
			} else if v.Ref == "" && (v.Secret() || config.LooksSecret(v.Value)) {
				list[i] = v.WithSecretRef()
			}
		}
	}
	mark(d.Env)
	mark(d.Headers)
	return d
}
