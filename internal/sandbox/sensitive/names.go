package sensitive

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
	"goated/internal/paths"
)

// secretNames match the names of files that hold keys, passwords or input histories, wherever the
// files are. Example files without values do not count.
var (
	secretNames = lazyregexp.New(`(?i)^(?:` + strings.Join([]string{
		`\.env(?:\.[\w.-]+)?`, `[\w-]+\.env`, `\.envrc\.local`,
		`id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)`, `ssh_host_\w+_key`,
		`.+\.(?:kdbx?|keychain(?:-db)?|agilekeychain|opvault|1pif|psafe3|enpassdb|keystore|jks|p12|pfx|ppk|ovpn|tfstate|tfvars|asc\.key|keytab|wallet)`, `wallet\.dat`,
		`\.?(?:netrc|_netrc|pgpass|npmrc|pypirc|htpasswd|git-credentials|my\.cnf|vault-token|dockercfg|s3cfg)`,
		`logins\.json`, `key[34]\.db`, `cookies(?:\.sqlite|\.txt|\.binarycookies)?`, `login data(?: for account)?`, `web data`, `places\.sqlite`,
		`(?:client[_-]secrets?|service[_-]?account|application_default_credentials|firebase-adminsdk)[\w.-]*\.json`,
		`(?:(?:my|our|all)[ _-]?)?(?:passwords?|passw(?:oe|ö)rter|mots? de passe|contraseñas?|credentials?|secrets?|api[ _-]?keys?|access[ _-]?tokens?|seed[ _-]?phrase|recovery[ _-]?codes?)(?:\.(?:txt|md|csv|json|ya?ml|toml|ini|env|xlsx?|ods|docx?|odt|db|sqlite3?|gpg|enc|kdbx?|plist))?`,
		`auth\.json`, `\.?[\w-]+[_-]hist(?:ory)?`, `\.zhistory`, `\.histfile`, `consolehost_history\.txt`, `history\.sqlite`,
	}, "|") + `)$`)
	examples = lazyregexp.New(`(?i)^\.env\.(?:example|sample|template|dist|defaults?|schema)$|\.(?:example|sample|template|dist)$|^(?:example|sample|template)\.env$`)
	keyFiles = lazyregexp.New(`(?i)\.(?:pem|key|crt|cer|asc|gpg)$`)
)

// named reports whether a file's name or content indicates that it contains secrets. Folders with
// such names, for example in a program's source, contain none.
func named(path string) bool {
	name := filepath.Base(path)
	if examples.MatchString(name) {
		return false
	}
	if !secretNames.MatchString(name) && !keyFiles.MatchString(name) {
		return false
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return false
	}
	return secretNames.MatchString(name) || privateKey(path)
}

// privateKey reports whether a file begins with a private key. Certificates, which are public, have
// the same extensions. A file that goated cannot read may contain a key.
func privateKey(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() { // a pipe would block
		return true
	}
	begins, _ := io.ReadAll(io.LimitReader(f, 64<<10))
	return bytes.Contains(begins, []byte("PRIVATE KEY"))
}

// profile lists files by which the folder of a browser, a keyring or a mail program can be
// recognized, whatever the folder's name is.
var profile = []string{"Login Data", "Default/Login Data", "logins.json", "key4.db", "profiles.ini", "Local State", "wallet.dat", "login.keyring", "private-keys-v1.d", "id_rsa", "id_ed25519"}

// isProfile reports whether a folder belongs to a browser, a keyring or a similar program.
func isProfile(dir string) bool {
	return slices.ContainsFunc(profile, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		return err == nil
	})
}

// homesOfOthers are the folders that contain the users' home folders.
var homesOfOthers = []string{"/home", "/Users", "/var/home", "/export/home", `C:\Users`}

// otherHome returns the home folder of another user that contains a path, or "" if there is none.
// Folders that the system shares belong to no one.
func otherHome(path string, own []string) string {
	dir := ""
	for _, all := range homesOfOthers {
		if rel, err := filepath.Rel(all, path); err == nil && filepath.IsLocal(rel) && rel != "." {
			first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			if !slices.Contains([]string{"Shared", "Public", "lost+found"}, first) {
				dir = filepath.Join(all, first)
			}
		}
	}
	if paths.Within(path, "/root") {
		dir = "/root"
	}
	if dir == "" || slices.ContainsFunc(own, func(home string) bool { return paths.Within(home, dir) }) {
		return ""
	}
	return dir
}
