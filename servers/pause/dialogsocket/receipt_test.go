package dialogsocket

import (
	"testing"

	"goated/internal/waittest"
	"goated/servers/pause/dialog"
)

// A caller has its answer, and its connection is lost before goated has the receipt. The next time
// that it asks, the user decides again: the answer must not be given twice. This also holds if goated
// was restarted meanwhile.
func TestReceiptOutlivesItsConnection(t *testing.T) {
	for name, restarts := range map[string]bool{"the connection is lost": false, "goated is restarted": true} {
		t.Run(name, func(t *testing.T) {
			folder, u := t.TempDir(), newUser()
			s := listenAt(t, Options{Folder: folder, Ask: u.ask})
			c := clientAt(t, folder)
			u.answers <- dialog.Answer{Text: "Ada"}
			if got, err := c.Ask(t.Context(), someone, question); err != nil || got.Text != "Ada" {
				t.Fatalf("%+v, %v", got, err)
			}
			<-u.asked
			l := c.link
			if _ = l.ws.NetConn().Close(); restarts {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				listenAt(t, Options{Folder: folder, Ask: u.ask})
			}
			waittest.Receive(t, "the connection ends", l.done)
			u.answers <- dialog.Answer{Text: "Grace"}
			if got, err := c.Ask(t.Context(), someone, question); err != nil || got.Text != "Grace" {
				t.Errorf("%+v, %v, asked %d times more", got, err, len(u.asked))
			}
		})
	}
}
