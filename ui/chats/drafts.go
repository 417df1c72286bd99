package chats

import (
	"context"
	"errors"
	"time"

	"google.golang.org/genai"

	"goated/internal/debounce"
	"goated/internal/store"
)

// A bookkeeping holds changes of a conversation besides its messages. A nil field means that this
// part has not changed.
type bookkeeping struct {
	draft, place *string
	files        *[]*genai.Part // the files of the draft
}

// A draftSaver saves drafts and scroll positions on its own goroutine, within a second. Its
// methods are safe for concurrent use.
type draftSaver struct {
	store *store.Store                     // nil: nothing is saved
	named func(c *Conversation, id string) // called when c has received an id
	*debounce.Writer[*Conversation, bookkeeping]
}

// keepPause is how long changes are collected before they are written. Including the write, a
// crash loses at most the last second of typing.
const keepPause = 400 * time.Millisecond

// keepLeave is how long a closing window waits for a history that is not open yet, for example
// because another goated process has locked it.
const keepLeave = 2 * time.Second

func NewDraftSaver(s *store.Store, named func(*Conversation, string), fail func(error)) *draftSaver {
	k := &draftSaver{store: s, named: named}
	k.Writer = debounce.New(debounce.Options[*Conversation, bookkeeping]{
		Write: k.keep,
		Fail: func(err error) {
			if !errors.Is(err, store.ErrNotOpened) { // Recall reports that error
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

// Draft saves a draft. If files is nil, it does not write the files again, because they are
// large.
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

// keep writes the bookkeeping of a conversation. It ignores a conversation that was deleted.
func (s *draftSaver) keep(ctx context.Context, c *Conversation, b bookkeeping) error {
	if err := s.write(ctx, c, b); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

// write saves the changes. A draft with text or files creates a new conversation in the history.
// An empty draft does not.
func (s *draftSaver) write(ctx context.Context, c *Conversation, b bookkeeping) error {
	id := c.Saved.identity.ID()
	if id == "" {
		if b.draft == nil || *b.draft == "" && (b.files == nil || len(*b.files) == 0) {
			return nil
		}
		var err error
		if id, err = c.Saved.identity.EnsureID(ctx, s.store); err != nil {
			return err
		}
		s.named(c, id)
	}
	if b.place != nil {
		if err := s.store.SetReadingPosition(ctx, id, *b.place); err != nil {
			return err // each attempt may wait for another process
		}
	}
	if b.draft != nil {
		return s.store.SetDraft(ctx, id, *b.draft, b.files) // last, because it may reject the files
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

// Scrolled saves the scroll position.
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
