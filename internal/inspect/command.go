package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"goated/internal/shellword"
)

// Command returns the shell command that repeats a call: "goated call …". flags connect the server,
// for example --server with its path. Secret arguments stay hidden, so the user has to fill them
// in.
func (e Entry) Command(flags ...string) (string, error) {
	if e.Kind != Request || !e.Ours || e.Method != "tools/call" || e.Tool == "" {
		return "", errors.New("only the call of a tool can be copied as a command")
	}
	if e.Request.Cut() {
		return "", errors.New("the arguments of the call are too long: goated keeps only their beginning")
	}
	args := []byte("{}")
	visit(e.Request.Data, func(name, params []byte) {
		if string(name) == "params" {
			visit(params, func(name, value []byte) {
				if string(name) == "arguments" && !bytes.Equal(value, []byte("null")) {
					args = value
				}
			})
		}
	})
	var compact bytes.Buffer
	if err := json.Compact(&compact, args); err != nil {
		return "", errors.New("the arguments of the call are not JSON")
	}
	words := []string{"goated call"}
	if strings.HasPrefix(e.Tool, "-") {
		words = append(words, "--args", shellword.Quote(compact.String()))
		words = append(words, quoted(flags)...)
		return strings.Join(append(words, "--", shellword.Quote(e.Tool)), " "), nil
	}
	words = append(words, shellword.Quote(e.Tool))
	if compact.String() != "{}" {
		words = append(words, "--args", shellword.Quote(compact.String()))
	}
	return strings.Join(append(words, quoted(flags)...), " "), nil
}

func quoted(words []string) (all []string) {
	for _, w := range words {
		all = append(all, shellword.Quote(w))
	}
	return all
}
