// Package secretvalue recognizes the keys of well-known services by their form, for example sk-…
// and AIza…. It must not know which texts are searched, or who hides the keys.
package secretvalue

// Pattern is a regular expression that matches such a key. It has no groups. Callers should put \b
// before it.
const Pattern = `(?:AIza[0-9A-Za-z_-]{16,}|sk-[0-9A-Za-z_-]{16,}|[spr]k_(?:live|test)_[0-9A-Za-z]{16,}|gh[pousr]_[0-9A-Za-z]{20,}|github_pat_[0-9A-Za-z_]{20,}|` +
	`glpat-[0-9A-Za-z_-]{16,}|xox[abeprs]-[0-9A-Za-z-]{10,}|AKIA[0-9A-Z]{16}|hf_[0-9A-Za-z]{20,}|npm_[0-9A-Za-z]{20,}|ntn_[0-9A-Za-z]{20,}|secret_[0-9A-Za-z]{20,}|` +
	`tvly-[0-9A-Za-z-]{10,}|fc-[0-9a-f]{20,}|ctx7sk-[0-9A-Za-z-]{10,}|eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]*)`

// Beginnings returns lower-case texts. Each key that Pattern matches begins with one of them, so a
// text that contains none of them need not be searched.
func Beginnings() []string {
	return []string{
		"aiza", "sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "akia", "hf_", "npm_",
		"ntn_", "secret_", "tvly-", "fc-", "ctx7sk-", "eyj",
	}
}
