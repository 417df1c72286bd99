package intent

import (
	"slices"
	"strings"
)

// A match collects how well the entities of a request match the arguments of a tool.
type match struct {
	*filling
	roles    map[role]int // the number of arguments with each role
	points   float64      // positive if the entities match the tool, negative if they do not
	consumed bool         // an entity of a rare kind is an argument; such an entity alone can identify the tool
}

// fit returns how well the entities of a request match the arguments of a tool. consumed reports
// whether an entity of a rare kind is an argument. Such an entity alone can identify the tool.
func (f *filling) fit() (fit float64, consumed bool) {
	m := &match{filling: f, roles: make(map[role]int)}
	for name := range f.properties {
		m.roles[f.roleOf(name)]++
	}
	for i, e := range f.entities {
		m.addEntity(e, f.used[i])
	}
	m.addWording()
	m.addUnused()
	m.addSearch()
	m.addNumbers()
	m.addPaths()
	m.addTimes()
	if f.namesLocalPath() {
		m.points -= 0.5
	}
	// A deprecated tool scores lower than its successor.
	if containsAny(strings.ToLower(f.description), "deprecated") {
		m.points -= 0.1
	}
	return m.points, m.consumed
}

// texts returns the number of arguments that accept any text.
func (m *match) texts() int {
	return m.roles[roleFree] + m.roles[roleText] + m.roles[roleValue] + m.roles[roleKey]
}

// takesPath reports whether an argument is a single path.
func (m *match) takesPath() bool {
	return m.roles[rolePath]+m.roles[roleName]+m.roles[roleSource]+m.roles[roleTarget] > 0
}

// needsTable reports whether the tool requires the name of a table, which a file does not have.
func (m *match) needsTable() bool {
	return slices.ContainsFunc(m.required, func(name string) bool { return containsAny(name, "table") })
}

// addEntity compares one entity with the arguments. used means that the entity became an argument.
func (m *match) addEntity(e entity, used bool) {
	switch e.kind {
	case url:
		switch {
		case m.roles[roleURL] > 0:
			m.points, m.consumed = m.points+0.7, true
		case m.roles[roleHost] == 0 && !argumentContains(m.args, e.text):
			m.points -= 0.6
		}
	case host:
		switch {
		case m.roles[roleHost] > 0:
			m.points, m.consumed = m.points+0.6, true
		case m.roles[roleURL] > 0:
			m.points += 0.4
		case !used && !argumentContains(m.args, e.text):
			m.points -= 0.35
		}
	case sql:
		m.addSQL(e)
	case glob:
		if m.roles[rolePattern] > 0 {
			m.points += 0.45
		} else {
			m.points -= 0.35
		}
	case path:
		m.addPath(e, used)
	case revision:
		if required(m.document, roleRevision) > 0 {
			m.points, m.consumed = m.points+0.5, true
		}
	case quoted:
		if m.texts()+m.roles[rolePattern]+m.roles[roleList]+m.roles[roleNested]+m.roles[roleName] == 0 && m.roles[rolePath] == 0 {
			m.points -= 0.2
		}
	case date:
		if m.roles[roleDate] > 0 {
			m.points += 0.35
		}
	case clock:
		if m.roles[roleTime] > 0 {
			m.points += 0.35
		}
	case phone:
		if m.roles[rolePhone] > 0 {
			m.points += 0.4
		}
	case email:
		if m.roles[roleEmail] > 0 {
			m.points += 0.4
		} else {
			m.points -= 0.3
		}
	}
}

// addSQL compares an SQL statement with the tool: some tools read, others write.
func (m *match) addSQL(e entity) {
	if m.roles[roleSQL] == 0 {
		m.points -= 0.6
		return
	}
	verb, _, _ := strings.Cut(strings.ToLower(e.text), " ")
	writes := verb != "select" && verb != "pragma" && verb != "with"
	name := strings.Join(m.name, " ")
	switch {
	case verb == "select" && containsAny(name, "writ", "modif", "updat", "creat"):
		m.points -= 0.3
	case verb == "create" && containsAny(name, "create"), verb == "select" && containsAny(name, "read", "select"),
		writes && verb != "create" && containsAny(name, "writ", "modif", "execut", "updat"):
		m.points += 0.9
	case writes != changesOf(m.document):
		m.points -= 0.2
	default:
		m.points += 0.5
	}
	m.consumed = true
}

