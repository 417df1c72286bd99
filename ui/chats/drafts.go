package chats

import (
	"context"
	"errors"
	"time"

	"google.golang.org/genai"

	"goated/internal/debounce"
	"goated/internal/store"
)

// A bookkeeping is the state of a conversation beside its messages; nil is a
// part that has not changed.
type bookkeeping struct {
	draft, place *string
	files        *[]*genai.Part // of draft
}

// A draftSaver writes drafts and reading places on its own goroutine, within a
// second. Its methods are safe for concurrent use.
type draftSaver struct {
	store *store.Store                     // nil: nothing is written
	named func(c *Conversation, id string) // c got an id
	*debounce.Writer[*Conversation, bookkeeping]
}

// keepPause is how long changes are gathered. With it and the writing, a crash
// loses at most the last second of typing.
const keepPause = 400 * time.Millisecond

// keepLeave is how long a closing window waits for a history that is not open yet,
// for example because another goated has locked it.
const keepLeave = 2 * time.Second

func NewDraftSaver(s *store.Store, named func(*Conversation, string), fail func(error)) *draftSaver {
	k := &draftSaver{store: s, named: named}
	k.Writer = debounce.New(debounce.Options[*Conversation, bookkeeping]{
		Write: k.keep,
		Fail: func(err error) {
			if !errors.Is(err, store.ErrUnopened) { // recall reports that
				fail(err)
			}
		},
		Merge: func(older, newer bookkeeping) bookkeeping {
			if newer.draft == nil {
				newer.draft = older.draft
			}
			if newer.files == nil {
				newer.files = older.files
			}
			if newer.place == nil {
				newer.place = older.place
			}
			return newer
		},
		Pause:  keepPause,
		Linger: keepLeave,
	})
	return k
}

// Draft keeps a draft. If files is nil, the saved files stay: files are large.
func (s *draftSaver) Draft(c *Conversation, text string, files *[]*genai.Part) {
	if s.store != nil {
		s.Put(c, bookkeeping{draft: &text, files: files})
	}
}

func (s *draftSaver) Place(c *Conversation, place string) {
	if s.store != nil {
		s.Put(c, bookkeeping{place: &place})
	}
}

// keep writes the bookkeeping of a conversation; a deleted conversation has none.
func (s *draftSaver) keep(ctx context.Context, c *Conversation, b bookkeeping) error {
	if err := s.write(ctx, c, b); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

// write stores what has changed. A draft or a file of it in a new
// conversation creates the conversation in the history; an empty draft does not.
func (s *draftSaver) write(ctx context.Context, c *Conversation, b bookkeeping) error {
	id := c.Saved.identity.ID()
	if id == "" {
		if b.draft == nil || *b.draft == "" && (b.files == nil || len(*b.files) == 0) {
			return nil
		}
		var err error
		if id, err = c.Saved.identity.In(ctx, s.store); err != nil {
			return err
		}
		s.named(c, id)
	}
	if b.place != nil {
		if err := s.store.SetPlace(ctx, id, *b.place); err != nil {
			return err // each try may wait for another process
		}
	}
	if b.draft != nil {
		return s.store.SetDraft(ctx, id, *b.draft, b.files) // last: it may refuse the files
	}
	return nil
}

// saveDraft saves the text in the composer as the draft.
func (p *Page) saveDraft() {
	p.Composer.Suggest.typed()
	c := p.Conversation()
	if text := p.Composer.Input.Text; text != c.draft {
		c.draft = text
		p.keepDraft(c)
	}
}

// Scrolled saves where the reader is.
func (p *Page) Scrolled() {
	c := p.Conversation()
	if c.Read.Loading || c.Saved.ID == "" {
		return
	}
	if place := p.Transcript.View.ScrollPos(); place != c.Saved.place {
		c.Saved.place = place
		p.History.Drafts.Place(c, place)
	}
}
