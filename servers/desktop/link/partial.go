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

// Gaps are the reasons why elements are missing from answers of the service. The zero value
// has none. It is safe for concurrent use.
type Gaps struct {
	mu      sync.Mutex
	reasons []string
}

// The limits of what a service may say about gaps.
const (
	maxGaps = 4
	maxGap  = 200 // bytes
)

type gapsKey struct{}

// WithGaps returns a context whose calls collect gaps.
func WithGaps(ctx context.Context) (context.Context, *Gaps) {
	g := new(Gaps)
	return context.WithValue(ctx, gapsKey{}, g), g
}

// String says what is missing; empty if nothing is.
func (g *Gaps) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.reasons) == 0 {
		return ""
	}
	return "Elements are missing: " + strings.Join(g.reasons, "; ") + "."
}

// gather takes the gaps of an answer from its header.
func gather(ctx context.Context, header metadata.MD) {
	g, ok := ctx.Value(gapsKey{}).(*Gaps)
	if !ok {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, quoted := range header.Get(macosusesdk.PartialHeader) {
		reason, err := strconv.Unquote(quoted)
		if err != nil {
			continue
		}
		if len(reason) > maxGap {
			reason = strings.ToValidUTF8(reason[:maxGap], "") + "…"
		}
		reason = strings.TrimSuffix(strings.Join(strings.Fields(reason), " "), ".")
		if len(g.reasons) < maxGaps && !slices.Contains(g.reasons, reason) {
			g.reasons = append(g.reasons, reason)
		}
	}
}
