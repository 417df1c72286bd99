package chats

import (
	"slices"

	"goated/ui/approval"
	"goated/ui/view"
)

// OfferAgain asks the user whether to answer a message again. The message's call of a server
// failed, and the server now has the permission that it lacked. OfferAgain reports whether there
// is such a message in a conversation without a running turn.
func (q *questions) OfferAgain(server, name string) bool {
	q.page.Refresh()
	c := q.calling(server, false)
	if c == nil || c.busy() || !c.failed(server) || len(c.asks) > 0 {
		return false
	}
	q.put(c, nil, func(o *openQuestion) Question {
		o.server = server
		return approval.NewAgain(q.page.shell, name, o.count, func(again bool) {
			q.close(c, o)
			if again {
				q.page.Versions.answerAgain(c, c.Chat.Len()-1)
			}
		})
	})
	return true
}

// closeAgain closes the question of OfferAgain, because another turn begins.
func (q *questions) closeAgain(c *Conversation) {
	at := slices.IndexFunc(c.asks, func(o *openQuestion) bool {
		_, ok := o.Question.(*approval.Again)
		return ok
	})
	if at >= 0 {
		q.close(c, c.asks[at])
	}
}

// failed reports whether the last call of a server in the last turn failed.
func (c *Conversation) failed(server string) bool {
	cards := c.cardsOf(server)
	return len(cards) > 0 && cards[len(cards)-1].Status == view.Failed
}
