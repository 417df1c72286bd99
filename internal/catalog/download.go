package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"

	"goated/internal/download"
)

// maxPackage limits a downloaded package, in bytes.
const maxPackage = 1 << 30

// Download downloads a file to a temporary path, checks its SHA-256 unless want is empty, and
// returns the path. The caller must remove the file.
func (c *Client) Download(ctx context.Context, address, want string) (path string, err error) {
	resp, err := c.source().Open(ctx, address, "")
	if err != nil {
		return "", fmt.Errorf("downloading the bundle: %w", err)
	}
	defer resp.Body.Close()
	f, err := os.CreateTemp("", "goated-*.mcpb")
	if err != nil {
		return "", fmt.Errorf("downloading the bundle: %w", err)
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(resp.Body, maxPackage+1))
	if closed := f.Close(); err == nil {
		err = closed
	}
	got := hex.EncodeToString(sum.Sum(nil))
	switch {
	case err != nil:
	case n > maxPackage:
		err = errors.New("it is larger than 1 GiB")
	case want != "" && !strings.EqualFold(got, want):
		err = fmt.Errorf("its SHA-256 is %s, but the registry promises %s: it is damaged or was replaced", got, want)
	default:
		return f.Name(), nil
	}
	_ = os.Remove(f.Name())
	return "", fmt.Errorf("downloading the bundle: %w", err)
}

func (c *Client) source() download.Source { return download.Source{HTTP: c.HTTP} }

// Verify checks that the registry of a package has a file with the SHA-256 in the entry. Packages
// without a SHA-256 pass, and so do bundles, which [Client.Download] checks. npm and pypi are the
// URLs of these registries; empty means the default.
func (c *Client) Verify(ctx context.Context, p Package, npm, pypi string) error {
	if p.SHA256 == "" {
		return nil
	}
	mismatch := fmt.Errorf("the file of %s %s has another SHA-256 than the MCP registry promises: it is damaged or was replaced", p.Identifier, p.Version)
	switch p.Type {
	case "npm":
		var v struct {
			Dist struct {
				Tarball string `json:"tarball"`
			} `json:"dist"`
		}
		if err := c.read(ctx, cmp.Or(npm, "https://registry.npmjs.org")+"/"+url.PathEscape(p.Identifier)+"/"+url.PathEscape(p.Version), &v); err != nil {
			return fmt.Errorf("checking the package: %w", err)
		}
		resp, err := c.source().Open(ctx, v.Dist.Tarball, "")
		if err != nil {
			return fmt.Errorf("checking the package: %w", err)
		}
		defer resp.Body.Close()
		sum := sha256.New()
		if _, err := io.Copy(sum, io.LimitReader(resp.Body, maxPackage)); err != nil {
			return fmt.Errorf("checking the package: %w", err)
		}
		if !strings.EqualFold(hex.EncodeToString(sum.Sum(nil)), p.SHA256) {
			return mismatch
		}
	case "pypi":
		name, _, _ := strings.Cut(p.Identifier, "[")
		var v struct {
			URLs []struct {
				Digests struct {
					SHA256 string `json:"sha256"`
				} `json:"digests"`
			} `json:"urls"`
		}
		if err := c.read(ctx, cmp.Or(pypi, "https://pypi.org")+"/pypi/"+url.PathEscape(name)+"/"+url.PathEscape(p.Version)+"/json", &v); err != nil {
			return fmt.Errorf("checking the package: %w", err)
		}
		for _, u := range v.URLs {
			if strings.EqualFold(u.Digests.SHA256, p.SHA256) {
				return nil
			}
		}
		return mismatch
	case "mcpb":
	default:
		if !slices.Contains([]string{"oci", "nuget"}, p.Type) {
			return errors.New("goated cannot check this package")
		}
	}
	return nil
}

func (c *Client) read(ctx context.Context, address string, v any) error {
	resp, err := c.source().Open(ctx, address, "application/json")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(v); err != nil {
		return errors.New("the answer is not JSON of the right form")
	}
	return nil
}
