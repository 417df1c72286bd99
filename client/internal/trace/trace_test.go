package trace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func redacted(text string, secrets ...string) string {
	return string(newRedactor(secrets).apply([]byte(text), MaxData))
}

// A known secret is masked in each form in which a frame can contain it.
func TestKnownSecretsAreMasked(t *testing.T) {
	const secret = `p"a\ss & <wörd>/1`
	for _, text := range []string{
		secret,
		`{"x":"` + string(quoted([]byte(secret))) + `"}`,
		`{"x":"` + string(quotedNoHTML(secret)) + `"}`,
		`{"text":"{\"x\":\"` + string(quoted(quoted([]byte(secret)))) + `\"}"}`,
		"https://x/?k=p%22a%5Css+%26+%3Cw%C3%B6rd%3E%2F1",
		secret + secret,
	} {
		got := redacted("before "+text+" after", secret)
		if !strings.Contains(got, mask) || strings.Contains(got, "rd>") || strings.Contains(got, "u003e") || strings.Contains(got, "rd%3E") {
			t.Errorf("%q becomes %q", text, got)
		}
		if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
			t.Errorf("%q loses its surroundings: %q", text, got)
		}
	}
	if got := redacted("yes 123", "yes", "123"); got != "yes 123" {
		t.Errorf("short words are masked: %q", got)
	}
}

// Keys and passwords are masked by their form. Ordinary members stay.
func TestSecretsAreMaskedByForm(t *testing.T) {
	for text, want := range map[string]string{
		"Authorization: Bearer abc.def-123":                    "Authorization: [secret]",
		`{"Authorization":"Basic dXNlcjpwYXNz","x":1}`:         `{"Authorization":"[secret]","x":1}`,
		`{"text":"{\"authorization\":\"Bearer abcdefgh\"}"}`:   `{"text":"{\"authorization\":\"[secret]\"}"}`,
		"sent with bearer abcdefgh12345":                       "sent with bearer [secret]",
		`{"api_key":"x y","apiKey":"z","client_secret":"q"}`:   `{"api_key":"[secret]","apiKey":"[secret]","client_secret":"[secret]"}`,
		"postgres://ada:hunter2@db/x":                          "postgres://ada:[secret]@db/x",
		"key AIza" + strings.Repeat("x", 35) + " used":         "key [secret] used",
		"ghp_" + strings.Repeat("a", 36):                       "[secret]",
		`{"progressToken":"call-1","token_count":3,"key":"v"}`: `{"progressToken":"call-1","token_count":3,"key":"v"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`:       `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
	} {
		if got := redacted(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

// A secret at the truncation point is masked completely, wherever that point is, even if earlier
// masks made the text shorter.
func TestNoSecretIsCutInHalf(t *testing.T) {
	secret := strings.Repeat("S3cr", 50)
	for shift := -len(secret) - 10; shift < len(secret)+10; shift += 7 {
		for _, earlier := range []string{"", strings.Repeat(secret+" ", 20)} {
			filling := strings.Repeat(".", MaxData+shift-len(earlier))
			var events []Event
			New("s", []string{secret}, func(e Event) { events = append(events, e) }).Received([]byte(earlier+filling+secret+strings.Repeat("!", 100)), 123456, false)
			if len(events) != 1 || len(events[0].Data) > MaxData || events[0].Size != 123456 {
				t.Fatalf("%d events of %d bytes", len(events), len(events[0].Data))
			}
			if bytes.Contains(events[0].Data, []byte("S3cr")) {
				t.Fatalf("with the secret %d bytes from the cut, a part of it is left", shift)
			}
		}
	}
}

// A nil tracer allocates nothing.
func TestNilTracerCostsNothing(t *testing.T) {
	tracer := New("s", []string{"secret"}, nil)
	data := []byte(`{"jsonrpc":"2.0"}`)
	if n := testing.AllocsPerRun(100, func() {
		tracer.Sent(data, tracer.Now())
		tracer.Received(data, len(data), false)
	}); n != 0 {
		t.Errorf("a nil tracer allocates %v times", n)
	}
}

// An event's data does not alias the frame.
func TestEventsOwnTheirData(t *testing.T) {
	frame := []byte("hello")
	var got Event
	New("s", nil, func(e Event) { got = e }).Sent(frame, New("s", nil, func(Event) {}).Now())
	copy(frame, "XXXXX")
	if fmt.Sprintf("%s %s %d", got.Server, got.Data, got.Size) != "s hello 5" || got.Time.IsZero() {
		t.Errorf("got %+v", got)
	}
}

// A tracer reports only while somebody listens. Otherwise a frame uses no memory.
func TestATracerListensOnDemand(t *testing.T) {
	var on bool
	var events []Event
	tracer := New("s", []string{"secret"}, func(e Event) { events = append(events, e) }).While(func() bool { return on })
	data := []byte(`{"jsonrpc":"2.0"}`)
	if n := testing.AllocsPerRun(100, func() {
		tracer.Sent(data, tracer.Now())
		tracer.Received(data, len(data), false)
	}); n != 0 || len(events) != 0 {
		t.Errorf("%v allocations, %d events", n, len(events))
	}
	began := tracer.Now() // the write begins
	on = true
	tracer.Sent(data, began)
	tracer.Received(data, len(data), false)
	if len(events) != 2 || events[0].Time.IsZero() {
		t.Errorf("%+v", events)
	}
}

// BenchmarkClosed measures a frame while the inspector is closed.
func BenchmarkClosed(b *testing.B) {
	tracer := New("s", []string{"secret"}, func(Event) {}).While(func() bool { return false })
	data := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)
	for b.Loop() {
		tracer.Sent(data, tracer.Now())
		tracer.Received(data, len(data), false)
	}
}

// A server that printed a part of its key printed it readably. The last letters, by which programs
// identify a key, stay, and so does the host of a URL.
func TestPartsOfKeysAreMasked(t *testing.T) {
	const key = "pk_live_51Hq8dKx02ZyvKWt9sQeRmN4uJb"
	hide := Redact([]string{key, "postgres://ada:Zq8dKx02ZyvKWt9sQeRmN4uJbTT@db.example.com:5432/shop"})
	for text, want := range map[string]string{
		"key: " + key[:16] + "…":           "key: [secret]…",
		"key: " + key[5:30] + "!":          "key: [secret]!",
		"begins with " + key[:7]:           "begins with " + key[:7],
		"ends with …" + key[len(key)-4:]:   "ends with …" + key[len(key)-4:],
		"no route to db.example.com:5432":  "no route to db.example.com:5432",
		"password Zq8dKx02ZyvKWt9sQ wrong": "password [secret] wrong",
	} {
		if got := hide(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// Redact masks the keys that the settings recognize by their form.
func TestRedactKnowsTheKeysOfServices(t *testing.T) {
	for _, key := range []string{
		"tvly-dev-0123456789abcdef", "ntn_0123456789abcdef0123456789", "ctx7sk-01234567-89ab-cdef", "sk_live_0123456789abcdef01",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-_1",
	} {
		if got := Redact(nil)(`{"note":"it is ` + key + `"}`); strings.Contains(got, key) || !strings.Contains(got, "it is ") {
			t.Errorf("%s", got)
		}
	}
}
