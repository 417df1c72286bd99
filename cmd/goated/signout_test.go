package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"github.com/zalando/go-keyring"

	"goated/internal/config"
)

// "servers signout" removes the token of one account from the keyring. The server stays, and so
// does another account at it. Signing out again is not an error.
func TestSignOutInTheTerminal(t *testing.T) {
	keyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	const address = "https://calendar.test/mcp"
	o := &options{data: t.TempDir()}
	var s config.Settings
	token := make(map[string]string) // where goated has always stored the sign-in of an account
	for _, name := range []string{"calendar", "work"} {
		s.Launch = append(s.Launch, config.Launch{Name: name, URL: address})
		sum := sha256.Sum256([]byte(address + "\n" + name))
		token[name] = fmt.Sprintf("oauth-%x", sum[:16])
		if err := keyring.Set(keyService, token[name], `{"access_token":"t0ken"}`); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.settingsStore().Save(s); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var out bytes.Buffer
		cmd := serversCommand(o)
		cmd.SetOut(&out)
		cmd.SetArgs([]string{"signout", "Calendar"})
		if err := cmd.ExecuteContext(t.Context()); err != nil || out.String() != "signed out of calendar\n" {
			t.Errorf("%v, it says %q", err, &out)
		}
		if _, err := keyring.Get(keyService, token["calendar"]); !errors.Is(err, keyring.ErrNotFound) {
			t.Errorf("the token is still there: %v", err)
		}
	}
	if _, err := keyring.Get(keyService, token["work"]); err != nil {
		t.Errorf("the other account is signed out: %v", err)
	}
	if now, _ := o.loadSettings(); len(now.Launch) != 2 {
		t.Errorf("saved are %+v", now.Launch)
	}
}

// The URL of a client-id metadata document is a setting. It used to be only in an undocumented
// variable.
func TestClientDocumentIsASetting(t *testing.T) {
	for text, want := range map[string]bool{"": true, "https://acme.example/goated.json": true, "http://acme.example/goated.json": false, "https://acme.example": false, "goated.json": false} {
		o := &options{data: t.TempDir()}
		if err := o.settingsStore().Save(config.Settings{Choices: config.Choices{ClientDocument: text}}); err != nil {
			t.Fatal(err)
		}
		s, _ := o.loadSettings()
		if got, err := clientDocument(s); (err == nil) != want || want && got != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
