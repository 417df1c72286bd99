package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// guarded serves MCP to clients that send the header "Authorization: Bearer k".
func guarded(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if r.Header.Get("Authorization") != "Bearer k" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := map[string]string{
			"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}`,
			"tools/list": `{"tools":[{"name":"knock","inputSchema":{"type":"object"}}]}`,
		}[m.Method]
		w.Header().Set("Content-Type", "application/json")
		if result == "" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Three messages recommended --env for the headers of a server with a URL, but it had no effect on
// them. Now it fills the placeholders in headers, and --header sets any header. The recommendations
// work, even without a keyring.
func TestHeadersOfTheCommandLine(t *testing.T) {
	p := newPlace(t)
	url := guarded(t)
	asks := fmt.Sprintf(`{"url":%q,"headers":{"Authorization":"Bearer ${TOK}"}}`, url)
	for _, args := range [][]string{
		{"--server", asks, "--env", "TOK=k"},
		{"--server", asks, "--env", "Authorization=Bearer k"},
		{"--server", asks, "--header", "Authorization: Bearer k"},
		{"--server", fmt.Sprintf(`{"url":%q,"headers":{"Authorization":"Bearer YOUR_API_KEY"}}`, url), "--env", "Authorization=k"},
		{"--server", url, "--header", "authorization: Bearer k"},
		{"--server", url, "--header", "Authorization: ${WHOLE}", "--env", "WHOLE=Bearer k"}, // was sent as ${WHOLE}
		{"--server", url, "--header", "Authorization: Bearer ${TOK}", "--env", "TOK=k"},
		{"--server", url, "--header", "Authorization: B${REST}", "--env", "REST=earer k"},
	} {
		if out, aside, code := p.run(append([]string{"tools"}, args...)...); code != 0 || !strings.Contains(out, "knock") {
			t.Errorf("%q: status %d\n%s%s", args, code, out, aside)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--server", asks}, "TOK, for the header Authorization, has no value. Set it with --env TOK=value after its --server"},
		{[]string{"--server", url, "--header", "Authorization: Bearer ${TOK}"}, "TOK, for the header Authorization, has no value. Set it with --env TOK=value after its --server"},
		{[]string{"--server", url, "--env", "TOK=k"}, "does not use the variable TOK. To set a header, write --header 'Name: value'"},
		{[]string{"--server", p.dice(""), "--header", "A: b"}, "starts with a command, so it takes no headers"},
		{[]string{"--server", url, "--header", "Bearer k"}, "A --header is written like this: --header 'Authorization: Bearer TOKEN'"},
	} {
		if _, aside, code := p.run(append([]string{"tools"}, c.args...)...); code == 0 || !strings.Contains(aside, c.want) {
			t.Errorf("%q: status %d\n%s", c.args, code, aside)
		}
	}
	_, aside, code := p.run("servers", "add", "--name", "k1", "--header", "Authorization: Bearer k", url)
	if code == 0 || !strings.Contains(aside, "--server k1 --header 'Authorization: value'") {
		t.Fatalf("without a keyring: status %d\n%s", code, aside)
	}
	if out, aside, code := p.run("servers", "add", "--name", "k1", url); code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	if _, aside, code := p.run("servers", "add", "--name", "k2", asks); code != 0 || !strings.Contains(aside, "pass what it lacks at each start: --server k2 --env TOK=value") {
		t.Errorf("a server that waits for a header: status %d\n%s", code, aside)
	}
	for _, name := range []string{"k1", "k2"} {
		if out, aside, code := p.run("tools", "--server", name, "--header", "Authorization: Bearer k"); code != 0 || !strings.Contains(out, "knock") {
			t.Errorf("%s by the advice: status %d\n%s%s", name, code, out, aside)
		}
		filled := []string{"tools", "--server", name, "--header", "Authorization: Bearer ${TOK}"}
		if out, aside, code := p.run(append(filled, "--env", "TOK=k")...); code != 0 || !strings.Contains(out, "knock") {
			t.Errorf("%s with a variable: status %d\n%s%s", name, code, out, aside)
		}
		if _, aside, code := p.run(filled...); code == 0 || !strings.Contains(aside, "no value for ${TOK}. Set it with --env TOK=value") {
			t.Errorf("%s without its variable: status %d\n%s", name, code, aside)
		}
	}
}

// goated dropped the flags and other words after a URL. Now the flags work as if they were before
// the URL, and other words are an error.
func TestNothingBehindAnAddressIsDropped(t *testing.T) {
	p := newPlace(t)
	url := guarded(t)
	for _, args := range [][]string{
		{"tools", "--server", url + " --header 'Authorization: Bearer k'"},
		{"tools", "--server", url + " -H 'Authorization: Bearer k'"},
	} {
		if out, aside, code := p.run(args...); code != 0 || !strings.Contains(out, "knock") {
			t.Errorf("%q: status %d\n%s%s", args, code, out, aside)
		}
	}
	if out, aside, code := p.run("servers", "add", url, "--name", "k1", "--off"); code != 0 || !strings.Contains(out, "added k1: ") {
		t.Errorf("its name and its state: status %d\n%s%s", code, out, aside)
	}
	if out, _, _ := p.run("servers", "list"); !strings.Contains(out, "k1                   off") {
		t.Errorf("the list is\n%s", out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		// Without a keyring goated cannot save a secret, so the error shows that it used the
		// header.
		{[]string{"servers", "add", url, "--header", "X-Api-Key: k1"}, "--header 'X-Api-Key: value'"},
		{[]string{"servers", "add", url, "--env", "K=1"}, "does not use the variable K"},
		{[]string{"servers", "add", url, "extra", "words"}, `"extra" follows the address.`},
		{[]string{"servers", "add", "--", url, "--env", "K=1"}, "Only the flag --header 'Name: value' can follow an address"},
		{[]string{"servers", "add", url, "--headr", "X: y"}, "Did you mean --header?"},
		{[]string{"tools", "--server", url + " extra words"}, `"extra" follows the address.`},
		{[]string{"call", "knock", "--server", url + " --env K=1"}, `"--env" follows the address`},
	} {
		if out, aside, code := p.run(c.args...); code == 0 || !strings.Contains(aside, c.want) {
			t.Errorf("%q: status %d\n%s%s", c.args, code, out, aside)
		}
	}
}

// Without a keyring, "servers add" saves the keys in arguments and URLs in the settings, and
// reports that. Its recommendation works: --env fills the placeholders in the arguments of a saved
// server.
func TestKeysInTheSettingsAreNamed(t *testing.T) {
	p := newPlace(t)
	script := p.dice("")
	if _, aside, code := p.run("servers", "add", "--name", "d", "python3", script, "--api-key", "sk-0123456789abcdefgh"); code != 0 ||
		!strings.Contains(aside, "the value of api-key looks like a secret") || !strings.Contains(aside, "'${API_KEY}' in place of the value, and pass the value at each start: --server d --env API_KEY=value") {
		t.Fatalf("status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "add", "https://a.test/mcp?api_key=secret99"); code != 0 || !strings.Contains(aside, "the value of api_key looks like a secret") {
		t.Errorf("of an address: status %d\n%s", code, aside)
	}
	if out, aside, code := p.run("servers", "export"); code != 0 || strings.Contains(out, "sk-0") || strings.Contains(out, "secret99") || strings.Count(out, "${API_KEY}") != 2 {
		t.Errorf("the export: status %d\n%s%s", code, out, aside)
	}
	if _, aside, code := p.run("servers", "remove", "d"); code != 0 {
		t.Fatalf("status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "add", "--name", "d", "python3", script, "--api-key", "${API_KEY}"); code != 0 || !strings.Contains(aside, "at each start: --server d --env API_KEY=value") {
		t.Fatalf("status %d\n%s", code, aside)
	}
	if out, aside, code := p.run("tools", "--server", "d", "--env", "API_KEY=value"); code != 0 || !strings.Contains(out, "roll") || strings.Contains(aside, "API_KEY") {
		t.Errorf("by the advice: status %d\n%s%s", code, out, aside)
	}
}
