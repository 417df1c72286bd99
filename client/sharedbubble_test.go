package client

import "goated/internal/sandbox"

// ShareBubble makes h use a bubblewrap that find has already tried, perhaps for another host.
func ShareBubble(h *Host, find func() sandbox.Bubble) { h.sandboxes.find = find }
