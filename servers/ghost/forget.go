package ghost

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/paths"
)

type forgetArgs struct {
	Key string `json:"key"`
}

// similarNames is the heading of the names that an answer offers for an unknown name. A client
// finds it in the tool's _meta (registry.OffersKey).
const similarNames = "Similar names:"

// forget removes the fact with a key. If there is none, the answer lists the closest names.
func (m *memory) forget(ctx context.Context, _ *mcp.CallToolRequest, args forgetArgs) (*mcp.CallToolResult, any, error) {
	if len(args.Key) > maxKey {
		return nil, nil, fmt.Errorf("key is %d bytes long, the limit is %d", len(args.Key), maxKey)
	}
	var answer string
	err := m.withLock(ctx, func(root *os.Root) error {
		facts, err := m.load(root)
		if err != nil {
			return err
		}
		same := matchingKeys(facts, args.Key)
		switch {
		case len(same) == 1:
		case oneLine(args.Key) == "":
			return errNoKey
		default:
			answer = noFactText(facts, args.Key)
			return nil
		}
		key, raw := same[0], facts[same[0]]
		delete(facts, key)
		if err := m.save(root, facts); err != nil {
			return err
		}
		answer = fmt.Sprintf("Memory removed: %s = %s", key, display(raw))
		if err := m.renewBackup(root); err != nil {
			return fmt.Errorf("%s no longer holds %s, but its backup %s does until the next change of the memory: %w", m.name(), shorten(key), m.backupName(), paths.WithoutPath(err))
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return text(answer), nil, nil
}

// renewBackup makes the backup a copy of the memory, because the old backup still contains the
// removed fact. A hard link to the memory would lose both if the file is damaged.
func (m *memory) renewBackup(root *os.Root) error {
	info, err := root.Lstat(m.name())
	if err != nil {
		return err
	}
	data, err := m.readFile(root, m.name())
	if err != nil {
		return err
	}
	tmp := "." + m.backupName() + ".tmp"
	_ = root.Remove(tmp) // as in save
	return replaceBy(root, tmp, m.backupName(), data, info.Mode().Perm())
}

// noFactText returns the answer for a key without a fact.
func noFactText(all facts, key string) string {
	answer := fmt.Sprintf("Nothing is stored under the name %q, so nothing was removed.", shorten(key))
	near, keys := closest(all, key), slices.Sorted(maps.Keys(all))
	switch {
	case len(near) > maxSimilar:
		return answer + "\n" + similarNames + list(near[:maxSimilar]) + fmt.Sprintf("\nThese are the closest %d of %d.", maxSimilar, len(near))
	case len(near) > 0:
		return answer + "\n" + similarNames + list(near)
	case len(keys) > maxKeys:
		return answer + "\n" + heading("Stored names", maxKeys, len(keys)) + list(keys[:maxKeys]) + readAll
	case len(keys) > 0:
		return answer + "\nStored names:" + list(keys)
	}
	return answer + " The memory is empty."
}
