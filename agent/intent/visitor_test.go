package intent

import "testing"

// market are tools of servers that no other set has, as such servers describe them.
const market = `
vault list_secrets | List the names of the secrets at a path | path:string!
vault read_secret | Read a secret | path:string!
grafana search_dashboards | Search dashboards by title | query:string!
grafana get_dashboard | Get a dashboard with its panels | uid:string!
grafana query_prometheus | Run a PromQL query against a Prometheus data source | expr:string! start:string end:string
rabbitmq list_queues | List the queues with their message counts
rabbitmq purge_queue | Remove all messages of a queue | queue:string!
rabbitmq publish_message | Publish a message to a queue | queue:string! body:string!
jenkins list_jobs | List the Jenkins jobs
jenkins build_job | Start a build of a Jenkins job | job:string!
jenkins get_build_log | Get the console output of a build | job:string! build_number:integer!
shopify get_products | Get products of the shop, by title or all | searchTitle:string limit:integer
shopify get_order | Get an order by its number | order_number:string!
hubspot get_contacts | Get contacts from HubSpot | limit:integer
hubspot create_company | Create a company in HubSpot | name:string! domain:string
whatsapp list_chats | List your WhatsApp chats
whatsapp send_text | Send a WhatsApp text to a phone number | recipient:string! text:string!
flights search_flights | Search flights between two airports on a date | origin:string! destination:string! date:string!
flights flight_status | Show whether a flight is on time | flight_number:string!
stocks get_quote | Get the latest price of a stock | symbol:string!
stocks company_news | Get news about a listed company | symbol:string! limit:integer
nutrition lookup_food | Get calories and nutrients of a food | food:string! grams:number
podcasts search_podcasts | Search podcasts by words | query:string! limit:integer
podcasts latest_episodes | Get the latest episodes of a podcast | podcast:string! limit:integer
diagrams render_mermaid | Render a Mermaid diagram to a picture | code:string! theme:(default,dark,forest)
latex compile_latex | Compile a LaTeX file to PDF | path:string!
lint run_eslint | Check JavaScript files with ESLint | path:string! fix:boolean
pytest run_tests | Run the tests of a Python project with pytest | path:string! verbose:boolean
snippets save_snippet | Save a snippet of code under a name | name:string! code:string! language:string
snippets get_snippet | Get a snippet of code by its name | name:string!
barcode decode_barcode | Decode the barcodes in a picture | path:string!
holidays public_holidays | List the public holidays of a country in a year | country:string! year:integer
moon moon_phase | Get the phase of the moon | date:string
iss iss_position | Get the present position of the International Space Station
ipinfo locate_ip | Find out where an IP address is | ip:string!
certs check_certificate | Show issuer and expiry of the TLS certificate of a host | host:string! port:integer
exif read_exif | Read the EXIF data of a photo: camera, place and time | path:string!
subtitles download_subtitles | Download subtitles for a movie | title:string! language:string
`

// visitor are requests for these and the usual tools, written when the rules were done. At their first
// run, 85 % got the right tool, 81 % the right arguments, 2 % a wrong tool, and none one that changes something.
var visitor = []example{
	{"which secrets are at secret/payments?", "vault__list_secrets", `{"path":"secret/payments"}`},
	{"find the Grafana dashboard about latency", "grafana__search_dashboards", `{"query":"latency"}`},
	{"list the queues", "rabbitmq__list_queues", `{}`},
	{"publish 'ping' to the queue orders", "rabbitmq__publish_message", `{"queue":"orders","body":"ping"}`},
	{"what jobs are there in Jenkins?", "jenkins__list_jobs", `{}`},
	{"start the Jenkins job nightly-build", "jenkins__build_job", `{"job":"nightly-build"}`},
	{"show the log of build 52 of the job deploy", "jenkins__get_build_log", `{"job":"deploy","build_number":52}`},
	{"show order 10045", "shopify__get_order", `{"order_number":"10045"}`},
	{"give me 10 HubSpot contacts", "hubspot__get_contacts", `{"limit":10}`},
	{"create a company named Initech in HubSpot", "hubspot__create_company", `{"name":"Initech"}`},
	{"my WhatsApp chats", "whatsapp__list_chats", `{}`},
	{"text +4915112345678 \"running late\" on WhatsApp", "whatsapp__send_text", `{"recipient":"+4915112345678","text":"running late"}`},
	{"flights from ZRH to JFK on 2026-12-01", "flights__search_flights", `{"origin":"ZRH","destination":"JFK","date":"2026-12-01"}`},
	{"is flight LX38 on time?", "flights__flight_status", `{"flight_number":"LX38"}`},
	{"what's the price of AAPL?", "stocks__get_quote", `{"symbol":"AAPL"}`},
	{"news about the company TSLA", "stocks__company_news", `{"symbol":"TSLA"}`},
	{"how many calories are in an avocado?", "nutrition__lookup_food", ``},
	{"find podcasts about astronomy", "podcasts__search_podcasts", `{"query":"astronomy"}`},
	{"latest episodes of the podcast Radiolab", "podcasts__latest_episodes", `{"podcast":"Radiolab"}`},
	{"compile paper.tex", "latex__compile_latex", `{"path":"paper.tex"}`},
	{"check src/app.js with ESLint", "lint__run_eslint", `{"path":"src/app.js"}`},
	{"run the tests in /home/mia/api", "pytest__run_tests", `{"path":"/home/mia/api"}`},
	{"get the snippet quicksort", "snippets__get_snippet", `{"name":"quicksort"}`},
	{"decode the barcode in label.png", "barcode__decode_barcode", `{"path":"label.png"}`},
	{"public holidays in Norway", "holidays__public_holidays", `{"country":"Norway"}`},
	{"what phase is the moon in?", "moon__moon_phase", `{}`},
	{"where is the space station right now?", "iss__iss_position", `{}`},
	{"where is 8.8.8.8 located?", "ipinfo__locate_ip", `{"ip":"8.8.8.8"}`},
	{"when does the certificate of shop.example.com expire?", "certs__check_certificate", `{"host":"shop.example.com"}`},
	{"which camera took beach.jpg?", "exif__read_exif", `{"path":"beach.jpg"}`},
	{"copy the text of /etc/motd for me: read it", "filesystem__read_text_file filesystem__read_file", `{"path":"/etc/motd"}`},
	{"search the knowledge graph for Berlin", "memory__search_nodes", `{"query":"Berlin"}`},
	{"describe the table invoices", "sqliteserver__describe_table", `{"table_name":"invoices"}`},
	{"how do vaccines work?", "", ``},
	{"write a haiku about rabbits", "", ``},
	{"we purged the queue orders this morning", "", ``},
	{"never purge the queue orders", "", ``},
	{"clean the kitchen", "", ``},
	{"ok, see you tomorrow", "", ``},
	{"should I buy AAPL?", "", ``},
}

func TestVisitorRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+market), visitor), 85)
}
