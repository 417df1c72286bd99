package intent

import (
	"encoding/json"
	"slices"
	"testing"
)

// perilous contains tools that change something, with verbs that the matcher may not know, and few
// others, so that no other tool gets the request.
const perilous = `
files delete_file | Delete a file | path:string!
files move_file | Move or rename a file | source:string! destination:string!
files write_file | Write a file | path:string! content:string!
door lock_door | Lock a door | door:string!
lamp turn_on | Turn a device on | device:string!
cache clear_cache | Clears the cache
sql write_query | Execute an INSERT, UPDATE or DELETE query on the SQLite database | query:string!
box create_container | Create a container | name:string!
mail send_email | Send an email | to:strings! subject:string! body:string!
errors resolve_error | Mark an error as resolved | id:string!
chat mark_read | Mark all messages as read
money log_expense | Record an expense | amount:number!
player skip_current_track | Skips the current track
player pause | Pauses playback
shop refund | Refund the last payment
facts manage_memory | Remember or recall a fact: write saves a value under a key, read looks it up | action:(read,write)! key:string! value:string
`

// A request that does not ask for a change now gets no tool that changes something. It may be a
// negation, an exception, a condition, a question or a statement, or contain a later time, a name
// that it only mentions, an opposite, or only a part of the thing to change.
func TestNoChangeIsChosenUnasked(t *testing.T) {
	for _, request := range []string{
		"delete everything except notes.txt", "delete all but notes.txt", "delete anything other than notes.txt",
		"don't delete notes.txt", "do not delete notes.txt", "please don't ever delete notes.txt", "never delete notes.txt",
		"you should not delete notes.txt", "I did not want to delete notes.txt", "nobody should delete notes.txt", "dont delete notes.txt",
		"should I delete notes.txt", "did you delete notes.txt", "was notes.txt deleted", "may I delete notes.txt?", "is it safe to delete notes.txt",
		"deleted notes.txt by mistake", "deleting notes.txt was wrong", "deletes notes.txt on its own",
		"if it is empty delete notes.txt", "delete notes.txt if it is empty", "delete notes.txt unless Tom needs it", "when you are done delete notes.txt",
		"delete notes.txt tomorrow", "delete notes.txt in 10 minutes", "delete notes.txt every Monday", "at 9 pm delete notes.txt",
		"delete notes.txt and plans.txt", "move a.txt and b.txt to /tmp/x", "undo deleting notes.txt", "what if I delete notes.txt", "instead of notes.txt delete the other one",
		"tell me about clear_cache", "show me clear_cache", "is clear_cache safe", "explain clear_cache", "I like clear_cache", "what does delete_file do to notes.txt",
		"the cache is clear", "clear is better than clever", "clearing the cache takes long", "are you able to clear the cache", "I hate it when you clear the cache", "he told me to clear the cache",
		"the query DELETE FROM users failed", "why did DELETE FROM users fail", "don't run DELETE FROM users", "what does DELETE FROM users do",
		"turn off the heater", "turn the heater off", "start the container web", "unlock the front door", "the door is locked", "lock is broken", "lock on the door is broken",
		"can you lock doors?", "could you ever lock the doors?", "who can send emails", "sent the email to bob@example.com already",
		"the error 5521 was resolved", "is the current track skipped", "current track", "log of expenses over 100", "read messages", "pause was nice", "refund policy", "refunds of May",
		"forget my shoe size", "I forgot my shoe size",
	} {
		tools := toolbox(t, perilous)
		if p := Find(request, tools); p.Tool != nil && !(p.Tool.Own == "manage_memory" && p.Args["action"] == "read") {
			t.Errorf("%q runs %s %v", request, p.Tool.Name, p.Args)
		}
		// The same applies if each tool is the only one.
		for i := range tools {
			if p := Find(request, tools[i:i+1]); p.Tool != nil && !(p.Tool.Own == "manage_memory" && p.Args["action"] == "read") {
				t.Errorf("%q alone runs %s %v", request, p.Tool.Name, p.Args)
			}
		}
	}
}

// A request that does ask for a change still gets its tool.
func TestAskedChangesAreChosen(t *testing.T) {
	for request, want := range map[string]string{
		"delete notes.txt": "delete_file", "please delete notes.txt": "delete_file", "can you delete notes.txt?": "delete_file",
		"could you please delete the file notes.txt for me?": "delete_file", "I want you to delete notes.txt": "delete_file", "I'd like to delete notes.txt": "delete_file",
		"go ahead and delete notes.txt": "delete_file", "now delete notes.txt": "delete_file", "Delete notes.txt, please.": "delete_file", "rm notes.txt": "delete_file",
		"move a.txt to b.txt": "move_file", "rename a.txt to b.txt": "move_file", "write 'do not disturb' to door.txt": "write_file",
		"clear the cache": "clear_cache", "clear_cache": "clear_cache", "run clear_cache": "clear_cache", "please clear the cache now": "clear_cache",
		"lock the front door": "lock_door", "turn on the heater": "turn_on", "turn the heater on": "turn_on",
		"DELETE FROM users": "write_query", "run DELETE FROM users WHERE id = 3": "write_query", "run this: UPDATE t SET a = 1": "write_query",
		"create a container named web": "create_container", "resolve error 5521": "resolve_error", "skip the current track": "skip_current_track",
		"pause the playback": "pause", "remember that I don't like tea": "manage_memory", "don't forget that my shoe size is 43": "manage_memory",
	} {
		if p := Find(request, toolbox(t, perilous)); p.Tool == nil || p.Tool.Own != want {
			var offered []string
			for _, o := range p.Options {
				offered = append(offered, o.Tool.Own)
			}
			got := "nothing"
			if p.Tool != nil {
				got = p.Tool.Own
			}
			if got != "nothing" || !slices.Contains(offered, want) {
				t.Errorf("%q: %s, offers %v; want %s", request, got, offered, want)
			} else {
				t.Logf("%q only offers %v", request, offered)
			}
		}
	}
}

