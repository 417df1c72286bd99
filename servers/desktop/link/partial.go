package link

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/grpc/metadata"

	"goated/servers/desktop/macosusesdk"
)

// Gaps contains the reasons why elements are missing from the service's replies, and the service's
// other remarks. The zero value is empty. It is safe for concurrent use.
type Gaps struct {
	mu      sync.Mutex
	reasons []string
	remarks []string
}

// The limits of the gaps and remarks that the service may report.
const (
	maxGaps   = 4
	maxGap    = 200 // bytes
	maxRemark = 400 // bytes
)

type gapsKey struct{}

// WithGaps returns a context in which calls collect gaps.
func WithGaps(ctx context.Context) (context.Context, *Gaps) {
	g := new(Gaps)
	return context.WithValue(ctx, gapsKey{}, g), g
}

// String describes what is missing, followed by the remarks. It is empty if there are neither.
func (g *Gaps) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var sentences []string
	if len(g.reasons) > 0 {
		sentences = append(sentences, "Elements are missing: "+strings.Join(g.reasons, "; ")+".")
	}
	for _, r := range g.remarks {
		sentences = append(sentences, r+".")
	}
	return strings.Join(sentences, " ")
}

// addGaps collects the gaps and remarks from the header of a reply.
func addGaps(ctx context.Context, header metadata.MD) {
	g, ok := ctx.Value(gapsKey{}).(*Gaps)
	if !ok {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reasons = addQuoted(g.reasons, header.Get(macosusesdk.PartialHeader), maxGap)
	g.remarks = addQuoted(g.remarks, header.Get(macosusesdk.NoteHeader), maxRemark)
}

// addQuoted adds the values of a header to a list without duplicates.
func addQuoted(list, header []string, limit int) []string {
	for _, quoted := range header {
		said, err := strconv.Unquote(quoted)
		if err != nil {
			continue
		}
		if len(said) > limit {
			said = strings.ToValidUTF8(said[:limit], "") + "…"
		}
		said = strings.TrimSuffix(strings.Join(strings.Fields(said), " "), ".")
		if len(list) < maxGaps && !slices.Contains(list, said) {
			list = append(list, said)
		}
	}
	return list
}
