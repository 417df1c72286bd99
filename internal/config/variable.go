package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A Variable is set in the environment of a server.
type Variable struct {
	Name string `json:"name"`
	// Value is empty where there is a Ref, except while it is being used.
	Value string `json:"value,omitempty"`
	// Ref says under which name the system's keyring has the value of a secret.
	Ref string `json:"keyring,omitempty"`
}

// String is the variable as a process is given it.
func (v Variable) String() string { return v.Name + "=" + v.Value }

// Environ are variables as a process is given them.
func Environ(list []Variable) []string {
	var out []string
	for _, v := range list {
		out = append(out, v.String())
	}
	return out
}

// VariablesOf is the opposite of [Environ].
func VariablesOf(env []string) []Variable {
	var out []Variable
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		out = append(out, Variable{Name: name, Value: value})
	}
	return out
}

// secretWords are what the words of a name say that stands for a secret. The long
// ones also count at the end of a word, as in "accesstoken".
var secretWords = []string{
	"key", "token", "secret", "password", "passwd", "passphrase", "credential",
	"keys", "tokens", "secrets", "passwords", "credentials",
}

var shortSecretWords = []string{"pass", "pwd", "pat", "auth", "dsn", "jwt", "cookie", "bearer"}

// password is one in an address, such as that of a database.
var password = regexp.MustCompile(`://[^/@\s:]*:[^/@\s]+@`)

// Secret reports whether the name of a variable says that its value is a secret,
// or the value is an address with a password in it.
func (v Variable) Secret() bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(v.Name), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(shortSecretWords, word) || slices.ContainsFunc(secretWords, func(s string) bool { return strings.HasSuffix(word, s) }) {
			return true
		}
	}
	return password.MatchString(v.Value)
}

// variableName is what the name of a variable can be.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// Check says what is wrong with a variable.
func (v Variable) Check() error {
	switch {
	case v.Name == "":
		return errors.New("a variable has no name")
	case !variableName.MatchString(v.Name):
		return fmt.Errorf("%q is no name of a variable: letters, digits and _ make one", v.Name)
	case strings.ContainsRune(v.Value, 0):
		return fmt.Errorf("the value of %s has a zero byte in it", v.Name)
	}
	return nil
}

// ParseVariables reads lines of NAME=value, as files called .env and shells have
// them: with or without "export", with quotes around a value, with remarks after
// a #. It is false if a line is something else, or there is none.
func ParseVariables(text string) ([]Variable, bool) {
	var out []Variable
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		line = strings.TrimSpace(strings.TrimPrefix(line, "export "))
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || !variableName.MatchString(name) {
			return nil, false
		}
		out = append(out, Variable{Name: name, Value: unquoted(strings.TrimSpace(value))})
	}
	return out, len(out) > 0
}

// unquoted is a value without its quotes, or without the remark after it.
func unquoted(value string) string {
	if value == "" {
		return ""
	}
	switch quote := value[0]; quote {
	case '\'', '"':
		if end := strings.LastIndexByte(value, quote); end > 0 {
			inner := value[1:end]
			if quote == '"' {
				inner = strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`, `\$`, "$").Replace(inner)
			}
			return inner
		}
	}
	if at := strings.Index(value, " #"); at >= 0 {
		value = strings.TrimSpace(value[:at])
	}
	return value
}
