package ghost

import (
	"context"
	"fmt"
	"os"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/paths"
)

type forgetArgs struct {
	Key string `json:"key"`
}

// similarNames is the line above the names that an answer offers instead of an unknown one. A
// client finds it in the tool's _meta (registry.OffersKey).
const similarNames = "Similar names:"

// forget removes the fact under a key. If there is none, the answer lists the closest names.
func (m *memory) forget(ctx context.Context, _ *mcp.CallToolRequest, args forgetArgs) (*mcp.CallToolResult, any, error) {
	if len(args.Key) > maxKey {
		return nil, nil, fmt.Errorf("key is %d bytes long, the limit is %d", len(args.Key), maxKey)
	}
	var answer string
	err := m.locked(ctx, func(root *os.Root) error {
		facts, err := m.load(root)
		if err != nil {
			return err
		}
		raw, ok := facts[args.Key]
		if !ok {
			answer = unknown(facts, args.Key)
			return nil
		}
		delete(facts, args.Key)
		if err := m.save(root, facts); err != nil {
			return err
		}
		answer = fmt.Sprintf("Memory removed: %s = %s", args.Key, display(raw))
		if err := m.renewBackup(root); err != nil {
			return fmt.Errorf("%s no longer holds %s, but its backup %s does: %w", m.name(), shorten(args.Key), m.backupName(), paths.WithoutPath(err))
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return text(answer), nil, nil
}

// renewBackup makes the backup a copy of the memory, because the backup still holds what the
// user wants gone. A link would share the memory's fate.
func (m *memory) renewBackup(root *os.Root) error {
	info, err := root.Lstat(m.name())
	if err != nil {
		return err
	}
	data, err := m.readFile(root, m.name())
	if err != nil {
		return err
	}
	return replaceBy(root, "."+m.backupName()+".tmp", m.backupName(), data, info.Mode().Perm())
}

// unknown is the answer for a key without a fact.
func unknown(all facts, key string) string {
	answer := fmt.Sprintf("Nothing is stored under the name %q, so nothing was removed.", shorten(key))
	near, keys := closest(all, key)
	switch {
	case len(near) > 0:
		return answer + "\n" + similarNames + list(near[:min(len(near), maxSimilar)])
	case len(keys) > 0:
		return answer + "\nStored names:" + list(keys[:min(len(keys), maxKeys)])
	}
	return answer + " The memory is empty."
}

// list returns one line per name. It leaves out names that do not fit on a line, so that no
// name reads like several.
func list(names []string) string {
	var b strings.Builder
	for _, name := range names {
		if len([]rune(name)) <= maxShown && !strings.ContainsFunc(name, unicode.IsControl) {
			b.WriteString("\n- " + name)
		}
	}
	return b.String()
}
