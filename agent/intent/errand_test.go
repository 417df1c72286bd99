package intent

import "testing"

// utilities are tools of servers that no other set has, as such servers describe them.
const utilities = `
icloud list_reminders | List the reminders of a list | list:string completed:boolean
icloud create_reminder | Create a reminder | title:string! due:string list:string
icloud delete_reminder | Delete a reminder | reminder_id:string!
fastmail get_unread | Get the unread messages of a folder | folder:string limit:integer
fastmail forward_message | Forward a message to an address | message_id:string! address:string!
fastmail create_draft | Create a draft of a message | to:string! subject:string! body:string!
airtable list_records | List the records of a table | table:string! max_records:integer
airtable get_record | Get a record of a table | table:string! record_id:string!
airtable update_record | Update a record of a table | table:string! record_id:string! fields:string!
lastfm top_artists | Get the artists that you heard most | period:(week,month,year) limit:integer
lastfm similar_artists | Find artists that are similar to an artist | artist:string!
mpd queue_song | Add a song to the queue | song:string!
mpd clear_queue | Remove all songs from the queue
mpd repeat_mode | Turn repeat on or off | mode:(on,off)!
shelly switch_status | Show whether a switch is on and its power | switch:string!
shelly toggle_switch | Toggle a switch | switch:string!
blinds close_blinds | Close the blinds of a room | room:string!
blinds blind_position | Get the position of the blinds of a room | room:string!
transit departures | Get the next departures of a stop | stop:string! limit:integer
transit plan_trip | Plan a trip from one stop to another | from:string! to:string! departure_time:string
swarm list_services | List the services of the swarm
swarm service_logs | Show the logs of a service | service:string! lines:integer
swarm update_service | Update a service to an image | service:string! image:string!
redmine search_tickets | Search tickets by words | query:string! status:(open,closed,any)
redmine get_ticket | Get a ticket with its history | ticket_id:integer!
redmine log_time | Log time on a ticket | ticket_id:integer! hours:number! comment:string
notes search_notes | Search notes by words | query:string!
notes append_note | Append text to a note | note:string! text:string!
currency convert_amount | Convert an amount between two currencies | amount:number! from_currency:string! to_currency:string!
library search_catalogue | Search the catalogue of the library | query:string! language:string
library loans | List the books that you have borrowed
library renew_loan | Renew a borrowed book | title:string!
energy consumption | Show the electricity consumption of a day | date:string
vacuum start_cleaning | Start cleaning a room with the robot | room:string
vacuum robot_status | Show the status and battery of the robot vacuum
museum opening_hours | Show the opening hours of a museum | museum:string!
`

// errand are requests for these and the usual tools. At their only run before the rules changed again,
// 94 % got the right tool, 86 % the right arguments, none a wrong tool.
var errand = []example{
	{"list my reminders", "icloud__list_reminders", ``},
	{"create a reminder \"water the ficus\"", "icloud__create_reminder", `{"title":"water the ficus"}`},
	{"add a reminder titled \"return the drill\"", "icloud__create_reminder", `{"title":"return the drill"}`},
	{"delete the reminder rem_4411", "icloud__delete_reminder", `{"reminder_id":"rem_4411"}`},
	{"show my unread messages", "fastmail__get_unread", ``},
	{"get the last 5 unread messages of the folder invoices", "fastmail__get_unread", `{"folder":"invoices","limit":5}`},
	{"list the records of the table Suppliers", "airtable__list_records", `{"table":"Suppliers"}`},
	{"get the record rec81XyZ of the table Suppliers", "airtable__get_record", `{"table":"Suppliers","record_id":"rec81XyZ"}`},
	{"my top artists of this year", "lastfm__top_artists", `{"period":"year"}`},
	{"artists similar to Nina Simone", "lastfm__similar_artists", `{"artist":"Nina Simone"}`},
	{"queue the song \"Blue in Green\"", "mpd__queue_song", `{"song":"Blue in Green"}`},
	{"clear the queue", "mpd__clear_queue", `{}`},
	{"turn repeat off", "mpd__repeat_mode", `{"mode":"off"}`},
	{"is the switch desk-lamp on?", "shelly__switch_status", `{"switch":"desk-lamp"}`},
	{"toggle the switch desk-lamp", "shelly__toggle_switch", `{"switch":"desk-lamp"}`},
	{"close the blinds of the study", "blinds__close_blinds", `{"room":"study"}`},
	{"next departures of the stop Marktplatz", "transit__departures", `{"stop":"Marktplatz"}`},
	{"plan a trip from Hauptbahnhof to Zoo", "transit__plan_trip", `{"from":"Hauptbahnhof","to":"Zoo"}`},
	{"which services are in the swarm?", "swarm__list_services", `{}`},
	{"show the logs of the service billing", "swarm__service_logs", `{"service":"billing"}`},
	{"update the service billing to the image billing:2.1", "swarm__update_service", `{"service":"billing","image":"billing:2.1"}`},
	{"search tickets about invoices", "redmine__search_tickets", `{"query":"invoices"}`},
	{"show ticket 7731", "redmine__get_ticket", `{"ticket_id":7731}`},
	{"log 2.5 hours on ticket 7731", "redmine__log_time", `{"ticket_id":7731,"hours":2.5}`},
	{"search my notes for sourdough", "notes__search_notes", `{"query":"sourdough"}`},
	{"append \"2 kg flour\" to the note groceries", "notes__append_note", `{"note":"groceries","text":"2 kg flour"}`},
	{"convert 250 EUR to JPY", "currency__convert_amount", `{"amount":250,"from_currency":"EUR","to_currency":"JPY"}`},
	{"search the library catalogue for Italo Calvino", "library__search_catalogue", `{"query":"Italo Calvino"}`},
	{"which books have I borrowed?", "library__loans", `{}`},
	{"how is the robot vacuum doing?", "vacuum__robot_status", `{}`},
	{"opening hours of the museum Albertina", "museum__opening_hours", `{"museum":"Albertina"}`},
	{"the robot has cleaned the kitchen", "", ``},
	{"should I renew the loan of that book?", "", ``},
	{"never clear the queue", "", ``},
	{"what is a swarm?", "", ``},
	{"toggle the switch when I get home", "", ``},
	{"why is my electricity so expensive?", "", ``},
	{"tell me a bedtime story", "", ``},
	{"ok thanks", "", ``},
	{"forwarding chain letters is silly", "", ``},
}

func TestErrandRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+utilities), errand), 85)
}
