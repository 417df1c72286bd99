package intent

import "testing"

// unheard are tools of servers that none of the other sets has.
const unheard = `
jira jira_search | Search Jira issues with JQL or words | query:string! limit:integer
jira jira_get_issue | Get the details of a Jira issue | issue_key:string!
jira jira_transition_issue | Transition a Jira issue to another status | issue_key:string! status:string!
drive list_files | List files of Google Drive | folder_id:string pageSize:integer
drive share_file | Share a file with a person | file_id:string! email:string!
drive trash_file | Move a file to the trash of Google Drive | file_id:string!
printer print_document | Print a document on the printer | path:string! copies:integer
printer list_jobs | List the jobs of the printer
printer cancel_job | Cancel a job of the printer | job_id:string!
redis get_key | Get the value of a key in Redis | key:string!
redis set_key | Set the value of a key in Redis | key:string! value:string!
redis flush_all | Removes all keys of all databases
cloud deploy | Deploy the current version to an environment | environment:(staging,production)!
cloud rollback | Roll back an environment to its last version | environment:(staging,production)!
cloud list_deployments | List the latest deployments | environment:(staging,production) limit:integer
maps geocode | Get the coordinates of an address | address:string!
maps directions | Get directions from one place to another | origin:string! destination:string!
timer start_timer | Start a timer | minutes:number!
timer stop_timer | Stop the timer that runs
backup run_backup | Back up the home folder now
backup list_backups | List the backups that exist
crypto hash_text | Hash a text with SHA-256 | text:string!
`

// heard are requests for these and the usual tools. They were measured once, when the rules
// were done: 84 % got the right tool, 82 % the right arguments, 3 % a wrong tool, and none one that changes something.
var heard = []example{
	{"search Jira for login errors", "jira__jira_search", ``},
	{"show the Jira issue PAY-310", "jira__jira_get_issue", `{"issue_key":"PAY-310"}`},
	{"list my Google Drive files", "drive__list_files", `{}`},
	{"share the file 1AbC23 with eve@example.com", "drive__share_file", `{"file_id":"1AbC23","email":"eve@example.com"}`},
	{"print /home/eva/letter.pdf", "printer__print_document", `{"path":"/home/eva/letter.pdf"}`},
	{"which jobs does the printer have?", "printer__list_jobs", `{}`},
	{"cancel print job 17", "printer__cancel_job", `{"job_id":"17"}`},
	{"get the Redis key session:42", "redis__get_key", `{"key":"session:42"}`},
	{"deploy to staging", "cloud__deploy", `{"environment":"staging"}`},
	{"roll back production", "cloud__rollback", `{"environment":"production"}`},
	{"show the last 5 deployments", "cloud__list_deployments", `{"limit":5}`},
	{"coordinates of the address \"10 Downing Street\"", "maps__geocode", `{"address":"10 Downing Street"}`},
	{"start a timer of 10 minutes", "timer__start_timer", `{"minutes":10}`},
	{"stop the timer", "timer__stop_timer", `{}`},
	{"run a backup", "backup__run_backup", `{}`},
	{"which backups exist?", "backup__list_backups", `{}`},
	{"hash the text hello", "crypto__hash_text", `{"text":"hello"}`},
	{"read /etc/fstab", "filesystem__read_text_file filesystem__read_file", `{"path":"/etc/fstab"}`},
	{"don't deploy to production", "", ``},
	{"deploy to production tomorrow", "", ``},
	{"was staging deployed?", "cloud__list_deployments", ``},
	{"is it dangerous to flush all keys?", "", ``},
	{"never flush all", "", ``},
	{"flush all keys except session:42", "", ``},
	{"the timer stopped", "", ``},
	{"should we roll back staging?", "", ``},
	{"cancel everything", "", ``},
	{"what would a rollback of production do?", "", ``},
	{"if the tests pass deploy to staging", "", ``},
	{"running a backup every night is wise", "", ``},
	{"sharing is caring", "", ``},
	{"can you print?", "", ``},
	{"name three rivers", "", ``},
	{"my printer is a mess", "", ``},
}

func TestUnheardRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+unheard), heard), 75)
}
