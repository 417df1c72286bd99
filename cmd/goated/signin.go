package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"goated/client"
	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/oauth"
	"goated/internal/terminal"
)

// A signInFunc asks the user to sign in to a server. It opens the address in the browser, or shows
// it.
type signInFunc = func(ctx context.Context, r oauth.Request) error

// An authority handles the sign-ins to the servers of a host.
type authority struct{ *oauth.Authority }

// newAuthority creates the sign-ins of an app. Without a window or a terminal, the user cannot sign
// in, but goated still uses saved tokens.
func (o *options) newAuthority(log *logFile) authority {
	ask := o.signIn
	if ask == nil && terminal.Interactive() {
		ask = printSignIn(terminal.Plain{To: os.Stderr})
	}
	s, _ := o.loadSettings() // the start reports an error
	document, err := clientDocument(s)
	if err != nil {
		log.Warn("the client document of the settings is not used", "cause", err)
	}
	return authority{oauth.New(oauth.Options{Open: ask, Keyring: serverSecrets(log), Secret: log.keep, ClientDocument: document, Locks: filepath.Join(o.dataDir(), "signins")})}
}

// clientDocument returns the URL of the client-id metadata document in the settings.
func clientDocument(s config.Settings) (string, error) {
	if u, err := url.Parse(s.ClientDocument); s.ClientDocument != "" && (err != nil || u.Scheme != "https" || u.Host == "" || len(u.Path) < 2 || u.Fragment != "") {
		return "", fmt.Errorf("%q in clientDocument is not an https address with a path. Correct it in settings.json", s.ClientDocument)
	}
	return s.ClientDocument, nil
}

// authorizer returns the sign-in to the server of a configuration. It has the signature that
// client.Options requires.
func (a authority) authorizer(c client.Config) client.Authorizer {
	return a.For(c.URL, c.Name, cmp.Or(c.Name, launch.HostName(c.URL)), registration(c.Env))
}

// registration returns the client that the user registered manually for a server with a URL, if
// there is one.
func registration(env []string) (r oauth.Registration) {
	for _, v := range config.VariablesOf(env) {
		switch v.Name {
		case config.ClientID:
			r.ID = v.Value
		case config.ClientSecret:
			r.Secret = v.Value
		}
	}
	return r
}

// printSignIn returns a signInFunc that prints the address at which the user signs in.
func printSignIn(w io.Writer) signInFunc {
	return func(_ context.Context, r oauth.Request) error {
		why := "wants you to sign in"
		if r.Again {
			why = "wants more permissions: " + strings.Join(r.Scopes, ", ") + ". You grant them"
		}
		fmt.Fprintf(w, "\n%s %s at %s. Open this address in a browser on this computer:\n\n  %s\n\ngoated continues when you have signed in. Ctrl+C cancels.\n", r.Server, why, r.Host, r.URL)
		return nil
	}
}
