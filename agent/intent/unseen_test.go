package intent

import "testing"

// newer are tools of servers that neither the matcher nor the other sets know.
const newer = `
calendar list_events | List the events of a day. | date:string calendar:string
calendar create_event | Create an event in the calendar. | title:string! start:string! end:string
notes search_notes | Search the notes by words. | query:string!
notes get_note | Get a note by its title. | title:string!
music play_track | Play a track by its name. | name:string!
music set_volume | Set the volume, from 0 to 100. | volume:integer!
kube get_pods | List the pods of a namespace. | namespace:string
kube delete_pod | Delete a pod. | name:string! namespace:string
dictionary define_word | Look up the definition of a word. | word:string!
currency convert_currency | Convert an amount of money from one currency to another. | amount:number! from:string! to:string!
`

// unseen are requests that were written after the matcher and both other sets, in the words
// of people who do not know the tools. When they were new, 75 % got the right tool.
var unseen = []example{
	{"can you show me what's in ~/Downloads?", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"~/Downloads"}`},
	{"please print the contents of /etc/hosts", "filesystem__read_text_file filesystem__read_file", `{"path":"/etc/hosts"}`},
	{"last 30 lines of /var/log/app.log please", "filesystem__read_text_file filesystem__read_file", `{"path":"/var/log/app.log","tail":30}`},
	{"make a directory named backup in /srv/data", "filesystem__create_directory", `{"path":"/srv/data/backup"}`},
	{"move /tmp/a.csv into /tmp/archive/a.csv", "filesystem__move_file", `{"source":"/tmp/a.csv","destination":"/tmp/archive/a.csv"}`},
	{"where are the *.yaml files below /srv/conf", "filesystem__search_files", `{"path":"/srv/conf","pattern":"*.yaml"}`},
	{"what's the time in Buenos Aires?", "timeserver__get_current_time", `{"timezone":"America/Argentina/Buenos_Aires"}`},
	{"if it is 7 pm in Berlin, what time is it in Los Angeles?", "timeserver__convert_time", `{"time":"19:00","source_timezone":"Europe/Berlin","target_timezone":"America/Los_Angeles"}`},
	{"which files did I change in /work/shop but not stage?", "gitserver__git_diff_unstaged gitserver__git_status", `{"repo_path":"/work/shop"}`},
	{"show me the 10 latest commits of /work/shop", "gitserver__git_log", `{"repo_path":"/work/shop","max_count":10}`},
	{"what columns does the table invoices have?", "sqliteserver__describe_table", `{"table_name":"invoices"}`},
	{"SELECT name FROM cities ORDER BY name LIMIT 5", "sqliteserver__read_query", `{"query":"SELECT name FROM cities ORDER BY name LIMIT 5"}`},
	{"load https://example.net/docs/index.html", "fetchserver__fetch", `{"url":"https://example.net/docs/index.html"}`},
	{"what is 19.5 + 22?", "everything__get-sum", `{"a":19.5,"b":22}`},
	{"remember that my locker code is 4711", "ghost__manage_memory", `{"action":"write","key":"locker code","value":"4711"}`},
	{"what is my locker code?", "ghost__manage_memory", `{"action":"read","key":"locker code"}`},
	{"what's on my calendar on 2026-12-01?", "calendar__list_events", `{"date":"2026-12-01"}`},
	{"search my notes for tomato soup", "notes__search_notes", `{"query":"tomato soup"}`},
	{"set the volume to 35", "music__set_volume", `{"volume":35}`},
	{"play the track Clair de Lune", "music__play_track", `{"name":"Clair de Lune"}`},
	{"which pods run in namespace staging?", "kube__get_pods", `{"namespace":"staging"}`},
	{"delete pod web-7f9 in namespace staging", "kube__delete_pod", `{"name":"web-7f9","namespace":"staging"}`},
	{"define the word serendipity", "dictionary__define_word", `{"word":"serendipity"}`},
	{"convert 250 USD to EUR", "currency__convert_currency", `{"amount":250,"from":"USD","to":"EUR"}`},
	{"how many moons does Jupiter have?", "", ``},
	{"write an essay on friendship", "", ``},
	{"how can I get better at chess?", "", ``},
	{"what should I wear tonight?", "", ``},
	{"rewrite this sentence in a friendlier tone", "", ``},
	{"who are you?", "", ``},
	{"delete everything", "", ``},
	{"is there life on Mars?", "", ``},
}

// later are requests that were written after the matcher had been improved with unseen. When they
// were new, 78 % got the right tool, 76 % the right arguments and 12 % a wrong tool.
var later = []example{
	{"please list what is stored in /mnt/photos", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/mnt/photos"}`},
	{"could you read out the file ~/letters/anna.txt?", "filesystem__read_text_file filesystem__read_file", `{"path":"~/letters/anna.txt"}`},
	{"how large is /mnt/photos/cat.jpg?", "filesystem__get_file_info filesystem__list_directory_with_sizes", `{"path":"/mnt/photos/cat.jpg"}`},
	{"rename /tmp/x.md into /tmp/y.md please", "filesystem__move_file", `{"source":"/tmp/x.md","destination":"/tmp/y.md"}`},
	{"show the folder structure of /srv/site", "filesystem__directory_tree", `{"path":"/srv/site"}`},
	{"current time in Nairobi", "timeserver__get_current_time", `{"timezone":"Africa/Nairobi"}`},
	{"convert 06:45 from Asia/Dubai to Europe/Rome", "timeserver__convert_time", `{"time":"06:45","source_timezone":"Asia/Dubai","target_timezone":"Europe/Rome"}`},
	{"what is the status of the repository /work/blog?", "gitserver__git_status", `{"repo_path":"/work/blog"}`},
	{"list the branches of /work/blog", "gitserver__git_branch", `{"repo_path":"/work/blog"}`},
	{"visit https://example.org/faq", "fetchserver__fetch", `{"url":"https://example.org/faq"}`},
	{"events on 2027-02-03", "calendar__list_events", `{"date":"2027-02-03"}`},
	{"open the note Groceries", "notes__get_note", `{"title":"Groceries"}`},
	{"find notes about gardening", "notes__search_notes", `{"query":"gardening"}`},
	{"change 12.5 GBP into JPY", "currency__convert_currency", `{"amount":12.5,"from":"GBP","to":"JPY"}`},
	{"what does the word ephemeral mean? look up its definition", "dictionary__define_word", ``},
	{"show all pods", "kube__get_pods", `{}`},
	{"remember that Tom's shoe size is 44", "ghost__manage_memory", `{"action":"write","value":"44"}`},
	{"describe table customers", "sqliteserver__describe_table", `{"table_name":"customers"}`},
	{"how do birds fly?", "", ``},
	{"compose a song about rain", "", ``},
	{"what did you do yesterday?", "", ``},
	{"fix my car", "", ``},
	{"remove all my files", "", ``},
	{"is 17 a prime number?", "", ``},
}

// Requests and tools that were written last.
func TestLaterRequests(t *testing.T) {
	check(t, measure(t, toolbox(t, usual+newer), later), 85)
}

// Requests and tools that were written after the others.
func TestUnseenRequests(t *testing.T) {
	check(t, measure(t, toolbox(t, usual+newer), unseen), 85)
}
