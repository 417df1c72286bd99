package launch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The name of a package is never a placeholder: "mcp-nothing-here" used to be taken for one. Neither is
// an existing path, nor the name of a variable that docker passes on.
func TestArgumentsThatLookLikePlaceholders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my-project")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string][]string{
		"npx -y @your-scope/your-mcp@1.2.3 /path/to/x":   {"/path/to/x"},
		"npx -y mcp-nothing-here":                        nil,
		"docker run -i -e API_KEY=s3cret acme/fs":        nil,
		"npx -y server " + dir:                           nil,
		"npx -y server --dir=" + dir + " --key=YOUR_KEY": {"--key=YOUR_KEY"},
		"npx -y server " + dir + "/missing-my":           {dir + "/missing-my"},
	} {
		r, err := Understand(line, Here(nil))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		var got []string
		for _, n := range r.Servers[0].Notes {
			if n.Kind == Placeholder {
				got = append(got, n.Subject)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: placeholders %q, want %q", line, got, want)
		}
	}
}
