package intent

import "testing"

// studio are tools of servers that none of the older sets has, as such servers describe them.
const studio = `
anki find_notes | Search notes in the Anki collection with a search expression | query:string! limit:integer
anki add_note | Add a flashcard to a deck | deck:string! front:string! back:string! tags:strings
anki list_decks | List all decks with their number of cards
anki due_cards | Returns the cards that are due for review today | deck:string
zotero zotero_search_items | Search your Zotero library for items by title, creator or year | query:string! qmode:string limit:integer
zotero zotero_item_metadata | Get the bibliographic metadata of an item | item_key:string!
zotero zotero_item_fulltext | Get the full text of an item | item_key:string!
terraform plan | Show the changes that Terraform would make | directory:string!
terraform apply | Apply the changes of a Terraform configuration | directory:string! autoApprove:boolean
terraform list_resources | List the resources in the Terraform state | directory:string
s3 list_buckets | List all S3 buckets of the account
s3 list_objects | List the objects in a bucket, optionally below a prefix | bucket:string! prefix:string maxKeys:integer
s3 get_object | Download an object from a bucket | bucket:string! key:string!
s3 delete_object | Delete an object from a bucket | bucket:string! key:string!
youtube get_transcript | Get the transcript of a YouTube video | url:string! lang:string
youtube get_video_info | Get title, channel, length and views of a YouTube video | url:string!
rss add_feed | Subscribe to an RSS feed | url:string!
rss list_feeds | List the RSS feeds that you follow
rss get_unread | Get unread articles of your feeds | feed:string limit:integer
ffmpeg convert_video | Convert a video file to another format | input:string! output:string!
ffmpeg extract_audio | Extract the audio track of a video file | input:string! output:string
ffmpeg probe | Show codec, duration and resolution of a media file | path:string!
ssh run_command | Run a shell command on a remote host over SSH | host:string! command:string!
ssh upload_file | Upload a local file to a remote host | host:string! local_path:string! remote_path:string!
bookmarks search_bookmarks | Find saved bookmarks by words or tag | query:string! tag:string
bookmarks save_bookmark | Save a bookmark with a title and tags | url:string! title:string tags:strings
trello get_boards | List the boards of your Trello account
trello get_cards | List the cards of a list on a Trello board | list_id:string!
trello move_card | Move a card to another list | card_id:string! list_id:string!
ping ping_host | Ping a host and report the round-trip time | host:string! count:integer
ping dns_lookup | Resolve the DNS records of a domain | domain:string! type:(A,AAAA,MX,TXT,NS)
whois whois_domain | Look up the registration data of a domain | domain:string!
qr create_qr_code | Create a QR code picture for a text or link | text:string! size:integer
pdf extract_text | Extract the text of a PDF file | path:string! pages:string
pdf merge_pdfs | Merge several PDF files into one | inputs:strings! output:string!
strava recent_activities | List your latest sports activities | limit:integer type:(run,ride,swim)
recipes find_recipe | Find recipes by ingredient or dish | query:string! diet:(vegan,vegetarian,any)
`

// newcomer are requests for these and the usual tools. At their first run, 66 % got the right tool,
// 65 % the right arguments, and none a wrong tool. Hosts, formats and files to write were added for them.
var newcomer = []example{
	{"which flashcards are due today?", "anki__due_cards", `{}`},
	{"what decks do I have in Anki?", "anki__list_decks", `{}`},
	{"search my Anki notes for mitochondria", "anki__find_notes", `{"query":"mitochondria"}`},
	{"find articles by Kahneman in my Zotero library", "zotero__zotero_search_items", ``},
	{"give me the full text of the Zotero item Q7ZK2M9X", "zotero__zotero_item_fulltext", `{"item_key":"Q7ZK2M9X"}`},
	{"what would Terraform change in ./infra?", "terraform__plan", `{"directory":"./infra"}`},
	{"apply the Terraform configuration in ./infra", "terraform__apply", `{"directory":"./infra"}`},
	{"list my S3 buckets", "s3__list_buckets", `{}`},
	{"what's in the bucket holiday-photos?", "s3__list_objects", `{"bucket":"holiday-photos"}`},
	{"download report.csv from the bucket finance", "s3__get_object", `{"bucket":"finance","key":"report.csv"}`},
	{"get me the transcript of https://www.youtube.com/watch?v=abc123XYZ", "youtube__get_transcript", `{"url":"https://www.youtube.com/watch?v=abc123XYZ"}`},
	{"how long is the video https://youtu.be/q1w2e3?", "youtube__get_video_info ffmpeg__probe", `{"url":"https://youtu.be/q1w2e3"}`},
	{"subscribe to https://blog.example.com/feed.xml", "rss__add_feed", `{"url":"https://blog.example.com/feed.xml"}`},
	{"any unread articles?", "rss__get_unread", `{}`},
	{"convert holiday.mov to holiday.mp4", "ffmpeg__convert_video", `{"input":"holiday.mov","output":"holiday.mp4"}`},
	{"extract the audio from talk.mkv", "ffmpeg__extract_audio", `{"input":"talk.mkv"}`},
	{"which codec does clip.webm use?", "ffmpeg__probe", `{"path":"clip.webm"}`},
	{"run uptime on web1.example.com", "ssh__run_command", `{"host":"web1.example.com","command":"uptime"}`},
	{"find my bookmarks about woodworking", "bookmarks__search_bookmarks", `{"query":"woodworking"}`},
	{"bookmark https://example.org/tools", "bookmarks__save_bookmark", `{"url":"https://example.org/tools"}`},
	{"show my Trello boards", "trello__get_boards", `{}`},
	{"ping example.net 4 times", "ping__ping_host", `{"host":"example.net","count":4}`},
	{"what are the MX records of example.com?", "ping__dns_lookup", `{"domain":"example.com","type":"MX"}`},
	{"who registered example.org?", "whois__whois_domain", `{"domain":"example.org"}`},
	{"make a QR code for https://goated.example", "qr__create_qr_code", `{"text":"https://goated.example"}`},
	{"pull the text out of invoice.pdf", "pdf__extract_text", `{"path":"invoice.pdf"}`},
	{"merge a.pdf and b.pdf into all.pdf", "pdf__merge_pdfs", `{"inputs":["a.pdf","b.pdf"],"output":"all.pdf"}`},
	{"my last 3 runs on Strava", "strava__recent_activities", `{"limit":3,"type":"run"}`},
	{"a vegan recipe with lentils", "recipes__find_recipe", `{"query":"lentils","diet":"vegan"}`},
	{"what does /etc/hostname contain?", "filesystem__read_text_file filesystem__read_file", `{"path":"/etc/hostname"}`},
	{"time in Nairobi", "timeserver__get_current_time", `{"timezone":"Africa/Nairobi"}`},
	{"last 2 commits of /srv/blog", "gitserver__git_log", `{"repo_path":"/srv/blog","max_count":2}`},
	{"why is the sky blue?", "", ``},
	{"good evening", "", ``},
	{"call a taxi", "", ``},
	{"don't apply the Terraform changes", "", ``},
	{"I deleted the bucket finance yesterday", "", ``},
	{"tell me a joke about flashcards", "", ``},
	{"what is the difference between S3 and a file system?", "", ``},
	{"order two pizzas", "", ``},
}

func TestNewcomerRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+studio), newcomer), 85)
}
