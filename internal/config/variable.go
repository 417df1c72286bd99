package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"goated/internal/lazyregexp"
)

// A Variable is an environment variable of a server.
type Variable struct {
	Name string `json:"name"`
	// Value is empty if there is a Ref, except while it is in use.
	Value string `json:"value,omitempty"`
	// Ref is the name of the secret value in the system's keyring.
	Ref string `json:"keyring,omitempty"`
}

// ClientID and ClientSecret name the variables of a server with a URL that hold the client which
// the user registered for goated at its authorization server.
const (
	ClientID     = "OAUTH_CLIENT_ID"
	ClientSecret = "OAUTH_CLIENT_SECRET"
)

// ForSignIn reports whether a variable of a server with a URL is for the sign-in. It is not a header.
func (v Variable) ForSignIn() bool { return v.Name == ClientID || v.Name == ClientSecret }

// String returns NAME=value.
func (v Variable) String() string { return v.Name + "=" + v.Value }

// Environ returns variables in the form of [os.Environ].
func Environ(list []Variable) []string {
	var out []string
	for _, v := range list {
		out = append(out, v.String())
	}
	return out
}

// VariablesOf is the inverse of [Environ].
func VariablesOf(env []string) []Variable {
	var out []Variable
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		out = append(out, Variable{Name: name, Value: value})
	}
	return out
}

// secretWords mark the name of a secret. They also count at the end of a word, as
// in "accesstoken"; shortSecretWords only as whole words.
var secretWords = []string{
	"key", "token", "secret", "password", "passwd", "passphrase", "credential",
	"keys", "tokens", "secrets", "passwords", "credentials",
}

var shortSecretWords = []string{"pass", "pwd", "pat", "auth", "authorization", "dsn", "jwt", "cookie", "bearer"}

// password matches a password in an address, such as the address of a database.
var password = lazyregexp.New(`://[^/@\s:]*:[^/@\s]+@`)

var (
	// switched matches the values of a switch, such as AUTH_DISABLED=true.
	switched = lazyregexp.New(`(?i)^(true|false|yes|no|on|off)$`)
	// counted matches the names of numbers of tokens of a language model.
	counted = lazyregexp.New(`(?i)(^|_)(max|min|num|input|output)_([a-z]+_)?tokens$`)
	// named matches names of secrets whose words alone are not secret.
	named = lazyregexp.New(`(?i)(^|_)(session_?string|connection_?string|api_?hash)$`)
)

// Secret reports whether the name of a variable says that its value is a secret,
// or the value is an address with a password in it. Text with an input in it is none, whatever its
// name: the input has the secret.
func (v Variable) Secret() bool {
	if rest, ok := template(v.Value); ok {
		return LooksSecret(rest) || password.MatchString(rest)
	}
	if switched.MatchString(v.Value) || counted.MatchString(v.Name) {
		return false
	}
	if named.MatchString(v.Name) {
		return true
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(v.Name), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(shortSecretWords, word) || slices.ContainsFunc(secretWords, func(s string) bool { return strings.HasSuffix(word, s) }) {
			return true
		}
	}
	return password.MatchString(v.Value)
}

// variableName matches the valid names, also of the variables that hold the value of an input.
var variableName = lazyregexp.New(`^(input:)?[A-Za-z_][A-Za-z0-9_.-]*$`)

// Check returns why a variable is invalid; nil if it is valid.
func (v Variable) Check() error {
	switch {
	case v.Name == "":
		return errors.New("a variable needs a name")
	case !variableName.MatchString(v.Name):
		return fmt.Errorf("%q is not a valid variable name: use letters, digits and underscores", v.Name)
	case strings.ContainsRune(v.Value, 0):
		return fmt.Errorf("the value of %s contains a zero byte", v.Name)
	}
	return nil
}

// ParseVariables reads lines of NAME=value, as in .env files and shells: with or
// without "export", with quotes around a value, with comments after a #. It
// reports false if any line is something else, or there is none.
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

// within returns what stands between the quote that a value begins with and the next one that
// no backslash escapes. Only a comment may follow. Some write quotes inside without a backslash:
// then the last quote ends the value.
func within(value string, quote byte) (inner string, ok bool) {
	for i := 1; i < len(value); i++ {
		switch {
		case value[i] == '\\' && quote == '"':
			i++
		case value[i] == quote:
			if after := strings.TrimSpace(value[i+1:]); after == "" || after[0] == '#' {
				return value[1:i], true
			}
		}
	}
	last := len(value) - 1
	return value[1:max(1, last)], last > 0 && value[last] == quote
}

// unquoted returns a value without its quotes, or without the comment after it.
func unquoted(value string) string {
	if value == "" {
		return ""
	}
	switch quote := value[0]; quote {
	case '\'', '"':
		if inner, ok := within(value, quote); ok {
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
