package ghost

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/secretname"
)

// The limits of the memory, in bytes.
const (
	maxKey    = 1 << 10
	maxValue  = 64 << 10
	maxMemory = 4 << 20
	maxEcho   = 1 << 10 // of a value that the answer to its write repeats
)

// memory is a file with facts. All servers with the same path share it.
type memory struct {
	path string
	now  func() time.Time
	wait time.Duration                              // how long to wait until other processes release the lock
	link func(root *os.Root, old, new string) error // makes a hard link

	mu sync.Mutex // makes the calls of this server wait in order instead of at the file lock
}

type memoryArgs struct {
	Action string  `json:"action"`
	Key    string  `json:"key"`
	Value  *string `json:"value"`
}

func (m *memory) manage(ctx context.Context, _ *mcp.CallToolRequest, args memoryArgs) (*mcp.CallToolResult, any, error) {
	if len(args.Key) > maxKey {
		return nil, nil, fmt.Errorf("key is %d bytes long, the limit is %d", len(args.Key), maxKey)
	}
	var answer, hint string
	var err error
	switch {
	case args.Action == "read":
		answer, hint, err = m.read(ctx, args.Key)
	case args.Value == nil:
		err = refusal("Value is required for write action")
	case len(*args.Value) > maxValue:
		err = fmt.Errorf("value is %d bytes long, the limit is %d", len(*args.Value), maxValue)
	default:
		answer, err = m.write(ctx, args.Key, *args.Value)
		if secretname.Is(args.Key) {
			hint = fmt.Sprintf("Note: %s is a plain text file. A password manager keeps passwords and keys safer. To remove this one, forget %s.", m.name(), shorten(args.Key))
		}
	}
	if err != nil {
		return nil, nil, err
	}
	result := text(answer)
	if hint != "" {
		result.Content = append(result.Content, &mcp.TextContent{Text: hint})
	}
	return result, nil, nil
}

// read returns the value of a key, or a page of all keys. If the key does not exist, the hint names
// facts that the caller may mean.
func (m *memory) read(ctx context.Context, key string) (answer, hint string, err error) {
	err = m.withLock(ctx, func(root *os.Root) error {
		facts, err := m.load(root)
		if err != nil {
			return err
		}
		n := requestedPage(key)
		switch same := matchingKeys(facts, key); {
		case len(same) == 1:
			answer = fmt.Sprintf("Memory value for %s: %s", same[0], display(facts[same[0]]))
			if n > 0 { // an old memory may contain this key
				hint, err = listKeys(facts, n)
			}
		case n > 0:
			answer, err = listKeys(facts, n)
		case oneLine(key) == "":
			return errNoKey
		default:
			answer, hint = "No memory found for key: "+key, similar(facts, key)
		}
		return err
	})
	return answer, hint, err
}

func (m *memory) write(ctx context.Context, key, value string) (answer string, err error) {
	raw, err := encode(value)
	if err != nil {
		return "", fmt.Errorf("encoding the value: %w", err)
	}
	err = m.withLock(ctx, func(root *os.Root) error {
		facts, err := m.load(root)
		if err != nil {
			return err
		}
		if key, err = keyToWrite(facts, key); err != nil {
			return err
		}
		facts[key] = raw
		return m.save(root, facts)
	})
	return fmt.Sprintf("Memory updated: %s = %s", key, shortValue(value)), err
}

// shortValue returns a value for the answer to its write. It omits a long value, which the caller
// already has.
func shortValue(value string) string {
	if len(value) <= maxEcho {
		return value
	}
	return fmt.Sprintf("%s (%d bytes in all)", shorten(value), len(value))
}

// display returns a string unchanged. It returns any other value as JSON. Only the user can put
// such values into the file.
func display(raw json.RawMessage) string {
	var s *string
	if err := json.Unmarshal(raw, &s); err == nil && s != nil {
		return *s
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return string(raw)
	}
	return compact.String()
}

func (m *memory) name() string { return filepath.Base(m.path) }
