package intent

import "testing"

// office are tools of servers for work and home, as these describe them.
const office = `
slack slack_list_channels | List public channels in the workspace with pagination | limit:number cursor:string
slack slack_post_message | Post a new message to a Slack channel | channel_id:string! text:string!
slack slack_reply_to_thread | Reply to a specific message thread in Slack | channel_id:string! thread_ts:string! text:string!
slack slack_add_reaction | Add a reaction emoji to a message | channel_id:string! timestamp:string! reaction:string!
slack slack_get_channel_history | Get recent messages from a channel | channel_id:string! limit:number
slack slack_get_users | Get a list of all users in the workspace with their basic profile information | cursor:string limit:number
slack slack_get_user_profile | Get detailed profile information for a specific user | user_id:string!
gmail search_emails | Searches for emails using Gmail search syntax | query:string! maxResults:number
gmail read_email | Retrieves the content of a specific email | messageId:string!
gmail send_email | Sends a new email | to:strings! subject:string! body:string! cc:strings
gmail draft_email | Draft a new email | to:strings! subject:string! body:string!
gmail delete_email | Permanently deletes an email | messageId:string!
gmail list_email_labels | Retrieves all available Gmail labels
gmail create_label | Creates a new Gmail label | name:string!
notion search | Search pages and databases in the Notion workspace by title | query:string!
notion retrieve_page | Retrieve a Notion page by its id | page_id:string!
notion create_page | Create a page below a parent page | parent_id:string! title:string! content:string
notion archive_page | Move a page to the trash | page_id:string!
postgres query | Run a read-only SQL query | sql:string!
obsidian list_files_in_vault | Lists all files and directories in the root directory of your Obsidian vault.
obsidian get_vault_file | Return the content of a single file in your vault. | filepath:string!
obsidian simple_search | Simple search for documents matching a specified text query across all files in the vault. | query:string! context_length:integer
obsidian append_content | Append content to a new or existing file in the vault. | filepath:string! content:string!
obsidian delete_vault_file | Delete a file or directory from the vault. | filepath:string! confirm:boolean
linear list_issues | List issues in the user's Linear workspace | query:string team:string status:string assignee:string limit:number
linear get_issue | Retrieve an issue's details by its identifier, such as ENG-12 | id:string!
linear create_issue | Create a new Linear issue | title:string! team:string! description:string
linear update_issue | Update an existing Linear issue | id:string! title:string status:string assignee:string
linear create_comment | Create a comment on a Linear issue | issueId:string! body:string!
linear list_teams | List the teams of the workspace
home get_entity | Get the state of a device, such as a lamp or a thermostat | entity_id:string!
home list_devices | List the devices of the house | area:string
home turn_on | Turn a device on | entity_id:string!
home turn_off | Turn a device off | entity_id:string!
home set_temperature | Set the target temperature of a thermostat, in degrees Celsius | entity_id:string! temperature:number!
home lock_door | Lock a door | entity_id:string!
home unlock_door | Unlock a door | entity_id:string!
spotify play | Start or resume playback, of a track if one is named | track:string
spotify pause | Pause playback
spotify skip | Skip to the next track
spotify now_playing | Get the track that plays
spotify search_tracks | Search tracks, albums and artists | query:string!
spotify add_to_queue | Add a track to the queue | track:string!
contacts find_contact | Find a person in the contacts by name | name:string!
contacts add_contact | Add a person to the contacts | name:string! email:string phone:string
weather get_forecast | Get the weather forecast for a city. | city:string! days:integer
sentry list_errors | List the unresolved errors of a project | project:string! limit:integer
sentry resolve_error | Mark an error as resolved | id:string!
stripe list_customers | List the customers, with their emails | email:string limit:integer
stripe create_refund | Refund a payment | payment_intent:string! amount:integer
stripe list_invoices | List invoices of a customer | customer:string limit:integer
`

