package intent

import "testing"

// workshop are tools of servers that no other set has, as such servers describe them.
const workshop = `
clickhouse list_databases | List available ClickHouse databases
clickhouse run_select_query | Run a SELECT query in a ClickHouse database | query:string!
elastic list_indices | List all Elasticsearch indices | pattern:string
elastic get_mappings | Get field mappings for a specific Elasticsearch index | index:string!
elastic delete_index | Delete an Elasticsearch index and all of its documents | index:string!
hass get_state | Get the state of a Home Assistant entity | entity_id:string!
hass turn_on | Turn on a device | entity_id:string!
hass turn_off | Turn off a device | entity_id:string!
hass list_automations | List all automations of Home Assistant
discord read_messages | Read recent messages from a Discord channel | channel:string! limit:integer
discord send_message | Send a message to a Discord channel | channel:string! message:string!
discord list_channels | List the channels of a Discord server | guild:string
figma get_file | Get the contents of a Figma file | file_key:string! depth:integer
figma export_node | Export a node of a Figma file as an image | file_key:string! node_id:string! format:(png,svg,jpg)
pandoc convert_document | Convert a document between formats such as Markdown, DOCX, HTML and PDF | input_file:string! output_format:(markdown,html,docx,pdf)! output_file:string
archive create_zip | Pack files into a zip archive | files:strings! output:string!
archive extract_archive | Unpack an archive into a folder | path:string! destination:string
archive list_archive | List what an archive contains | path:string!
ocr read_image_text | Recognize the text in an image | path:string! language:string
images resize_image | Resize an image to a width and height | path:string! width:integer! height:integer
images image_info | Show format, size and colours of an image | path:string!
hn get_top_stories | Get the top stories of Hacker News | limit:integer
hn get_comments | Get the comments of a Hacker News story | story_id:integer!
books search_books | Search books by title, author or ISBN | query:string! limit:integer
movies movie_details | Get plot, cast and rating of a movie | title:string! year:integer
trains next_departures | Show the next departures at a station | station:string! limit:integer
hotels search_hotels | Search hotels in a city for some dates | city:string! checkin:string checkout:string guests:integer
password generate_password | Generate a random password | length:integer symbols:boolean
color convert_color | Convert a colour between HEX, RGB and HSL | color:string! target:(hex,rgb,hsl)!
network port_scan | Check which TCP ports of a host are open | host:string! ports:string
process list_processes | List running processes with their CPU and memory use | sort_by:(cpu,memory,name)
process kill_process | End a running process | pid:integer!
system disk_usage | Show how full the disks are | path:string
system system_info | Show operating system, processor and memory of this computer
habit log_habit | Log that you did a habit today | habit:string!
habit list_habits | List your habits with their streaks
npm package_info | Get the latest version, licence and dependencies of an npm package | name:string!
news top_headlines | Get the latest headlines, by country or topic | topic:string country:string
`

// stranger are requests for these and the usual tools. At their first run, 73 % got the right tool,
// 65 % the right arguments, 8 % a wrong tool, and none one that changes something.
var stranger = []example{
	{"which ClickHouse databases are there?", "clickhouse__list_databases", `{}`},
	{"show the Elasticsearch indices", "elastic__list_indices", `{}`},
	{"what fields does the Elasticsearch index logs-2026 have?", "elastic__get_mappings", `{"index":"logs-2026"}`},
	{"is light.kitchen on?", "hass__get_state", `{"entity_id":"light.kitchen"}`},
	{"turn off switch.heater", "hass__turn_off", `{"entity_id":"switch.heater"}`},
	{"what automations do I have?", "hass__list_automations", `{}`},
	{"read the last 20 messages of the Discord channel general", "discord__read_messages", `{"channel":"general","limit":20}`},
	{"which channels does the Discord server have?", "discord__list_channels", `{}`},
	{"send \"see you at 8\" to the Discord channel gaming", "discord__send_message", `{"channel":"gaming","message":"see you at 8"}`},
	{"get the Figma file hX3kLm92", "figma__get_file", `{"file_key":"hX3kLm92"}`},
	{"convert thesis.md to docx", "pandoc__convert_document", `{"input_file":"thesis.md","output_format":"docx"}`},
	{"zip a.txt and b.txt into both.zip", "archive__create_zip", `{"files":["a.txt","b.txt"],"output":"both.zip"}`},
	{"unpack backup.tar.gz into /tmp/restore", "archive__extract_archive", `{"path":"backup.tar.gz","destination":"/tmp/restore"}`},
	{"what is inside photos.zip?", "archive__list_archive", `{"path":"photos.zip"}`},
	{"recognize the text in receipt.jpg", "ocr__read_image_text", `{"path":"receipt.jpg"}`},
	{"resize logo.png to 200x100", "images__resize_image", `{"path":"logo.png","width":200,"height":100}`},
	{"what's on top of Hacker News?", "hn__get_top_stories", `{}`},
	{"comments on the Hacker News story 4012345", "hn__get_comments", `{"story_id":4012345}`},
	{"search for books by Ursula Le Guin", "books__search_books", ``},
	{"who plays in the movie Casablanca?", "movies__movie_details", `{"title":"Casablanca"}`},
	{"next 5 departures at Zurich HB", "trains__next_departures", `{"station":"Zurich HB","limit":5}`},
	{"hotels in Lisbon", "hotels__search_hotels", `{"city":"Lisbon"}`},
	{"generate a password of 24 characters", "password__generate_password", `{"length":24}`},
	{"convert #ff8800 to rgb", "color__convert_color", `{"color":"#ff8800","target":"rgb"}`},
	{"which ports are open on 192.168.1.10?", "network__port_scan", `{"host":"192.168.1.10"}`},
	{"what processes use the most memory?", "process__list_processes", `{"sort_by":"memory"}`},
	{"kill process 4711", "process__kill_process", `{"pid":4711}`},
	{"how full is my disk?", "system__disk_usage", `{}`},
	{"log the habit meditation", "habit__log_habit", `{"habit":"meditation"}`},
	{"latest version of the npm package express", "npm__package_info", `{"name":"express"}`},
	{"today's headlines about science", "news__top_headlines", `{"topic":"science"}`},
	{"list what is in /var/log", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", ``},
	{"12 plus 30", "everything__get-sum", `{"a":12,"b":30}`},
	{"is Python better than Go?", "", ``},
	{"nice work, thank you", "", ``},
	{"water the plants", "", ``},
	{"please do not delete the index logs-2026", "", ``},
	{"how do I kill a process?", "", ``},
	{"I turned off the heater already", "", ``},
	{"paint a picture of a horse", "", ``},
}

func TestStrangerRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+workshop), stranger), 85)
}
