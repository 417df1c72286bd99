package dialog

import "testing"

// The error said that files of 20 MB exceed 20 MB.
func TestAnErrorAboutLargeFilesNamesTheLimit(t *testing.T) {
	half := make([]byte, MaxAttachments/2)
	a := Answer{Attachments: []Attachment{{Data: half}, {Data: half}}}
	if err := a.Check(); err != nil {
		t.Error(err)
	}
	a.Attachments = append(a.Attachments, Attachment{Data: []byte{0}})
	if err := a.Check(); err == nil || err.Error() != "the files have more than 20 MB together: remove one" {
		t.Error(err)
	}
}