// business and domestic are requests for these and the usual tools that were written from the
// lists of tools alone. When they were new, 72 % and 82 % got the right tool, 71 % and 67 % the
// right arguments, and one a tool that changes something, unasked. Rules were made since.
var business = []example{
	{"what channels do we have on Slack?", "slack__slack_list_channels", `{}`},
	{"send 'build is green' to the channel C024BE91L", "slack__slack_post_message", `{"channel_id":"C024BE91L","text":"build is green"}`},
	{"show the last 20 messages of channel C024BE91L", "slack__slack_get_channel_history", `{"channel_id":"C024BE91L","limit":20}`},
	{"who is in our Slack workspace?", "slack__slack_get_users", `{}`},
	{"find emails from anna@example.com", "gmail__search_emails", ``},
	{"which labels does my Gmail have?", "gmail__list_email_labels", `{}`},
	{"make a Gmail label called Receipts", "gmail__create_label", `{"name":"Receipts"}`},
	{"email bob@example.com with the subject \"Lunch\" and the body \"Is 12 fine?\"", "gmail__send_email", `{"to":["bob@example.com"],"subject":"Lunch","body":"Is 12 fine?"}`},
	{"search Notion for roadmap", "notion__search", `{"query":"roadmap"}`},
	{"list the files in my vault", "obsidian__list_files_in_vault", `{}`},
	{"search the vault for sourdough", "obsidian__simple_search", `{"query":"sourdough"}`},
	{"append '- milk' to shopping.md in my vault", "obsidian__append_content", `{"filepath":"shopping.md","content":"- milk"}`},
	{"show me issue ENG-42", "linear__get_issue", `{"id":"ENG-42"}`},
	{"which teams are there in Linear?", "linear__list_teams", `{}`},
	{"create a Linear issue 'Login is slow' for team Web", "linear__create_issue", `{"title":"Login is slow","team":"Web"}`},
	{"turn on light.kitchen", "home__turn_on", `{"entity_id":"light.kitchen"}`},
	{"switch off light.bedroom please", "home__turn_off", `{"entity_id":"light.bedroom"}`},
	{"set climate.living_room to 21.5 degrees", "home__set_temperature", `{"entity_id":"climate.living_room","temperature":21.5}`},
	{"is light.hall on?", "home__get_entity", `{"entity_id":"light.hall"}`},
	{"which song is this?", "spotify__now_playing", `{}`},
	{"pause the music", "spotify__pause", `{}`},
	{"next track please", "spotify__skip", `{}`},
	{"find the contact Maria Lopez", "contacts__find_contact", `{"name":"Maria Lopez"}`},
	{"what will the weather be like in Oslo?", "weather__get_forecast", `{"city":"Oslo"}`},
	{"unresolved errors of project checkout", "sentry__list_errors", `{"project":"checkout"}`},
	{"show the invoices of customer cus_81", "stripe__list_invoices", `{"customer":"cus_81"}`},
	{"what is in /var/spool?", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/var/spool"}`},
	{"read ~/todo.md", "filesystem__read_text_file filesystem__read_file", `{"path":"~/todo.md"}`},
	// What reads like a wish to change something and is none, or leaves out what to change.
	{"did anyone delete the email from Tom?", "", ``},
	{"I never unlock the door at night", "", ``},
	{"should I refund the customer?", "", ``},
	{"what happens if I archive a page?", "", ``},
	{"how do I turn off notifications?", "", ``},
	{"don't send the email", "", ``},
	{"the lights turn off by themselves", "", ``},
	{"why was ENG-7 resolved?", "linear__get_issue", `{"id":"ENG-7"}`},
	{"delete it", "", ``},
	{"remove the old stuff", "", ``},
	{"can you lock doors?", "", ``},
	{"thanks for sending the mail", "", ``},
	{"write a short story", "", ``},
	{"what's a good name for a cat?", "", ``},
}

var domestic = []example{
	{"list the Slack channels", "slack__slack_list_channels", `{}`},
	{"post \"lunch is ready\" in channel C99", "slack__slack_post_message", `{"channel_id":"C99","text":"lunch is ready"}`},
	{"what was said lately in channel C99?", "slack__slack_get_channel_history", `{"channel_id":"C99"}`},
	{"show the profile of user U07QX", "slack__slack_get_user_profile", `{"user_id":"U07QX"}`},
	{"look for emails about the invoice", "gmail__search_emails", ``},
	{"open the email 18c2f0a9", "gmail__read_email", `{"messageId":"18c2f0a9"}`},
	{"new Gmail label named Travel", "gmail__create_label", `{"name":"Travel"}`},
	{"draft an email to eve@example.com, subject \"Plan\", body \"See attached\"", "gmail__draft_email", `{"to":["eve@example.com"],"subject":"Plan","body":"See attached"}`},
	{"find the Notion page about onboarding", "notion__search", `{"query":"onboarding"}`},
	{"which files are in the Obsidian vault?", "obsidian__list_files_in_vault", `{}`},
	{"show daily/2026-11-01.md from the vault", "obsidian__get_vault_file", `{"filepath":"daily/2026-11-01.md"}`},
	{"add 'call Pia' to the end of todo.md in the vault", "obsidian__append_content", `{"filepath":"todo.md","content":"call Pia"}`},
	{"details of issue OPS-9", "linear__get_issue", `{"id":"OPS-9"}`},
	{"list the Linear issues of team Mobile", "linear__list_issues", `{"team":"Mobile"}`},
	{"comment 'fixed in 2.1' on issue OPS-9", "linear__create_comment", `{"issueId":"OPS-9","body":"fixed in 2.1"}`},
	{"turn switch.heater on", "home__turn_on", `{"entity_id":"switch.heater"}`},
	{"turn off switch.heater", "home__turn_off", `{"entity_id":"switch.heater"}`},
	{"unlock lock.front_door", "home__unlock_door", `{"entity_id":"lock.front_door"}`},
	{"what's the state of climate.office?", "home__get_entity", `{"entity_id":"climate.office"}`},
	{"list the devices in the kitchen", "home__list_devices", `{"area":"kitchen"}`},
	{"what's playing right now?", "spotify__now_playing", `{}`},
	{"skip this song", "spotify__skip", `{}`},
	{"add Bohemian Rhapsody to the queue", "spotify__add_to_queue", `{"track":"Bohemian Rhapsody"}`},
	{"search tracks by Nina Simone", "spotify__search_tracks", `{"query":"Nina Simone"}`},
	{"forecast for Madrid, 3 days", "weather__get_forecast", `{"city":"Madrid","days":3}`},
	{"mark the error 5521 as resolved", "sentry__resolve_error", `{"id":"5521"}`},
	{"list our Stripe customers", "stripe__list_customers", `{}`},
	{"show what /home/eva/music holds", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/home/eva/music"}`},
	{"did you send the message?", "", ``},
	{"never lock lock.front_door", "", ``},
	{"I wonder who deleted notes.md", "", ``},
	{"what does turning on the heater cost?", "", ``},
	{"can I undo a refund?", "", ``},
	{"please do not post that in C99", "", ``},
	{"my thermostat was set to 19 yesterday", "", ``},
	{"when should I archive pages?", "", ``},
	{"clean up", "", ``},
	{"delete that one", "", ``},
	{"are you able to send emails?", "", ``},
	{"good job adding the contact", "", ``},
	{"invent a riddle", "", ``},
	{"how old is the universe?", "", ``},
}

func TestBusinessRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+office), business), 75)
}

func TestDomesticRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+office), domestic), 75)
}
