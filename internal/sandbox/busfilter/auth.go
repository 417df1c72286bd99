package busfilter

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

const (
	maxLine  = 1 << 10 // bytes of a line during authentication
	maxLines = 16
)

// errAuth means that one side violates the authentication protocol.
var errAuth = errors.New("the authentication violates the D-Bus Specification")

// line reads a line that ends with CR and LF.
func line(r *bufio.Reader) (string, error) {
	b, err := r.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	text, ok := strings.CutSuffix(string(b), "\r\n")
	if !ok || len(text) > maxLine {
		return "", errAuth
	}
	return text, nil
}

// join authenticates to a bus as the user of this process. It returns the bus identifier, and whether
// messages may contain open files, which it requests if files is set.
func join(bus io.ReadWriter, r *bufio.Reader, files bool) (guid string, agreed bool, err error) {
	ask := func(text string) (word, rest string, err error) {
		if _, err := io.WriteString(bus, text+"\r\n"); err != nil {
			return "", "", err
		}
		answer, err := line(r)
		word, rest, _ = strings.Cut(answer, " ")
		return word, rest, err
	}
	word, guid, err := ask("\x00AUTH EXTERNAL " + hex.EncodeToString([]byte(strconv.Itoa(os.Geteuid()))))
	if err != nil {
		return "", false, err
	}
	if _, err := hex.DecodeString(guid); word != "OK" || err != nil {
		return "", false, fmt.Errorf("the bus does not accept this user: it answers %q", word)
	}
	if files {
		if word, _, err = ask("NEGOTIATE_UNIX_FD"); err != nil {
			return "", false, err
		}
		agreed = word == "AGREE_UNIX_FD"
	}
	_, err = io.WriteString(bus, "BEGIN\r\n")
	return guid, agreed, err
}

// admit authenticates a client. The client is always the confined process, because nobody else can
// reach the socket. So admit ignores the identity that the client claims.
func admit(client io.Writer, r *bufio.Reader, guid string, files bool) error {
	if nul, err := r.ReadByte(); err != nil || nul != 0 {
		return errors.Join(errAuth, err)
	}
	accepted, asked := false, false
	for range maxLines {
		text, err := line(r)
		if err != nil {
			return err
		}
		word, rest, _ := strings.Cut(text, " ")
		answer := "ERROR"
		switch {
		case word == "BEGIN" && accepted:
			return nil
		case word == "AUTH" && !accepted && (rest == "EXTERNAL" || strings.HasPrefix(rest, "EXTERNAL ")):
			if asked = rest == "EXTERNAL"; asked {
				answer = "DATA"
			} else {
				answer, accepted = "OK "+guid, true
			}
		case word == "DATA" && asked && !accepted:
			answer, accepted = "OK "+guid, true
		case word == "AUTH" || word == "CANCEL":
			answer, accepted, asked = "REJECTED EXTERNAL", false, false
		case word == "NEGOTIATE_UNIX_FD" && accepted && files:
			answer = "AGREE_UNIX_FD"
		}
		if _, err := io.WriteString(client, answer+"\r\n"); err != nil {
			return err
		}
	}
	return errAuth
}
