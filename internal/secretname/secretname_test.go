package secretname

import "testing"

func TestSecretsAreKnown(t *testing.T) {
	for _, text := range []string{
		"Gemini API key", "Login password", "apiKey", "api_key", "GITHUB_TOKEN", "token", "passphrase", "Your PIN", "one-time code", "Seed phrase", "CVV",
		"private-key", "client secret", "Passwort", "mot de passe", "密码", "card number", "AccessToken", "credentials",
		// other words
		"Kennwort", "clave secreta", "Código PIN", "contraseña", "Geheimzahl", "Ihr Passwort2", "hasło", "Salasana", "şifre", "Mật khẩu", "κωδικός πρόσβασης", "סיסמה", "كلمة المرور",
		"パスワード", "暗証番号", "비밀번호", "验证码", "助记词", "passkey", "recovery words", "Secret Recovery Phrase", "mother's maiden name", "SSN", "SMS code", "12-word seed phrase", "security answer",
		// other spellings of the same words
		"password2", "userpassword", "MYSQLPASSWORD", "p a s s w o r d", "pass\u200bword", "\u202epassword", "раѕѕword", "ｐａｓｓｗｏｒｄ", "P\u0301assword", "passw0rd", "p4ssword", "PIN:", "PIN\u00a0code",
		"lo\u0308senord", "PassPhrase", "wallet/seed-phrase", "API\u00adkey", "recoveryPhrase",
	} {
		if !In(text) {
			t.Errorf("%q looks harmless", text)
		}
	}
	for _, text := range []string{"colour", "Key of the song", "keyboard", "name", "opinion", "spinning", "compass", "tokenizer", "max tokenization", "secretary", "path", "passenger", "monkey",
		"max_tokens", "token limit", "pineapple", "the tests pass", "boarding pass", "palabra clave", "surname", "postcode", "Shopping list", "hasty", "classroom", "description", "Bonn", "keyword", "mask", "tangent",
		"the number of the house", "answer", "phone number", "order number", "code", "country code", "кот", "имя", "имя файла", "名前", "이름", "ชื่อ"} {
		if In(text) {
			t.Errorf("%q looks secret", text)
		}
	}
}

// The names of cards, of codes that a person types, and of connections are secret. The tokens of
// pages, the pins of maps and the properties of a token are not.
func TestCardsCodesAndConnectionsAreSecret(t *testing.T) {
	for _, text := range []string{
		"credit card", "Credit Card Number", "creditCard", "Kreditkarte", "Ihre Kreditkartennummer", "debit card", "6-digit code", "Six-digit code", "the 8 digit number", "Enter the code", "enter your code below",
		"code from your phone", "The code we sent you", "code sent to your e-mail", "Authorization", "authorization header", "connection string", "CONNECTION_STRING", "connectionUrl", "DATABASE_URL", "database uri",
		"REDIS_URL", "DSN", "SENTRY_DSN", "PUK", "PUK code", "kodeord", "TAN", "iTAN", "Ihre TAN", "cookie", "Cookie", "session cookie", "Bearer", "bearer token", "bot token", "id token", "PIN", "pageToken and password",
	} {
		if !In(text) {
			t.Errorf("%q looks harmless", text)
		}
	}
	for _, text := range []string{
		"pageToken", "nextPageToken", "next_page_token", "page token", "continuation token", "cursor token", "cursor", "nextToken", "syncToken", "map pin", "Map pins", "pin to top", "Pin the message", "pin this note",
		"token name", "token type", "max tokens", "maxTokens", "tan", "sun tan", "a cookie recipe", "credit", "card", "business card", "digit", "the code of the program", "enter the name", "database", "connection", "bearer of the ring",
	} {
		if In(text) || Is(text) && text != "tan" && text != "sun tan" {
			t.Errorf("%q looks secret", text)
		}
	}
}
