package mcpb

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"
)

// These limits apply to a bundle. Real bundles are much smaller, and a bundle within the limits
// does not fill a disk.
const (
	maxBundle  = 1 << 30 // the file, in bytes
	maxFile    = 1 << 30 // each file in it
	maxUnpack  = 3 << 30 // all files in it
	maxEntries = 100_000
	maxName    = 1000
	maxDepth   = 40
	// A file larger than freeSize is a zip bomb if its compression ratio is higher than maxRatio.
	maxRatio = 200
	freeSize = 10 << 20
)

// A Bundle is an opened .mcpb file. The caller must close it.
type Bundle struct {
	Manifest *Manifest
	SHA256   string // of the file, in hex
	Size     int64  // of the file, in bytes
	Files    int

	file *os.File
	zip  *zip.Reader
}

// Open reads and checks a bundle, but does not unpack it. hash is its expected SHA-256 in hex; an
// empty hash accepts any bundle.
func Open(name, hash string) (*Bundle, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("opening the bundle: %w", err)
	}
	b, err := read(f, hash)
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("reading the bundle: %w", err)
	}
	return b, nil
}

// Close closes the file.
func (b *Bundle) Close() error { return b.file.Close() }

func read(f *os.File, hash string) (*Bundle, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case info.Size() > maxBundle:
		return nil, errors.New("it is larger than 1 GiB")
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return nil, err
	}
	b := &Bundle{SHA256: hex.EncodeToString(sum.Sum(nil)), Size: info.Size(), file: f}
	if hash != "" && !strings.EqualFold(hash, b.SHA256) {
		return nil, fmt.Errorf("its SHA-256 is %s, but should be %s: it is damaged or was replaced. Do not use it", b.SHA256, strings.ToLower(hash))
	}
	if b.zip, err = zip.NewReader(f, info.Size()); err != nil {
		return nil, errors.New("it is not a bundle: a bundle is a ZIP file")
	}
	if err := check(b.zip.File); err != nil {
		return nil, err
	}
	b.Files = len(b.zip.File)
	for _, e := range b.zip.File {
		if e.Name == "manifest.json" {
			r, err := e.Open()
			if err != nil {
				return nil, err
			}
			defer r.Close()
			data, err := io.ReadAll(io.LimitReader(r, maxManifest+1))
			if err != nil {
				return nil, err
			}
			b.Manifest, err = Parse(data)
			return b, err
		}
	}
	return nil, errors.New("it has no manifest.json")
}

// check rejects a ZIP file that would write outside its folder, hide files, or fill the disk.
func check(files []*zip.File) error {
	if len(files) > maxEntries {
		return fmt.Errorf("it has more than %d files", maxEntries)
	}
	var total uint64
	kinds := make(map[string]bool) // folded path to whether it is a folder
	for _, f := range files {
		name := strings.TrimSuffix(f.Name, "/")
		folder := strings.HasSuffix(f.Name, "/")
		if err := checkName(name); err != nil {
			return fmt.Errorf("the file %.200q %w", f.Name, err)
		}
		if mode := f.Mode(); !folder && !mode.IsRegular() {
			return fmt.Errorf("the file %q is a link or a device", name)
		}
		if f.Flags&1 != 0 {
			return fmt.Errorf("the file %q is encrypted", name)
		}
		key := fold(name)
		if was, twice := kinds[key]; twice && !(was && folder) {
			return fmt.Errorf("the file %q is in it twice, or differs from another one only in case", name)
		}
		kinds[key] = folder
		for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
			if was, known := kinds[dir]; known && !was {
				return fmt.Errorf("the file %q is below another file", name)
			}
			kinds[dir] = true
		}
		size := f.UncompressedSize64
		total += size
		switch {
		case size > maxFile:
			return fmt.Errorf("the file %q is larger than 1 GiB", name)
		case total > maxUnpack:
			return errors.New("its files are larger than 3 GiB")
		case size > freeSize && size/maxRatio > f.CompressedSize64:
			return fmt.Errorf("the file %q is packed so tightly that it looks like an attack", name)
		}
	}
	return nil
}

// fold returns the form of a name that a case-insensitive file system compares.
func fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// reserved contains the names that Windows reserves for devices.
var reserved = map[string]bool{"con": true, "prn": true, "aux": true, "nul": true, "com1": true, "com2": true, "com3": true, "com4": true, "com5": true,
	"com6": true, "com7": true, "com8": true, "com9": true, "lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true}

// checkName returns an error if a path cannot be in a bundle.
func checkName(name string) error {
	switch {
	case name == "" || len(name) > maxName:
		return errors.New("has no name, or one that is too long")
	case !utf8.ValidString(name):
		return errors.New("has a name that is not UTF-8")
	case strings.HasPrefix(name, "/") || strings.ContainsAny(name, `\:`):
		return errors.New("names a place outside the bundle")
	case !fs.ValidPath(name):
		return errors.New("names a place outside the bundle")
	case strings.Count(name, "/") > maxDepth:
		return errors.New("lies too deep")
	}
	for _, r := range name {
		if r < 0x20 || r == 0x7f || r == 0x202e || r == 0x2066 || r == 0x2067 || r == 0x2068 {
			return errors.New("has a control character in its name")
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		base, _, _ := strings.Cut(strings.ToLower(part), ".")
		if reserved[base] || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
			return errors.New("has a name that Windows cannot have")
		}
	}
	return nil
}

// unpack writes all files below root. It checks that each has the size in its header and the right
// checksum.
func (b *Bundle) unpack(ctx context.Context, root *os.Root) error {
	entry := path.Clean(strings.ReplaceAll(b.Manifest.Server.EntryPoint, `\`, "/"))
	for _, f := range b.zip.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := strings.TrimSuffix(f.Name, "/")
		if strings.HasSuffix(f.Name, "/") {
			if err := root.MkdirAll(name, 0o755); err != nil {
				return err
			}
			continue
		}
		if dir := path.Dir(name); dir != "." {
			if err := root.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		mode := fs.FileMode(0o644)
		if f.Mode()&0o111 != 0 || b.Manifest.Server.Type == Binary && name == entry {
			mode = 0o755
		}
		if err := write(root, name, mode, f); err != nil {
			return fmt.Errorf("unpacking %s: %w", name, err)
		}
	}
	return nil
}

func write(root *os.Root, name string, mode fs.FileMode, f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	out, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(r, int64(f.UncompressedSize64)+1))
	if err == nil && n != int64(f.UncompressedSize64) {
		err = errors.New("it is longer or shorter than it says")
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}
