package programs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// These limits apply to a download and its contents. They are several times the sizes of today's
// versions.
const (
	maxDownload = 512 << 20
	maxUnpacked = 2 << 30
	maxFiles    = 50_000
)

// get downloads a file, checks it, and unpacks it into a folder. It unpacks nothing if the hash is
// wrong.
func (f *Folder) get(ctx context.Context, one file, into string, progress func(int64)) error {
	resp, err := f.open(ctx, one.url, "*/*")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	packed, err := os.CreateTemp("", "goated-*.download")
	if err != nil {
		return err
	}
	defer os.Remove(packed.Name())
	defer packed.Close()
	sum, want := sha256.New(), one.sha256
	if want == nil {
		sum, want = sha512.New(), one.sha512
	}
	n, err := io.Copy(io.MultiWriter(packed, sum, &counter{tell: progress}), io.LimitReader(resp.Body, maxDownload+1))
	switch {
	case err != nil:
		return fmt.Errorf("downloading from %s: %w", host(one.url), err)
	case n > maxDownload:
		return fmt.Errorf("the file of %s is larger than %d MiB", host(one.url), maxDownload>>20)
	case !bytes.Equal(sum.Sum(nil), want):
		return fmt.Errorf("the file of %s has another hash than the registry promises: it is damaged or was replaced. Try again", host(one.url))
	}
	return one.unpack(packed, into)
}

// A counter counts the bytes that are written to it, and reports the number.
type counter struct {
	n    int64
	tell func(int64)
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	c.tell(c.n)
	return len(p), nil
}

// wheel unpacks the programs of a wheel: *.data/scripts/NAME. It fails if one of them is missing.
func wheel(names ...string) func(*os.File, string) error {
	return func(packed *os.File, into string) error {
		info, err := packed.Stat()
		if err != nil {
			return err
		}
		z, err := zip.NewReader(packed, info.Size())
		if err != nil {
			return fmt.Errorf("unpacking: %w", err)
		}
		root, err := os.OpenRoot(into)
		if err != nil {
			return err
		}
		defer root.Close()
		found := 0
		for _, e := range z.File {
			for _, name := range names {
				if ok, _ := path.Match("*.data/scripts/"+name, e.Name); !ok || !e.Mode().IsRegular() {
					continue
				}
				r, err := e.Open()
				if err != nil {
					return fmt.Errorf("unpacking: %w", err)
				}
				_, err = write(root, name, r, 0o700, maxUnpacked)
				_ = r.Close()
				if err != nil {
					return err
				}
				found++
			}
		}
		if found != len(names) {
			return fmt.Errorf("the package does not have the programs %s", strings.Join(names, " and "))
		}
		return nil
	}
}

// tarball unpacks regular files of an npm package. places maps files and folders of the package to
// their destinations. tarball skips all other files.
func tarball(places map[string]string) func(*os.File, string) error {
	return func(packed *os.File, into string) error {
		if _, err := packed.Seek(0, io.SeekStart); err != nil {
			return err
		}
		z, err := gzip.NewReader(packed)
		if err != nil {
			return fmt.Errorf("unpacking: %w", err)
		}
		root, err := os.OpenRoot(into)
		if err != nil {
			return err
		}
		defer root.Close()
		left, files := int64(maxUnpacked), 0
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return fmt.Errorf("unpacking: %w", err)
			}
			name := placed(h.Name, places)
			if h.Typeflag != tar.TypeReg || name == "" {
				continue
			}
			if files++; files > maxFiles {
				return fmt.Errorf("the package has more than %d files", maxFiles)
			}
			if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
				return fmt.Errorf("unpacking: %w", err)
			}
			n, err := write(root, name, r, os.FileMode(h.Mode)&0o100|0o600, left)
			if err != nil {
				return err
			}
			left -= n
		}
		if files < len(places) {
			return errors.New("the package does not have the expected files")
		}
		return nil
	}
}

// placed returns the destination of a file of a package, or "" if the file is skipped.
func placed(name string, places map[string]string) string {
	name = path.Clean(name)
	for from, to := range places {
		if name == from {
			return to
		}
		if rest, ok := strings.CutPrefix(name, from); ok && strings.HasSuffix(from, "/") {
			return to + rest
		}
	}
	return ""
}

// write writes one file of at most limit bytes. root keeps it inside its folder.
func write(root *os.Root, name string, r io.Reader, mode os.FileMode, limit int64) (int64, error) {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return 0, fmt.Errorf("unpacking: %w", err)
	}
	n, err := io.Copy(f, io.LimitReader(r, limit+1))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil && n > limit {
		err = fmt.Errorf("its files are larger than %d MiB", maxUnpacked>>20)
	}
	if err != nil {
		return n, fmt.Errorf("unpacking: %w", err)
	}
	return n, nil
}
