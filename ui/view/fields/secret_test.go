package fields

import "testing"

func TestLooksSecret(t *testing.T) {
	for _, text := range []string{
		"Gemini API key", "Login password", "apiKey", "api_key", "GITHUB_TOKEN", "token", "passphrase", "Your PIN", "one-time code", "Seed phrase", "CVV",
		"private-key", "client secret", "Passwort", "mot de passe", "密码", "card number", "AccessToken", "credentials",
	} {
		if !LooksSecret(text) {
			t.Errorf("%q looks harmless", text)
		}
	}
	for _, text := range []string{"colour", "Key of the song", "keyboard", "name", "opinion", "spinning", "compass", "tokenizer", "max tokenization", "secretary", "path", "passenger", "monkey"} {
		if LooksSecret(text) {
			t.Errorf("%q looks secret", text)
		}
	}
}
