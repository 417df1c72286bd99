// Package secretname recognizes the names of passwords, keys and codes in many languages and
// spellings. Forms hide the input of fields with such names, and records leave it out.
//
// It is pure logic. In case of doubt, it reports a secret.
package secretname

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"goated/internal/lazyregexp"
	"goated/internal/safetext"
)

// secretWords matches the names of passwords, keys and codes in the form that [plainly] and [latin]
// return: in lower case, with spaces between the words, and without accents.
var secretWords = lazyregexp.New(`\b(pass ?(word|phrase|code|key|wd)s?|pwd|secrets?|(api|access|auth|refresh|bearer|session|id|security)? ?tokens?|` +
	`(api|access|private|secret|ssh|gpg|pgp|license|encryption|signing|account|wallet|gemini|openai|aws) ?keys?|credentials?|pin( ?(code|number))?|otp|2fa|mfa|totp|` +
	`(one time|verification|security|secret|recovery|backup|sms|auth|authentication|authenticator|authorization|confirmation|sign in|login|access|unlock) ?(code|key|phrase|word|seed|pin|answer|number)s?|` +
	`secret recovery phrase|mother ?s maiden name|social security( number)?|ssn|` +
	`authorization header|(session|auth|authentication|login) cookies?|connection (string|ur[il])|(database|db|postgres|postgresql|mysql|mariadb|redis|mongo|mongodb|amqp) (ur[il]|dsn)|dsn|` +
	`(\d+|four|five|six|seven|eight) digit (code|number|pin)|(enter|type|paste) (the|your|this) code|code (from|on|in) your \w+|code (that )?(we|i|was|is) (have )?(just )?sent|code sent to|` +
	`cvv2?|cvc2?|(credit|debit) ?cards?|card ?(number|no)|kredit ?karten?|puks?|puk ?(code|number)|i ?tan|seed ?(phrase|words?)|wallet seed|mnemonic( phrase)?|[ms] ?tan|` +
	// German, Spanish, French, Italian, Portuguese
	`zugangsdaten|zugangscode|geheim(zahl|nummer|code|nis)|(sicherheits|bestatigungs|einmal|wiederherstellungs|frei\w*)(code|schlussel|phrase|kennwort)s?|(privater?|geheimer?|api) schlussel|(kredit)?kartennummer|prufziffer|` +
	`clave (secreta|privada|de acceso|de seguridad|personal|api|bancaria)|codigo (pin|de (seguridad|verificacion|acceso))|frase (semilla|secreta|de recuperacion)|numero de tarjeta|` +
	`code (pin|secret|de (securite|verification|confirmation))|cle (privee|secrete|api)|phrase (secrete|de recuperation)|numero de carte|` +
	`parola d ?ordine|codice (segreto|pin|di (sicurezza|verifica))|chiave (privata|segreta|api)|numero (della|di) carta|` +
	`palavra passe|chave (privada|secreta|de api)|codigo de seguranca|numero do cartao|` +
	// other languages with Latin letters, and Vietnamese, Indonesian, Turkish
	`kata sandi|mat (khau|ma)|sifre(si|niz)?|slaptazodis|nenosiri)\b|` +
	`passwort|kennwort|losungswort|contrasen[ay]|mot ?de ?passe|\bsenha|wachtwoord|wachtzin|losenord|\bhaslo|\bheslo|jelszo|salasana|adgangskode|kodeord|passord|lozink|\bgeslo\b|\bparool|pasahitza`)

// secretElsewhere matches such names in other scripts, in the form that [plainly] returns.
var secretElsewhere = lazyregexp.New(`парол|пин[- ]?код|\bпін\b|код подтверждения|секретн(ый|ая|ое|ого) (ключ|код|фраз|слов)|приватный ключ|κωδικ[όο]ς?( πρ[όο]σβασης)?|סיסמ|` +
	`كلمة (المرور|السر|سر)|رمز (التحقق|المرور|السري)|گذرواژه|رمز عبور|पासवर्ड|গোপন|পাসওয়ার্ড|รหัสผ่าน|รหัสลับ|密码|密碼|口令|验证码|驗證碼|助记词|助記詞|私钥|私鑰|密钥|密鑰|` +
	`パスワード|暗証|認証コード|秘密鍵|合言葉|비밀번호|암호|인증번호|개인 ?키`)

// secretInside contains words for secrets that are often joined with others, as in "userpassword2".
var secretInside = []string{"password", "passwort", "passphrase", "passcode", "passwd", "kennwort", "apikey", "secretkey", "privatekey", "accesskey", "accesstoken", "authtoken",
	"seedphrase", "recoveryphrase", "recoverykey", "mnemonic", "pincode", "cardnumber", "creditcard"}

