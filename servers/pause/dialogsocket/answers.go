package dialogsocket

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"goated/servers/pause/dialog"
)

// goated deletes a stored answer after a month, because the question is unlikely to come again. For
// an hour, a caller gets the answer without a dialog. After that, the dialog opens with the answer
// filled in.
const (
	keepAnswers = 30 * 24 * time.Hour
	holdAnswers = time.Hour
)

// maxAnswers is the maximum number of stored answers. The oldest ones are deleted first.
const maxAnswers = 200

// answers stores the answers that no caller has received, by question. It saves an answer before it
// is sent, so that no answer is lost if goated or the caller exits. It is safe for concurrent use.
type answers struct {
	path    string
	writing sync.Mutex // held while the file is written; locked before mu
	mu      sync.Mutex // never held during disk access: the server looks up answers while it holds its own mutex
	kept    map[string]keptAnswer
}

type keptAnswer struct {
	Answer dialog.Answer `json:"answer"`
	Time   time.Time     `json:"time"`
	ID     string        `json:"id"`
	origin
}

// An origin is the request that asked a question.
type origin struct {
	Client  string `json:"client"`
	Request string `json:"request"`
}

// openAnswers reads the file. If the file cannot be read, it is renamed instead of replaced.
func openAnswers(path string) (*answers, error) {
	a := &answers{path: path, kept: make(map[string]keptAnswer)}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading kept answers: %w", err)
	}
	if err := json.Unmarshal(text, &a.kept); err != nil || a.kept == nil { // null is JSON, too
		a.kept = make(map[string]keptAnswer)
		if err := os.Rename(path, path+".corrupt"); err != nil {
			return nil, fmt.Errorf("setting unreadable answers aside: %w", err)
		}
	}
	maps.DeleteFunc(a.kept, func(_ string, k keptAnswer) bool { return time.Since(k.Time) > keepAnswers })
	return a, nil
}

// key identifies a question of a caller. The same question of the same program in the same folder
// always has the same key, through any connection. If the caller has no name, only the same client
// counts as the same caller.
func key(caller dialog.Caller, client string, question dialog.Question) string {
	if caller.Name != "" && caller.Name != unnamed {
		client = ""
	}
	text, err := json.Marshal([]any{caller, client, question.Kind(), question})
	if err != nil {
		panic(err) // it contains only strings, numbers and booleans
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// put saves an answer and returns its id. The id is empty if a newer answer to the same question is
// already stored, which the user gave in another dialog at the same time.
func (a *answers) put(key string, answer dialog.Answer, from origin) (id string, err error) {
	if id = a.add(key, answer, from); id == "" {
		return "", nil
	}
	return id, a.save()
}

func (a *answers) add(key string, answer dialog.Answer, from origin) (id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kept[key].Answer.Time.After(answer.Time) {
		return ""
	}
	id = rand.Text()
	a.kept[key] = keptAnswer{answer, time.Now(), id, from}
	if len(a.kept) > maxAnswers {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(a.kept)), func(x, y string) int { return a.kept[x].Time.Compare(a.kept[y].Time) })
		delete(a.kept, oldest)
	}
	return id
}

// save writes the current answers.
func (a *answers) save() error {
	a.writing.Lock()
	defer a.writing.Unlock()
	a.mu.Lock()
	kept := maps.Clone(a.kept)
	a.mu.Unlock()
	return writeFile(a.path, kept)
}

func (a *answers) get(key string) (keptAnswer, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	k, ok := a.kept[key]
	return k, ok && time.Since(k.Time) <= keepAnswers
}

// remove removes an answer that was received, and reports whether it was stored. It keeps a newer
// answer to the same question. The caller must call save after it.
func (a *answers) remove(key, id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if k, ok := a.kept[key]; !ok || k.ID != id {
		return false
	}
	delete(a.kept, key)
	return true
}

// removeOf removes the answers to a request, and reports whether there were any. The caller must call
// save after it.
func (a *answers) removeOf(request origin) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := len(a.kept)
	maps.DeleteFunc(a.kept, func(_ string, k keptAnswer) bool { return k.origin == request })
	return len(a.kept) < before
}
