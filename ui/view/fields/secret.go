package fields

import (
	"regexp"
	"strings"
	"unicode"
)

// secretWords match the names of passwords, keys and codes, in small letters with
// blanks between the words.
var secretWords = regexp.MustCompile(`\b(pass ?(word|phrase|code|wd)s?|pwd|secrets?|(api|access|auth|refresh|bearer|session|id|security)? ?tokens?|` +
	`(api|access|private|secret|ssh|gpg|pgp|license|encryption|signing|account|gemini|openai|aws) ?keys?|credentials?|pin( ?code)?|otp|2fa|mfa|totp|` +
	`(one time|verification|security|recovery|backup) ?(code|key|phrase)s?|cvv|cvc|(credit |debit )?card ?number|seed ?phrase|mnemonic|login ?code)\b|` +
	`passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|lösenord|hasło|пароль|парол|密码|密碼|パスワード|비밀번호`)

// LooksSecret reports whether a text names a password, a key or a code that a server
// must not ask for in a form: "Servers MUST NOT use form mode elicitation to request
// sensitive information" (MCP, Elicitation).
func LooksSecret(text string) bool {
	var b strings.Builder
	var last rune
	for _, r := range text {
		switch {
		case r == '_' || r == '-' || r == '.' || r == '/':
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(last): // apiKey
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return secretWords.MatchString(b.String())
}

// isSecret reports whether a property takes a secret, by its name, its texts and its
// format.
func isSecret(name string, p map[string]any) bool {
	title, _ := p["title"].(string)
	help, _ := p["description"].(string)
	format, _ := p["format"].(string)
	hidden, _ := p["writeOnly"].(bool)
	return hidden || format == "password" || LooksSecret(name) || LooksSecret(title) || LooksSecret(help)
}
