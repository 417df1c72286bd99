package diagnose

import (
	"slices"
	"strings"
)

var (
	// checkedSettings matches the head of an error of pydantic about a class of settings, and
	// of zod.
	checkedSettings = pattern(`validation errors? for \w*(?i:settings|config|env)\w*\n|\bZodError\b|"code": "(?:invalid_type|too_small)"|✖ `)
	// missingSettings match the names that these libraries put on lines of their own.
	missingSettings = pattern(`(?m)^([A-Za-z_][\w.]*)\n\s+[Ff]ield required\b|"?\bpath"?: \[\s*['"]([\w-]+)['"]\s*\]|\n\s+→ at ([\w.\[\]-]+)$`)
)

// settings is about settings that pydantic or zod misses. They name the field of a class, whose
// variable or argument may have another name.
func settings(f Facts, d *Diagnosis) bool {
	if f.Failure != StartFailed || !f.Ended || !checkedSettings().MatchString(f.Output) {
		return false
	}
	var names []string
	for _, m := range missingSettings().FindAllStringSubmatch(f.Output, -1) {
		if name := strings.Join(m[1:], ""); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return false
	}
	d.Cause, d.Args.Subject = SettingMissing, strings.Join(names, ", ")
	return true
}
