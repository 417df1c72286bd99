package ui_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
	"goated/internal/waittest"
	"goated/ui"
)

// A lockedKeyring is a sign-in that cannot be read until the user unlocks the keyring.
type lockedKeyring struct{ unlocked chan struct{} }

func (k lockedKeyring) SignedIn() bool { <-k.unlocked; return true }
func (lockedKeyring) SignOut() error   { return nil }

func (lockedKeyring) Authorization(context.Context) (string, error) { return "", nil }
func (lockedKeyring) Rejected(context.Context, string, int, http.Header, bool) error {
	return client.ErrDisconnected
}
func (lockedKeyring) RejectedInBackground(context.Context, string) error {
	return client.ErrDisconnected
}

// The page of a server with a URL waited for the keyring before it opened, so that the window stood
// still while the user had to unlock the keyring.
func TestThePageOfAServerDoesNotWaitForTheKeyring(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "counts", Version: "1"}, nil)
	servertest.CloseSessions(t, s)
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(web.Close)
	keyring := lockedKeyring{make(chan struct{})}
	host := client.New(client.Options{Unconfined: unconfined, Authorizer: func(client.Config) client.Authorizer { return keyring }})
	t.Cleanup(host.Close)
	d := hosted(t, ui.Options{Host: host})
	if _, err := host.Connect(t.Context(), client.Config{URL: web.URL, Name: "Counts"}); err != nil {
		t.Fatal(err)
	}
	d.until("the sidebar counts the server", func() bool { return d.After("Tools") == "1" })
	waittest.Return(t, "the page, while the keyring is locked", func() { d.openServer("Counts", "Log") })
	if d.Reads("Sign out") {
		t.Error("the page offers to sign out, although goated may not be signed in")
	}
	close(keyring.unlocked)
	d.sees("Sign out")
}