// addPath compares a path with the arguments.
func (m *match) addPath(e entity, used bool) {
	if used && !m.takesPath() && m.roles[roleList] == 0 && !(isDocument(e.text) && m.needsTable()) {
		m.points += 0.3 // the name of something other than a file
		return
	}
	if m.takesRepo() {
		switch {
		case isFile(e.text) && m.roles[roleList] == 0:
			m.points -= 0.3
			return
		case !containsAny(m.lower, "git", "repo", "commit", "branch", "stage", "diff", "status", "log", "change"):
			m.points -= 0.1
			return
		}
	}
	switch {
	case m.takesPath(), m.roles[roleList] > 0 && m.lists("file", "path"):
		m.points += 0.22
	case m.texts() == 0:
		m.points -= 0.35
	default:
		m.points -= 0.15
	}
}

// addWording counts the hints about the tool in the wording of the request.
func (m *match) addWording() {
	if m.between {
		m.points += 0.25
	}
	m.points += 0.15 * float64(m.chosen)
	if m.noted {
		m.points += 0.15
	}
	if m.dotted {
		m.points, m.consumed = m.points+0.2, true
	}
}

// addUnused counts the entities that the tool does not use, because they may be meant for another
// tool.
func (m *match) addUnused() {
	for i, e := range m.entities {
		if !m.used[i] && (e.kind == path || e.kind == glob || e.kind == email || e.kind == revision) {
			m.points -= 0.25
		}
	}
}

// addSearch prefers a tool that searches if the request asks for a search.
func (m *match) addSearch() {
	search := func(w string) bool { return slices.Contains(m.concepts(w), "search") }
	if m.verb != "" && search(m.verb) && slices.ContainsFunc(m.name, search) {
		m.points += 0.2
	}
}

// addNumbers compares the numbers in the request with the arguments that accept a number.
func (m *match) addNumbers() {
	numbers, given := len(m.of(number)), 0
	for name := range m.args {
		if m.roleOf(name) == roleNumber {
			given++
		}
	}
	if n := min(numbers, given); n > 0 {
		m.points += 0.12 * float64(n)
		if n >= 2 && required(m.document, roleNumber) == numbers {
			m.points += 0.25
		}
		if m.matches(counting, m.text) && required(m.document, roleNumber) == 0 {
			m.points += 0.15
		}
	} else if numbers > 0 {
		m.points -= 0.1
		if numbers > 1 && len(m.words) <= 2 {
			m.points -= 0.4
		}
	}
}

// addPaths compares all paths in the request with the arguments.
func (m *match) addPaths() {
	paths := m.of(path)
	if len(paths) > 1 && (m.roles[roleSource]*m.roles[roleTarget] > 0 || m.roles[roleList] > 0) {
		m.points += 0.3
	}
	if len(paths) == 1 && required(m.document, roleSource)+required(m.document, roleTarget) == 2 {
		m.points -= 0.25
	}
	if len(paths) == 1 && required(m.document, roleList) > 0 && required(m.document, rolePath) == 0 && m.lists("path") {
		m.points -= 0.25
	}
	for _, e := range paths {
		m.addFileType(e)
	}
}

// addFileType prefers tools for texts or for images by the type of a file, and tools for files or
// for folders.
func (m *match) addFileType(e entity) {
	name := strings.Join(m.name, " ")
	m.points += m.fileTypeFactor(extension(e.text))
	switch picture, file := isPicture(e.text), isFile(e.text) || containsAny(m.lower, " lines", "the file ", "contents of"); {
	case picture && containsAny(name, "media", "imag", "pictur"):
		m.points += 0.3
	case picture && containsAny(name, "text"), !picture && containsAny(name, "media", "imag", "pictur"):
		m.points -= 0.2
	case file && (containsAny(name, "director", "folder", "tree") || m.onlyFolders()) && !containsAny(m.lower, "folder", "director"):
		m.points -= 0.45
	case !file && containsAny(name, "file", "text", "document") && !containsAny(name, "director", "folder", "search", "info", "move"):
		m.points -= 0.15
	case !file && containsAny(name, "director", "folder"):
		m.points += 0.1
	}
}

// addTimes compares the time zones and times in the request with the arguments.
func (m *match) addTimes() {
	if n := min(len(m.zones), m.roles[roleZone]); n > 0 {
		m.points += 0.3
		if required(m.document, roleZone) == len(m.zones) {
			m.points += 0.2
		} else {
			m.points -= 0.2
		}
	}
	if len(m.zones) == 0 && required(m.document, roleZone) > 1 || required(m.document, roleTime) > 0 && len(m.of(clock)) == 0 {
		m.points -= 0.3
	}
}

// of returns the entities of a kind.
func (r *request) of(k kind) (found []entity) {
	for _, e := range r.entities {
		if e.kind == k {
			found = append(found, e)
		}
	}
	return found
}
