package ghost

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// errNoKey refuses a fact without a usable name.
var errNoKey = errors.New("key is empty: give the fact a name")

// oneLine returns a key on one line, so that no key looks like several keys in a list.
func oneLine(key string) string {
	spaced := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, key)
	return strings.Join(strings.Fields(spaced), " ")
}

// normalizeKey returns the form that is the same for all keys of one fact. Models vary the case, the
// spaces and the Unicode form of a key. normalizeKey keeps accents, because they are the only
// difference between words such as resume and résumé.
func normalizeKey(key string) string { return norm.NFC.String(strings.ToLower(oneLine(key))) }

// matchingKeys returns the existing keys that a caller means by a key: an exact match, otherwise all keys
// with the same spelling. An old memory may contain several. A list shortens long keys, and the
// caller may pass such a shortened key.
func matchingKeys(all facts, key string) []string {
	for _, k := range []string{key, strings.TrimSpace(key)} {
		if _, ok := all[k]; ok {
			return []string{k}
		}
	}
	want := normalizeKey(key)
	var same []string
	for k := range all {
		if normalizeKey(k) == want || normalizeKey(displayKey(k)) == want {
			same = append(same, k)
		}
	}
	slices.Sort(same)
	return same
}

// keyToWrite returns the key under which a fact is saved.
func keyToWrite(all facts, key string) (string, error) {
	key = strings.TrimSpace(key)
	if oneLine(key) == "" {
		return "", errNoKey
	}
	if requestedPage(key) > 0 {
		return "", fmt.Errorf("key %q lists all keys, so no fact can have it", key)
	}
	switch same := matchingKeys(all, key); len(same) {
	case 0:
		return key, nil
	case 1:
		return same[0], nil
	default:
		for i, k := range same {
			same[i] = strconv.Quote(shorten(k))
		}
		return "", fmt.Errorf("several keys have this name: use one of %s", strings.Join(same[:min(len(same), maxSimilar)], ", "))
	}
}

// keysPerPage is the number of keys in one answer.
const keysPerPage = 100

// requestedPage returns the page of all keys that a key requests: 1 for *, 2 for *2. It returns 0 for other
// keys.
func requestedPage(key string) int {
	digits, ok := strings.CutPrefix(strings.TrimSpace(key), "*")
	switch {
	case !ok:
		return 0
	case digits == "":
		return 1
	}
	n, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// listKeys returns a page of all keys in alphabetical order.
func listKeys(all facts, page int) (string, error) {
	keys := slices.Sorted(maps.Keys(all))
	pages := (len(keys) + keysPerPage - 1) / keysPerPage
	if len(keys) == 0 {
		return "The memory is empty.", nil
	}
	if page > pages {
		return "", fmt.Errorf("the memory has %d pages of keys, and no page %d", pages, page)
	}
	from, to := (page-1)*keysPerPage, min(page*keysPerPage, len(keys))
	if pages == 1 {
		return fmt.Sprintf("Saved keys, %d:%s", len(keys), list(keys)), nil
	}
	answer := fmt.Sprintf("Saved keys, %d to %d of %d:%s", from+1, to, len(keys), list(keys[from:to]))
	if page < pages {
		answer += fmt.Sprintf("\nFor the next ones, read the key \"*%d\".", page+1)
	}
	return answer, nil
}

// list returns one line per name.
func list(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString("\n- " + displayKey(name))
	}
	return b.String()
}

// displayKey returns a key in the form for a list.
func displayKey(key string) string { return shorten(oneLine(key)) }
