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
	// Value is empty if there is a Ref, except while the variable is in use.
	Value string `json:"value,omitempty"`
	// Ref is the reference of the secret value in the system's keyring.
	Ref string `json:"keyring,omitempty"`
}

// ClientID and ClientSecret are the names of two variables of a server with a URL. They contain the
// OAuth client that the user registered for goated at the authorization server.
const (
	ClientID     = "OAUTH_CLIENT_ID"
	ClientSecret = "OAUTH_CLIENT_SECRET"
)

// ForSignIn reports whether a variable of a server with a URL is only for the sign-in, and not a
// header.
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

// secretWords mark the name of a secret. They also count at the end of a word, as in "accesstoken".
// shortSecretWords count only as whole words.
var secretWords = []string{
	"key", "token", "secret", "password", "passwd", "passphrase", "credential",
	"keys", "tokens", "secrets", "passwords", "credentials",
}

var shortSecretWords = []string{"pass", "pwd", "pat", "auth", "authorization", "dsn", "jwt", "cookie", "bearer"}

// password matches a password in a URL, such as the URL of a database.
var password = lazyregexp.New(`://[^/@\s:]*:[^/@\s]+@`)

var (
	// switched matches the values of a switch, such as AUTH_DISABLED=true.
	switched = lazyregexp.New(`(?i)^(true|false|yes|no|on|off)$`)
	// tokenCountName matches names of token counts of a language model.
	tokenCountName = lazyregexp.New(`(?i)(^|_)(max|min|num|input|output)_([a-z]+_)?tokens$`)
	// named matches names of secrets that contain none of the words above.
	named = lazyregexp.New(`(?i)(^|_)(session_?string|connection_?string|api_?hash)$`)
)

// Secret reports whether a variable's value is a secret, because of its name, or because it is a
// URL with a password. A value that contains an input is not a secret, regardless of its name,
// because the input holds the secret.
func (v Variable) Secret() bool {
	if rest, ok := withoutInputRefs(v.Value); ok {
		return LooksSecret(rest) || password.MatchString(rest)
	}
	if switched.MatchString(v.Value) || tokenCountName.MatchString(v.Name) {
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

// variableName matches valid names, including those of variables that hold the value of an input.
var variableName = lazyregexp.New(`^(input:)?[A-Za-z_][A-Za-z0-9_.-]*$`)

// Check returns the reason why a variable is invalid, or nil.
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

// ParseVariables parses lines of the form NAME=value, as in .env files and shells. A line may begin
// with "export", the value may be quoted, and a comment may follow after a #. It reports false if
// there is no line, or if any line has another form.
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

// ParseHeaders parses lines of the form "Name: value", as in HTTP and in the JSON of a README: names and
// values may be quoted, and a comma may end a line. It reports false if there is no line, or if any line
// has another form.
func ParseHeaders(text string) ([]Variable, bool) {
	var out []Variable
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSpace(line), ",")
		if line == "" {
			continue
		}
		name, value, ok := CutHeader(line)
		if !ok || strings.HasPrefix(value, "//") { // an address
			return nil, false
		}
		if last := len(value) - 1; last > 0 && (value[0] == '"' || value[0] == '\'') && value[last] == value[0] {
			value = value[1:last]
		}
		out = append(out, Variable{Name: name, Value: value})
	}
	return out, len(out) > 0
}

// CutHeader splits "Name: value" into a name, which may be quoted, and a value. It reports false if the
// text has no name that HTTP allows.
func CutHeader(text string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(text, ":")
	name = strings.Trim(strings.TrimSpace(name), `"'`)
	bad := strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r) })
	return name, strings.TrimSpace(value), ok && name != "" && !bad
}

// textInQuotes returns the text between the quote at the start of a value and the next unescaped quote.
// Only a comment may follow. Some authors do not escape quotes inside the value; then the last
// quote ends it.
func textInQuotes(value string, quote byte) (inner string, ok bool) {
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
		if inner, ok := textInQuotes(value, quote); ok {
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
