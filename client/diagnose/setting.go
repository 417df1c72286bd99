package diagnose

import (
	"slices"
	"strings"
)

var (
	// checkedSettings matches the first line of an error from zod, or from pydantic about a
	// settings class.
	checkedSettings = pattern(`validation errors? for \w*(?i:settings|config|env)\w*\n|\bZodError\b|"code": "(?:invalid_type|too_small)"|✖ `)
	// missingSettings matches names that these libraries print on separate lines.
	missingSettings = pattern(`(?m)^([A-Za-z_][\w.]*)\n\s+[Ff]ield required\b|"?\bpath"?: \[\s*['"]([\w-]+)['"]\s*\]|\n\s+→ at ([\w.\[\]-]+)$`)
)

// settings diagnoses settings that pydantic or zod misses. These libraries name the field of a
// class. The variable or argument behind the field may have another name.
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
