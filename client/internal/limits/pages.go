package limits

import "fmt"

// Bounds for one list of a server.
const (
	maxOffers = 5000
	maxPages  = 200
)

// Pages fetches all pages of a server's list, within goated's bounds. A longer list is valid, so
// Pages keeps the first elements and passes a sentence about the rest to note.
func Pages[T any](of string, note func(string), fetch func(cursor string) ([]T, string, error)) ([]T, error) {
	var all []T
	seen := make(map[string]bool)
	cursor := ""
	for range maxPages {
		some, next, err := fetch(cursor)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
		cursor = next
		switch {
		case len(all) > maxOffers || len(all) == maxOffers && cursor != "":
			note(fmt.Sprintf("goated uses only the first %d %s of this server", maxOffers, of))
			return all[:maxOffers:maxOffers], nil
		case cursor == "":
			return all, nil
		case seen[cursor]:
			return nil, fmt.Errorf("the server's list of %s repeats its pages", of)
		}
		seen[cursor] = true
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the server's list of %s has more than %d pages, and all of them are empty", of, maxPages)
	}
	note(fmt.Sprintf("goated uses only the first %d pages of this server's list of %s", maxPages, of))
	return all, nil
}
