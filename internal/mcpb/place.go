package mcpb

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// readable returns the part of a bundle's name that can be a folder's name. Several names can have
// the same part.
func readable(name string) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
	text = strings.Trim(text[:min(len(text), 60)], "-_")
	if text == "" || reserved[text] {
		return "bundle-" + text
	}
	return text
}

var lower = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// hashed returns the folder for a name that cannot be a folder's name: the readable part and a
// digest.
func hashed(name string) string {
	sum := sha256.Sum256([]byte(name))
	return strings.TrimRight(readable(name), "-") + "-x" + lower.EncodeToString(sum[:10])
}

// id returns the folder of the bundle with this name, or a new folder for it. A bundle never gets
// the folder of a bundle with another name, because that one's saved servers have permissions and
// secrets. Earlier versions of goated used the readable part of a name without a digest. An update
// of such a bundle stays in its folder.
func (f Folder) id(name string) (string, error) {
	plain, digest := readable(name), hashed(name)
	for _, id := range []string{plain, digest} {
		if f.owner(id) == name {
			return id, nil
		}
	}
	if plain == name && f.owner(plain) == "" {
		return plain, nil
	}
	if other := f.owner(digest); other != "" {
		return "", fmt.Errorf("its folder %s has the bundle %q: remove that one first", filepath.Join(f.Path, digest), other)
	}
	return digest, nil
}

// owner returns the name of the bundle in a folder, or "" if the folder has no bundle or a damaged
// one.
func (f Folder) owner(id string) string {
	text, err := os.ReadFile(filepath.Join(f.Path, id, files, "manifest.json"))
	if err != nil {
		return ""
	}
	m, err := Parse(text)
	if err != nil {
		return ""
	}
	return m.Name
}

// Named returns the installed bundle that a bundle with this name would replace.
func (f Folder) Named(name string) (Installed, error) {
	f.restore()
	id, err := f.id(name)
	if err != nil {
		return Installed{}, err
	}
	return f.Find(id)
}
