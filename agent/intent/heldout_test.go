package intent

import "testing"

// others are tools that the matcher was not developed with.
const others = `
weather get_forecast | Get the weather forecast for a city. | city:string! days:integer units:(metric,imperial)
weather get_alerts | Active weather alerts of a country. | country:string!
tracker list_issues | List issues of a repository, newest first. | repo:string! state:(open,closed,all) limit:integer
tracker create_issue | Open a new issue in a repository. | repo:string! title:string! body:string
tracker close_issue | Close an issue by its number. | repo:string! number:integer!
tracker search_issues | Search issues and pull requests by words. | query:string!
todo add_task | Add a task to the to-do list. | title:string! due:string
todo list_tasks | Show all tasks of the to-do list. | done:boolean
todo complete_task | Mark a task as done. | id:integer!
docker list_containers | List the running containers. | all:boolean
docker container_logs | Print the last lines of a container's log. | container:string! lines:integer
docker stop_container | Stop a running container. | container:string!
math multiply | Multiply two numbers. | a:number! b:number!
math sqrt | Square root of a number. | x:number!
units convert_units | Convert a value from one unit to another. | value:number! from_unit:string! to_unit:string!
text word_count | Count the words, lines and characters of a text. | text:string!
text reverse_text | Turn a text around. | input:string!
`