// Numbers reach the tool with every digit. "1,000" was parsed as 1, and the result was silently
// wrong.
func TestNumbersKeepTheirDigits(t *testing.T) {
	for request, want := range map[string]string{
		"sum of 1,000,000 and 2":                          `{"a":1000000,"b":2}`,
		"add 1,234.5 and 1,000":                           `{"a":1234.5,"b":1000}`,
		"sum of 1234567890123456789 and 9007199254740993": `{"a":1234567890123456789,"b":9007199254740993}`,
		"add 12345678901234567890.123456789 and -1.10":    `{"a":12345678901234567890.123456789,"b":-1.10}`,
	} {
		p := Find(request, toolbox(t, known(t, "usual")))
		if got, err := json.Marshal(p.Args); p.Tool == nil || err != nil || string(got) != want {
			t.Errorf("%q gives %v %s, want %s", request, p.Tool, got, want)
		}
	}
}

// own contains the tools that goated starts with. One of them writes a file, and none reads one.
const own = `
ghost haunt_desktop | Write a note on the desktop: create a text file with the given name and content in the user's Desktop folder. Use it to leave a message, reminder or list where the user will see it. If a file of that name exists it is replaced, and the answer says so. | filename:string! content:string!
ghost manage_memory | Remember or recall a fact: write saves a value under a key, read looks it up. Facts last over restarts. | action:(read,write)! key:string! value:string
ghost play_system_sound | Play a system sound to tell the user of a result or an error. | type:(error,warning,success)!
ghost read_project_context | List the files and folders in a directory of the project, with their types and sizes. | directoryPath:string!
`

// A request to see something gets no tool that writes, not even as a choice. "show me notes.txt"
// suggested writing a note with these words, and "open the file trip.md" offered to.
func TestReadingIsNotAnsweredWithWriting(t *testing.T) {
	for _, request := range []string{
		"show me notes.txt", "open the file trip.md", "read trip.md", "view notes.txt", "print notes.txt", "what does notes.txt say?", "what is in notes.txt", "display the note todo.txt",
		"open notes.txt on my desktop", "find notes.txt", "get notes.txt", "look at notes.txt", "see notes.txt", "let me see the note todo.txt", "how do I get a key", "list notes.txt",
	} {
		p := Find(request, toolbox(t, own))
		if p.Tool != nil && (p.Tool.Own == "haunt_desktop" || p.Args["action"] == "write") {
			t.Errorf("%q runs %s %v", request, p.Tool.Name, p.Args)
		}
		for _, o := range p.Options {
			if o.Tool.Own == "haunt_desktop" || o.Args["action"] == "write" {
				t.Errorf("%q offers %s %v", request, o.Tool.Name, o.Args)
			}
		}
	}
}

// A note needs no file extension. "write a note called todo saying buy milk" was only offered as a
// choice.
func TestNoteWithABareName(t *testing.T) {
	for _, request := range []string{"write a note called todo saying buy milk", "leave a note named todo saying buy milk"} {
		p := Find(request, toolbox(t, known(t, "ghost")))
		if p.Tool == nil || p.Tool.Own != "haunt_desktop" || p.Args["filename"] != "todo" || p.Args["content"] != "buy milk" {
			t.Errorf("%q plans %+v", request, p)
		}
	}
}

// If a request asks for two things, one after the other, the plan covers the first, and the second
// does not end up in its arguments.
func TestOneThingAfterTheOther(t *testing.T) {
	for request, want := range map[string]string{
		"list the files in src and then remember the first": "src",
		"list the files in src, then play a sound":          "src",
	} {
		p := Find(request, toolbox(t, own))
		if p.Tool == nil || p.Tool.Own != "read_project_context" || p.Args["directoryPath"] != want || p.Rest == "" {
			t.Errorf("%q plans %+v", request, p)
		}
	}
	if p := Find(`write a note called plan.txt saying "wake up and then run"`, toolbox(t, own)); p.Rest != "" || p.Tool == nil || p.Args["content"] != "wake up and then run" {
		t.Errorf("quoted words are taken apart: %+v", p)
	}
	if p := Find("write a note called plan.txt saying wake up and then run", toolbox(t, own)); p.Rest != "" {
		t.Errorf("the text of a note is taken apart: %+v", p)
	}
}
