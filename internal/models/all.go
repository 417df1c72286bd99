package models

import (
	"context"
	"slices"
	"strings"

	"goated/internal/config"
	"goated/internal/lazyregexp"
)

// All returns the groups of [Source.Offered] as the services have them now: Gemini's
// models of the user's key, then those of [Source.Found]. It takes at most ten seconds. If
// Gemini cannot be asked, its group has the models that goated knows and an Err; without a
// key it is not asked.
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

// silent finds the names of models that hold no conversation with tools: they make
// pictures, sound or numbers, or take no functions.
var silent = lazyregexp.New(`(^|-)(embedding|image|tts|audio|live|robotics|computer|veo|imagen|lyria|aqa|gemma)(-|$)`)

// current brings the models that goated knows up to date with a list of Gemini: a model
// may have become a release or be only a preview, one that Gemini no longer has is left out unless
// it is chosen, and the others of the list follow, the newest first.
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
