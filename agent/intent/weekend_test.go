package intent

import "testing"

// leisure are tools of servers that no other set has, as such servers describe them.
const leisure = `
outlook list_appointments | List the appointments of a day | date:string
outlook book_room | Book a meeting room | room:string! start:string! duration:integer
outlook cancel_appointment | Cancel an appointment and inform its guests | id:string!
signal read_chat | Read the latest messages of a Signal chat | contact:string! count:integer
signal send_text | Send a text message to a contact | contact:string! text:string!
tasks show_list | Show what is on a to-do list | list:string
tasks add_item | Add an item to a to-do list | item:string! list:string
tasks tick_item | Tick an item off a to-do list | item:string!
excel describe_workbook | List sheets and columns of an Excel workbook | path:string!
excel get_column | Get the values of a column of an Excel workbook | path:string! column:string!
excel add_row | Append a row to a sheet of an Excel workbook | path:string! values:strings!
sonos list_rooms | List the rooms that have a speaker
sonos play_station | Play a radio station in a room | station:string! room:string
sonos mute_room | Mute the speaker of a room | room:string!
tado get_temperature | Get the temperature and humidity of a room | room:string!
tado set_temperature | Set the target temperature of a room in degrees | room:string! degrees:number!
locks lock_status | Show whether the doors are locked
locks unlock_door | Unlock a door | door:string!
gmaps place_details | Get opening hours, phone number and rating of a place | place:string!
gmaps travel_time | Get the travel time between two places | start:string! destination:string! mode:(driving,walking,transit)
podman list_images | List the container images on this computer
podman inspect_container | Show details of a container | name:string!
podman restart_container | Restart a container | name:string!
podman prune_system | Remove all unused containers, images and networks
gitlab list_issues | List the issues of a project, filtered by label or state | project:string! label:string state:(opened,closed,all)
gitlab get_merge_request | Get a merge request with its changes | project:string! iid:integer!
gitlab close_issue | Close an issue of a project | project:string! iid:integer!
budget get_balance | Get the balance of an account | account:string!
budget add_expense | Record an expense | amount:number! category:string! note:string
photos search_photos | Search photos by person, place or thing | query:string!
photos delete_album | Delete an album with all of its photos | album:string!
garden soil_moisture | Read the soil moisture of a plant | plant:string!
garden start_watering | Start watering a zone of the garden | zone:string! minutes:integer
dictionary define_word | Look up the definition of a word | word:string!
flights flight_status | Get the status of a flight by its number | flight:string!
ev charge_level | Show the charge level and range of the car
ev start_charging | Start charging the car
`

// weekend are requests for these and the usual tools. At their first run, with the rules that household
// led to, 87 % got the right tool, 71 % the right arguments, 2 % a wrong tool, and none one that changes something.
var weekend = []example{
	{"show my appointments", "outlook__list_appointments", ``},
	{"book the meeting room Einstein", "outlook__book_room", `{"room":"Einstein"}`},
	{"cancel the appointment AP-5521", "outlook__cancel_appointment", `{"id":"AP-5521"}`},
	{"read the last 10 messages of the Signal chat with Nora", "signal__read_chat", `{"contact":"Nora","count":10}`},
	{"send the text \"on my way\" to Nora", "signal__send_text", `{"contact":"Nora","text":"on my way"}`},
	{"what is on my to-do list?", "tasks__show_list", `{}`},
	{"add \"light bulbs\" to the list shopping", "tasks__add_item", `{"item":"light bulbs","list":"shopping"}`},
	{"tick off \"call the plumber\"", "tasks__tick_item", `{"item":"call the plumber"}`},
	{"which sheets and columns does sales.xlsx have?", "excel__describe_workbook", `{"path":"sales.xlsx"}`},
	{"get the column Revenue of sales.xlsx", "excel__get_column", `{"path":"sales.xlsx","column":"Revenue"}`},
	{"which rooms have a speaker?", "sonos__list_rooms", `{}`},
	{"play the radio station FM4", "sonos__play_station", `{"station":"FM4"}`},
	{"mute the speaker in the bathroom", "sonos__mute_room", ``},
	{"how warm is it in the bedroom?", "tado__get_temperature", `{"room":"bedroom"}`},
	{"set the temperature of the bedroom to 18.5 degrees", "tado__set_temperature", `{"room":"bedroom","degrees":18.5}`},
	{"are the doors locked?", "locks__lock_status", `{}`},
	{"when does the Louvre open?", "gmaps__place_details", `{"place":"Louvre"}`},
	{"travel time from Bern to Basel", "gmaps__travel_time", `{"start":"Bern","destination":"Basel"}`},
	{"list my container images", "podman__list_images", `{}`},
	{"inspect the container nginx-proxy", "podman__inspect_container", `{"name":"nginx-proxy"}`},
	{"restart the container nginx-proxy", "podman__restart_container", `{"name":"nginx-proxy"}`},
	{"list the closed issues of the project web/shop", "gitlab__list_issues", `{"project":"web/shop","state":"closed"}`},
	{"show merge request 91 of the project web/shop", "gitlab__get_merge_request", `{"project":"web/shop","iid":91}`},
	{"what is the balance of the account savings?", "budget__get_balance", `{"account":"savings"}`},
	{"record an expense of 12.40 for groceries", "budget__add_expense", `{"amount":12.4,"category":"groceries"}`},
	{"search my photos for lighthouses", "photos__search_photos", `{"query":"lighthouses"}`},
	{"how dry is the soil of the basil?", "garden__soil_moisture", ``},
	{"define the word petrichor", "dictionary__define_word", `{"word":"petrichor"}`},
	{"is flight LX318 on time?", "flights__flight_status", `{"flight":"LX318"}`},
	{"how far can the car still go?", "ev__charge_level", `{}`},
	{"charge the car", "ev__start_charging", `{}`},
	{"we unlocked the door an hour ago", "", ``},
	{"can I prune the system without losing data?", "", ``},
	{"don't close the issue 12", "", ``},
	{"water the garden if it does not rain", "", ``},
	{"why was the appointment cancelled?", "", ``},
	{"what's the meaning of life?", "", ``},
	{"thanks a lot", "", ``},
	{"draw a lighthouse", "", ``},
	{"deleting albums is scary", "", ``},
}

func TestWeekendRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+leisure), weekend), 85)
}
