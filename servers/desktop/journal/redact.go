package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"goated/internal/lazyregexp"
	"goated/internal/secretname"
	"goated/internal/secretvalue"
)

// left is the placeholder for text that is left out.
const left = "‹left out›"

// redact encodes a request as JSON without secrets. It removes values whose names mean secrets,
// texts that look like keys, bytes, and the end of long texts.
func redact(request any, hidden ...string) (_ json.RawMessage, redacted bool, err error) {
	if request == nil {
		return nil, false, nil
	}
	data, err := json.Marshal(request)
	if err != nil {
		return nil, false, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, false, err
	}
	v = without(v, "", &redacted, hidden)
	if data, err = json.Marshal(v); err != nil {
		return nil, false, err
	}
	return data, redacted, nil
}

// removeTyped removes everything that a request writes or types.
func removeTyped(request json.RawMessage) (_ json.RawMessage, redacted bool, err error) {
	if len(request) == 0 {
		return request, false, nil
	}
	d := json.NewDecoder(bytes.NewReader(request))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, false, err
	}
	written(v)
	request, err = json.Marshal(v)
	return request, true, err
}

func written(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			if _, is := child.(string); is && (k == "value" || k == "text" || k == "key") {
				v[k] = left
			}
			written(child)
		}
	case []any:
		for _, child := range v {
			written(child)
		}
	}
}

func without(v any, name string, redacted *bool, hidden []string) any {
	switch v := v.(type) {
	case map[string]any:
		// A name next to a value, as in {"name": "password", "value": "…"}.
		for _, key := range []string{"name", "key", "attribute", "variable"} {
			if s, ok := v[key].(string); ok && secretName(s) {
				if _, ok := v["value"]; ok {
					v["value"], *redacted = left, true
				}
			}
		}
		for k, child := range v {
			v[k] = without(child, k, redacted, hidden)
		}
		return v
	case []any:
		for i, child := range v {
			// An option followed by its value, as in ["--password", "…"].
			if before := ""; i > 0 {
				if before, _ = v[i-1].(string); strings.HasPrefix(before, "-") && secretName(strings.TrimLeft(before, "-")) {
					v[i], *redacted = left, true
					continue
				}
			}
			v[i] = without(child, name, redacted, hidden)
		}
		return v
	case json.Number, bool:
		if secretName(name) {
			*redacted = true
			return left
		}
	case string:
		if v != "" && v != left && (secretName(name) || name == "stdin") {
			*redacted = true
			return left
		}
		s := redactText(v, hidden...)
		if s != v {
			*redacted = true
		}
		return s
	}
	return v
}

// redactText removes texts that look like secrets, removes the hidden texts, and truncates long texts.
func redactText(s string, hidden ...string) string {
	whole := len(s)
	for _, h := range hidden {
		if h != "" {
			s = strings.ReplaceAll(s, h, left)
		}
	}
	if whole > 4*maxText { // searching for secrets takes 1 µs per byte
		s = s[:4*maxText]
	}
	s = secretText.ReplaceAllString(s, left)
	if len(s) > maxText {
		cut := maxText
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = fmt.Sprintf("%s… (%d bytes more)", s[:cut], max(whole, len(s))-cut)
	}
	return strings.ToValidUTF8(s, "�")
}

// secretName reports whether a name means that its value is a secret.
func secretName(name string) bool {
	if secretname.Is(name) {
		return true
	}
	plain := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	for _, word := range []string{"password", "secret", "credential", "authorization", "bearer", "cookie", "sessionkey", "decryptionkey", "otp", "refreshtoken", "dbpass", "pgpass"} {
		if strings.Contains(plain, word) {
			return true
		}
	}
	return plain == "auth" || plain == "imagedata" || plain == "image"
}

// secretText matches secrets by their form.
var secretText = lazyregexp.New(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)` +
	`|\b(sk|pk|rk)[-_](live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{20,}|\b` + secretvalue.Pattern +
	`|(?i)\bbearer\s+[A-Za-z0-9._~+/-]{16,}=*|(?i)(passwor[dt]|kennwort|contraseña|mot de passe|passwd|passphrase|pass|pwd|secret|api[_-]?key|token)["']?\s*[:=]\s*["']?[^\s"',;]{4,}|(?i)--?(password|passwd|passphrase|pass|secret|token|api-?key)[ =]["']?[^\s"',;]+|://[^/\s:@]*:[^/\s@]+@|\b\d(?:[ -]?\d){12,18}\b`)
