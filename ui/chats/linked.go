package chats

import (
	"fmt"
	"slices"

	"goated/client"
	"goated/internal/errtext"
	"goated/internal/offers"
	"goated/internal/safetext"
	"goated/ui/shell"
	"goated/ui/view"
)

// ReadLink asks the server that returned a link for the resource, and shows it. open returns the
// function that shows a file, or nil if the window cannot show it. goated itself never opens the
// file that a link names, because a server has more rights than a link.
func ReadLink(sh *shell.Shell, host *client.Host, server string, p view.Part, open func(view.Attachment) func()) {
	name := safetext.Name(server)
	servers := host.Snapshot().Servers
	at := slices.IndexFunc(servers, func(s client.Server) bool {
		return s.Status == client.Connected && (s.Name == server || s.ID == server)
	})
	if at < 0 {
		sh.Toasts.Say("alert", fmt.Sprintf("%s is not connected. Start it in Tools to read this.", name))
		return
	}
	o := offers.Offer{Kind: offers.Resource, Server: servers[at].ID, From: name, Name: p.Name, Title: safetext.Name(p.Title), URI: p.URI, Type: p.MIME}
	if p.Name != "" {
		o.Title = safetext.Name(p.Name)
	}
	sh.Go(func() {
		all, err := o.Read(sh.Ctx, host, nil, view.MaxAttachment)
		var file view.Attachment
		if err == nil { // the texts of a resource form the first file
			file = view.Attachment{Name: all[0].Name, Data: all[0].Data}
			if known, err := newAttached(all[0].Name, all[0].Data); err == nil { // other files are saved
				file = known.Attachment
			}
		}
		sh.Post(func() {
			if err != nil {
				sh.Toasts.Say("alert", fmt.Sprintf("%s did not return it: %s", name, errtext.PlainSentence(err)))
				return
			}
			if show := open(file); show != nil {
				show()
			}
		})
	})
}
