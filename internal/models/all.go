package models

import (
	"context"
	"slices"
	"strings"

	"goated/internal/config"
	"goated/internal/lazyregexp"
)

// All returns the groups of [Source.Offered] with the current models of the services: Gemini's
// models for the user's key, then those of [Source.Found]. It takes at most ten seconds. If the
// request to Gemini fails, its group contains the models that goated knows, and Err is set. Without
// a key, All does not ask Gemini.
func (s *Source) All(ctx context.Context, settings config.Settings, chosen config.ModelRef) []Group {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	groups := s.Offered(settings, chosen)
	found := make(chan []Group, 1)
	go func() { found <- s.Found(ctx, settings) }() // ends with ctx; All waits for it
	if key, _ := s.Key(ctx, settings, ""); key != "" {
		listed := s.gemini(ctx, settings, key)
		groups[0].Err = listed.Err
		if listed.Err == nil {
			groups[0].Entries = current(groups[0].Entries, listed.Entries, chosen)
		}
	}
	return slices.Concat(groups[:1], <-found, groups[1:])
}

// silent matches the names of models that cannot hold a conversation with tools: they produce
// images, sound or embeddings, or accept no functions.
var silent = lazyregexp.New(`(^|-)(embedding|image|tts|audio|live|robotics|computer|veo|imagen|lyria|aqa|gemma)(-|$)`)

// current updates the models that goated knows from Gemini's list. If Gemini has only the release
// of a preview, or only the preview of a release, it uses that name. It leaves out a model that
// Gemini no longer has, unless the user has chosen it. The other models of the list follow, newest
// first.
func current(known, listed []Entry, chosen config.ModelRef) []Entry {
	index := func(list []Entry, name string) int {
		return slices.IndexFunc(list, func(e Entry) bool { return e.Ref.Name == name })
	}
	var out, more []Entry
	for _, k := range known {
		i := index(listed, k.Ref.Name)
		if release, preview := strings.CutSuffix(k.Ref.Name, "-preview"); i < 0 && preview {
			i = index(listed, release)
		} else if i < 0 {
			i = index(listed, k.Ref.Name+"-preview")
		}
		switch {
		case i < 0 && k.Ref == chosen:
			out = append(out, k)
		case i >= 0 && index(out, listed[i].Ref.Name) < 0:
			e := listed[i]
			e.Note = k.Note
			out = append(out, e)
		}
	}
	for _, e := range listed {
		if index(out, e.Ref.Name) < 0 && !silent.MatchString(e.Ref.Name) {
			more = append(more, e)
		}
	}
	slices.SortStableFunc(more, func(a, b Entry) int { return strings.Compare(b.Ref.Name, a.Ref.Name) })
	return append(out, more...)
}