// heldOut are paraphrases, and requests for tools of other servers, that were written
// after the matcher and not used to develop it.
var heldOut = []example{
	{"what's inside /srv/www?", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/srv/www"}`},
	{"show the contents of folder /var/log", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/var/log"}`},
	{"cat config.yaml", "filesystem__read_text_file filesystem__read_file", `{"path":"config.yaml"}`},
	{"open /home/me/todo.md for me", "filesystem__read_text_file filesystem__read_file", `{"path":"/home/me/todo.md"}`},
	{"what is in the file report.csv", "filesystem__read_text_file filesystem__read_file", `{"path":"report.csv"}`},
	{"show the first 10 lines of server.log", "filesystem__read_text_file filesystem__read_file", `{"path":"server.log","head":10}`},
	{"make a new folder /tmp/photos", "filesystem__create_directory", `{"path":"/tmp/photos"}`},
	{"mkdir build/output", "filesystem__create_directory", `{"path":"build/output"}`},
	{"rename draft.txt to final.txt", "filesystem__move_file", `{"source":"draft.txt","destination":"final.txt"}`},
	{"mv /a/x.log /b/x.log", "filesystem__move_file", `{"source":"/a/x.log","destination":"/b/x.log"}`},
	{"look for *.go files in /src", "filesystem__search_files", `{"path":"/src","pattern":"*.go"}`},
	{"when was main.go last modified?", "filesystem__get_file_info", `{"path":"main.go"}`},
	{"what is the size of /data/video.mp4", "filesystem__get_file_info", `{"path":"/data/video.mp4"}`},
	{"list the files in /data with their sizes", "filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/data"}`},
	{"print a tree of src/", "filesystem__directory_tree", `{"path":"src/"}`},
	{"which folders may you access?", "filesystem__list_allowed_directories", `{}`},
	{"save \"buy milk\" to /tmp/list.txt", "filesystem__write_file", `{"path":"/tmp/list.txt","content":"buy milk"}`},
	{"change port 80 to port 8080 in nginx.conf", "filesystem__edit_file", `{"path":"nginx.conf"}`},
	{"show me the photo holiday.jpg", "filesystem__read_media_file", `{"path":"holiday.jpg"}`},
	{"read one.txt, two.txt and three.txt", "filesystem__read_multiple_files", `{"paths":["one.txt","two.txt","three.txt"]}`},
	{"read the knowledge graph", "memory__read_graph", `{}`},
	{"find Bob in the knowledge graph", "memory__search_nodes memory__open_nodes", ``},
	{"remove the entity Carol from the graph", "memory__delete_entities", `{"entityNames":["Carol"]}`},
	{"what time is it in New York right now?", "timeserver__get_current_time", `{"timezone":"America/New_York"}`},
	{"tell me the time in Sydney", "timeserver__get_current_time", `{"timezone":"Australia/Sydney"}`},
	{"what is 9:15 am in Paris in Singapore time?", "timeserver__convert_time", `{"time":"09:15","source_timezone":"Europe/Paris","target_timezone":"Asia/Singapore"}`},
	{"convert 18:00 Asia/Tokyo to America/Chicago", "timeserver__convert_time", `{"time":"18:00","source_timezone":"Asia/Tokyo","target_timezone":"America/Chicago"}`},
	{"show the git status of ~/code/app", "gitserver__git_status", `{"repo_path":"~/code/app"}`},
	{"git log of /work/lib, only 3 commits", "gitserver__git_log", `{"repo_path":"/work/lib","max_count":3}`},
	{"which branches are in /work/lib?", "gitserver__git_branch", `{"repo_path":"/work/lib"}`},
	{"commit in /work/lib with the message \"first version\"", "gitserver__git_commit", `{"repo_path":"/work/lib","message":"first version"}`},
	{"checkout branch release-2", "gitserver__git_checkout", `{"branch_name":"release-2"}`},
	{"make a branch named hotfix", "gitserver__git_create_branch", `{"branch_name":"hotfix"}`},
	{"show the staged changes in /work/lib", "gitserver__git_diff_staged", `{"repo_path":"/work/lib"}`},
	{"add main.go and go.mod to the staging area", "gitserver__git_add", `{"files":["main.go","go.mod"]}`},
	{"what's in commit 9fceb02?", "gitserver__git_show", `{"revision":"9fceb02"}`},
	{"which tables does the database have?", "sqliteserver__list_tables", `{}`},
	{"show me the columns of table orders", "sqliteserver__describe_table", `{"table_name":"orders"}`},
	{"select name, age from people where age > 30", "sqliteserver__read_query", `{"query":"select name, age from people where age > 30"}`},
	{"DELETE FROM logs WHERE id < 100", "sqliteserver__write_query", `{"query":"DELETE FROM logs WHERE id < 100"}`},
	{"execute UPDATE users SET name = 'x' WHERE id = 3", "sqliteserver__write_query", `{"query":"UPDATE users SET name = 'x' WHERE id = 3"}`},
	{"get https://example.org/a?b=c", "fetchserver__fetch", `{"url":"https://example.org/a?b=c"}`},
	{"open the website www.rust-lang.org", "fetchserver__fetch", `{"url":"https://www.rust-lang.org"}`},
	{"what does https://example.com/terms say about refunds", "fetchserver__fetch", `{"url":"https://example.com/terms"}`},
	{"repeat after me: good night", "everything__echo", ``},
	{"how much is 12.5 plus 7", "everything__get-sum", `{"a":12.5,"b":7}`},
	{"3 + 4", "everything__get-sum", `{"a":3,"b":4}`},
	{"print the env variables", "everything__get-env", `{}`},
	{"show a tiny image", "everything__get-tiny-image", `{}`},
	{"remember my dentist is Dr. Lee", "ghost__manage_memory", `{"action":"write","key":"dentist","value":"Dr. Lee"}`},
	{"who is my dentist?", "ghost__manage_memory", `{"action":"read","key":"dentist"}`},
	{"save wifi password as hunter2", "ghost__manage_memory", `{"action":"write","key":"wifi password","value":"hunter2"}`},
	{"do you remember my favourite colour?", "ghost__manage_memory", `{"action":"read","key":"favourite colour"}`},
	{"create a note named shopping.txt with the text eggs and flour", "ghost__haunt_desktop", `{"filename":"shopping.txt","content":"eggs and flour"}`},
	{"play the warning sound", "ghost__play_system_sound", `{"type":"warning"}`},
	{"make an error noise", "ghost__play_system_sound", `{"type":"error"}`},
	{"what files are here?", "ghost__read_project_context filesystem__list_directory filesystem__list_directory_with_sizes", `{"*":"."}`},
	{"list files in docs", "ghost__read_project_context filesystem__list_directory filesystem__list_directory_with_sizes", `{"*":"docs"}`},
	{"weather in Lisbon", "weather__get_forecast", `{"city":"Lisbon"}`},
	{"what will the weather be in Oslo for the next 3 days?", "weather__get_forecast", `{"city":"Oslo","days":3}`},
	{"are there weather alerts for Canada?", "weather__get_alerts", `{"country":"Canada"}`},
	{"show the open issues of acme/site", "tracker__list_issues", `{"repo":"acme/site","state":"open"}`},
	{"close issue 17 of acme/site", "tracker__close_issue", `{"repo":"acme/site","number":17}`},
	{"search issues for crash on start", "tracker__search_issues", `{"query":"crash on start"}`},
	{"add a task: water the plants", "todo__add_task", `{"title":"water the plants"}`},
	{"show my tasks", "todo__list_tasks", `{}`},
	{"complete task 4", "todo__complete_task", `{"id":4}`},
	{"which containers are running?", "docker__list_containers", `{}`},
	{"stop container web-1", "docker__stop_container", `{"container":"web-1"}`},
	{"show the last 20 lines of the log of container db", "docker__container_logs", `{"container":"db","lines":20}`},
	{"multiply 6 by 7", "math__multiply", `{"a":6,"b":7}`},
	{"square root of 81", "math__sqrt", `{"x":81}`},
	{"count the words of \"to be or not to be\"", "text__word_count", `{"text":"to be or not to be"}`},
	{"reverse the text stressed", "text__reverse_text", `{"input":"stressed"}`},
	{"write a haiku about snow", "", ``},
	{"what is the capital of Peru?", "", ``},
	{"good morning", "", ``},
	{"tell me a joke", "", ``},
	{"how do I cook rice?", "", ``},
	{"summarize the plot of Hamlet", "", ``},
	{"order a pizza", "", ``},
	{"why is the sky blue?", "", ``},
	{"call my mother", "", ``},
	{"who wrote Faust?", "", ``},
	{"draft a letter to my landlord", "", ``},
	{"is it going to be fun?", "", ``},
	{"how many people live in Japan?", "", ``},
	{"turn on the lights", "", ``},
	{"I am bored", "", ``},
}

// Requests that the matcher has not seen, over tools of which it has not seen a third.
func TestHeldOutRequests(t *testing.T) {
	check(t, measure(t, toolbox(t, usual+others), heldOut), 85)
}
