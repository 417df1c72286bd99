package callcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// endings contains file extensions by media type. The system's own table differs from one computer
// to the next.
var endings = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg", "image/bmp": ".bmp", "image/tiff": ".tiff",
	"audio/wav": ".wav", "audio/x-wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "audio/flac": ".flac", "audio/mp4": ".m4a", "audio/webm": ".webm",
	"video/mp4": ".mp4", "video/webm": ".webm",
	"application/pdf": ".pdf", "application/zip": ".zip", "application/json": ".json", "application/gzip": ".gz", "text/plain": ".txt", "text/html": ".html", "text/csv": ".csv",
}

// save writes data into a new file in a folder, and returns its path. The file is named after the
// tool, so a server does not choose the name. save never replaces a file.
func save(dir, tool, kind string, data []byte) (string, error) {
	kind, _, _ = strings.Cut(strings.ToLower(kind), ";")
	ending := endings[strings.TrimSpace(kind)]
	if ending == "" {
		ending = ".bin"
	}
	for n := 1; ; n++ {
		path := filepath.Join(dir, fmt.Sprintf("%s-%d%s", plainName(tool), n, ending))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(path) // a full disk left an incomplete file
			return "", err
		}
		return path, nil
	}
}

// plainName turns a tool's name into part of a file name.
func plainName(tool string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, tool)
	if len(name) > 60 {
		name = name[:60]
	}
	if name == "" {
		return "result"
	}
	return name
}
