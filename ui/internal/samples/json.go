package samples

import "strings"

// OrderList returns JSON of about the given size, as a server sends it.
func OrderList(bytes int) string {
	var b strings.Builder
	b.WriteString(`{"orders":[`)
	row := `{"id":100001,"customer":{"name":"Ada Lovelace","tags":["a","b"]},"note":"leave it at the door","total":12.5},`
	for b.Len() < bytes {
		b.WriteString(row)
	}
	b.WriteString(`{"id":"last"}]}`)
	return b.String()
}