// counted matches the tokens of language models, which are not secret.
var counted = lazyregexp.New(`\b(max|min|num|number of|count of|total|input|output|prompt|completion|context|new) tokens\b|\btokens? (count|limit|budget|usage)\b`)

// harmless matches names that contain such words but are not secret: pages of a list, pins of a map
// or a page, and properties of a token.
var harmless = lazyregexp.New(`\b((next|prev|previous|first|last) )?(page|paging|pagination|cursor|continuation|continue|sync|resume) ?tokens?\b|\b(next|previous) tokens?\b|\btoken (name|type|kind|length|size|id)s?\b|` +
	`\b(map|location|marker|drop|bowling|safety) pins?\b|\bpin (to|it|on top)\b|\bpin (the|this|a|an|your) (message|note|post|item|tab|chat|conversation|page|comment|map|issue|thread|file|window)s?\b`)

// whole matches texts that are secret on their own, but mean something else in sentences.
var whole = lazyregexp.New(`^ *(authorization|bearer|cookies?) *$`)

// upper matches a word that is secret only in upper case.
var upper = lazyregexp.New(`\bTANs?\b`)

// secretNames matches the ends of member names. In sentences these words mean something else.
var secretNames = lazyregexp.New(`(^| )(pass|pw|psk|pat|jwt|cookie|bearer|clave|parola|geheim|tan)\d*$`)

// In reports whether a text names a password, a key or a code. It is not fooled by letters that
// look like Latin ones, by hidden characters, or by spaces between letters.
func In(text string) bool {
	plain := plainly(text)
	if secretElsewhere.MatchString(plain) || upper.MatchString(text[:min(len(text), maxRead)]) {
		return true
	}
	for _, form := range []string{latin(plain), latin(strings.Map(meant, plain))} {
		form = harmless.ReplaceAllString(counted.ReplaceAllString(form, ""), "")
		if secretWords.MatchString(form) || whole.MatchString(form) {
			return true
		}
		for word := range strings.FieldsSeq(form) {
			for _, s := range secretInside {
				if strings.Contains(word, s) {
					return true
				}
			}
		}
	}
	return false
}

// maxRead is how much of a text In examines, in bytes. A form shows less than that.
const maxRead = 2 << 10

// plainly returns a text in lower case and in composed characters, without invisible characters. It
// puts spaces between the words of a name such as apiKey or api_key.
func plainly(text string) string {
	if len(text) > maxRead {
		text = strings.ToValidUTF8(text[:maxRead], "")
	}
	var b strings.Builder
	var last rune
	for _, s := range safetext.Spans(norm.NFKC.String(text)) {
		if s.Hidden {
			continue
		}
		for _, r := range s.Text {
			switch {
			case r == '_' || r == '-' || r == '.' || r == '/' || r == '\'' || r == '’' || r == ':':
				r = ' '
			case unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)): // as in apiKey
				b.WriteByte(' ')
			case unicode.IsSpace(r):
				r = ' '
			}
			b.WriteRune(unicode.ToLower(r))
			last = r
		}
	}
	return b.String()
}

// spaced matches a word with spaces between its letters.
var spaced = lazyregexp.New(`\b(?:\pL ){3,}\pL\b`)

// numbered matches a number at the end of a word, as in "password2".
var numbered = lazyregexp.New(`(\pL{3,})\d+\b`)

// latin replaces letters that look like Latin ones with those, and removes accents.
func latin(plain string) string {
	text := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		if l, ok := shapes[r]; ok {
			return l
		}
		return r
	}, norm.NFKD.String(plain))
	text = spaced.ReplaceAllStringFunc(text, func(s string) string { return strings.ReplaceAll(s, " ", "") })
	return numbered.ReplaceAllString(text, "$1")
}

// shapes maps letters that look like a Latin one, and letters with a built-in accent.
var shapes = alike("аaсcԁdеeһhіiјjкkӏlмmоoрpԛqѕsтtуyԝwхxвbнhгrпnзzαaβbεeιiκkνvοoρpτtυuχxγyηnωwłløođdıiɑaɡgɩiʟlßsոnսuօoհhցgքpеeաwꞅsꓲl")

func alike(pairs string) map[rune]rune {
	out, all := make(map[rune]rune), []rune(pairs)
	for i := 0; i+1 < len(all); i += 2 {
		out[all[i]] = all[i+1]
	}
	return out
}

// meant replaces a digit or sign that stands for a letter with that letter.
func meant(r rune) rune {
	if i := strings.IndexRune("013457@$!", r); i >= 0 {
		return rune("oieastasi"[i])
	}
	return r
}

// Is is like [In], but for the name of a value, where a word such as "pass" at the end is enough.
func Is(name string) bool { return In(name) || secretNames.MatchString(latin(plainly(name))) }
