package intent

import (
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// formats maps a file extension to words for such files.
var formats = func() map[string][]string {
	all := make(map[string][]string)
	for endings, names := range map[string]string{
		"mp4 mov mkv webm avi m4v": "video media", "mp3 wav flac ogg m4a aac": "audio sound media", "png jpg jpeg gif webp bmp svg heic tiff": "image picture photo media",
		"pdf": "pdf", "docx doc odt": "word docx", "xlsx xls ods": "excel spreadsheet workbook xlsx", "pptx ppt odp": "powerpoint presentation slides pptx",
		"zip tar gz tgz 7z rar xz bz2": "archive zip tar", "ipynb": "notebook jupyter", "epub": "epub ebook",
	} {
		for ending := range strings.FieldsSeq(endings) {
			all[ending] = append(words(names), stem(ending))
		}
	}
	return all
}()

// fileTypeFactor returns how well a tool suits files with an extension. For example, a tool for texts
// cannot read images, and a tool for source files does not show a letter.
func (d *document) fileTypeFactor(ending string) float64 {
	if prose[ending] && d.lead["sourc"] { // the tool shows the parts of a program, and such a file has none
		return -0.25
	}
	names := formats[ending]
	if len(names) == 0 {
		return 0
	}
	about := func(w string) bool { return slices.Contains(d.name, w) || d.server[w] || d.title[w] || d.lead[w] }
	switch {
	case slices.ContainsFunc(names, about):
		return 0.25
	case slices.ContainsFunc([]string{"text", "media", "imag", "pictur"}, func(w string) bool { return slices.Contains(d.name, w) }) || d.lead["text"]:
		return -0.25
	}
	return 0
}

// plain lists the extensions of text files.
var plain = set("md txt json jsonl yaml yml toml ini conf cfg csv tsv xml html htm css js ts tsx jsx py go rs c h cpp java kt rb php sh sql log env lock tex rst diff patch")

// prose lists the extensions of text files that do not contain a program.
var prose = set("md txt csv tsv log rst diff patch lock env")

// isDocument reports whether a word has a common file extension. Otherwise it may be the name of
// something else, such as light.hall.
func isDocument(word string) bool {
	ending := extension(word)
	return plain[ending] || formats[ending] != nil
}

// producing matches the file that a tool should write, at the end of an order.
var producing = lazyregexp.New(`(?i)\b(?:into|to|as|in)\s+(?:the |a )?(?:file )?(?:called |named )?("[^"]+"|'[^']+'|\S+)[.!?]*$`)

// writesFile reports whether an argument is the file that the tool writes.
func (d *document) writesFile(name string) bool {
	if !slices.Contains([]string{"output", "output_file", "output_path", "outfile", "out_file", "out_path", "output_filename", "save_path", "target_path", "target_file"}, name) {
		return false
	}
	return name != "output" || containsAny(strings.ToLower(d.description), "file", "video", "audio", "image", "picture", "document", "archive", "pdf")
}

// findOutput finds the file that a tool should write, such as the one after "into". It runs
// before the search for inputs, so that the file does not become an input.
func findOutput(f *filling, target string) {
	m := f.submatch(producing, f.text)
	if m == nil {
		return
	}
	called := strings.TrimRight(unquote(m[1]), ".,!?")
	for i, e := range f.entities {
		if e.kind == path && e.text == called && i > 0 {
			f.args[target], f.used[i] = called, true
		}
	}
}

func extension(path string) string {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	if at := strings.LastIndexByte(base, '.'); at > 0 {
		return strings.ToLower(base[at+1:])
	}
	return ""
}

func isFile(path string) bool { return extension(path) != "" }

func isPicture(path string) bool {
	return slices.Contains([]string{"png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "mp3", "wav", "ogg", "flac"}, extension(path))
}
