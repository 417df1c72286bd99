package intent

import "testing"

// popular are tools of goated's own servers and of popular ones, as these describe them.
const popular = `
llmem get_artifact | Get the structure of a source file: its functions, methods, classes and types with signatures, comments and current line ranges, its imports and the files that import it, and what was stored about it (summary, notes). Much shorter than the file. A path of a folder gives its summary and its files. | path:string! type:string
llmem list_artifacts | List the stored artifacts, with their types and whether their source has changed since. | directory:string type:string limit:integer cursor:string
llmem generate_artifact | Create an artifact of a file or folder. parse stores its outline and needs no model. annotate describes each symbol, summarize the whole; both return prompt_ready. | path:string! task:(parse,annotate,summarize)! options:object
llmem generate_prompt | Get a prompt about a file for your own model. Returns prompt_ready: run promptForHostLLM, then call callbackTool. | path:string! task:(annotate,summarize,document,test-plan)!
llmem store_llm_result | Store what a model wrote about a file or folder. It replaces the artifact of the same task. | path:string! task:string! result:string! ticket:string
llmem delete_artifact | Delete stored artifacts. The source files stay as they are. | path:string! type:string recursive:boolean
llmem map_workspace | Get the most important definitions of the workspace with signatures and line ranges, ranked by how much other files use them, within a budget of tokens. With query, the definitions that answer a question in plain words. | query:string focusOn:strings tokens:integer
llmem find_symbol | Find where a function, method, class or type is defined, with its exact current lines, and on request where it is used. Better than a text search. | name:string! kind:string directory:string references:boolean limit:integer
pause planner | Interactive planning dialog with visual output. Shows the user where you are, a plan and the ways to go on. | decision_context:string! visual_output:string plan:string options:objects
pause text_input | Asks the user for a text, such as a name, a requirement or code. | title:string! prompt:string!
pause single_choice | Asks the user to choose one of several options. | title:string! options:objects!
pause multi_choice | Asks the user to choose any number of options, which may stand in groups. | title:string! options:objects!
pause screenshot_request | Asks the user for one or more pictures of their screen. | title:string! instructions:string
pause confirm | Asks the user for yes or no. Use isDangerous before you delete or overwrite something. | title:string! message:string! isDangerous:boolean
pause set_dialog_frequency | Sets how often the user wants to be asked: minimal, low, normal or high. Call it only if the user says so. | frequency:(minimal,low,normal,high)!
pause check_preference | Returns what the user decided before. | category:string!
desktop see | Look at the desktop. Without arguments: displays, applications and windows. With in: the elements that show in it, each with its ref. | in:string element:string all:boolean
desktop find | Find elements by role and text, or in an area of the screen. All conditions have to fit. | in:string! role:string text:string text_contains:string
desktop press | Click an element, or a position if the element has no ref. to_x and to_y drag there; dx and dy scroll; seconds hovers. | element:string x:number y:number count:integer
desktop type | Type text where the focus is. With element: replace its value and read it back. With key: press a key or combination, such as return or ctrl+s. | text:string element:string key:string
desktop wait | Wait until an element or window appears or is gone, until an element has a state, or some seconds. | in:string element:string seconds:number
desktop window | Focus, move, resize, minimise, restore or close a window, or get its state. | action:(focus,move,resize,minimize,restore,close,state)! window:string! width:number height:number
desktop screenshot | Take a picture of the screen, a window, an element or an area. Use it where elements do not show what you need. | window:string element:string format:(png,jpeg) ocr:boolean
desktop clipboard | Read, write or clear the clipboard, or read its history. | action:(read,write,clear,history)! text:string html:string files:strings
desktop app | Open an application or bring it to the front, list the applications, or stop tracking one. | action:(open,list,get,forget)! name:string background:boolean
desktop run | Run steps as one macro with progress, run a saved macro, or call a further function by its name: observations, sessions, macros, scripts, file dialogs, displays, gestures. | steps:objects macro:string tool:string arguments:string
playwright browser_navigate | Navigate to a URL | url:string!
playwright browser_navigate_back | Go back to the previous page in the history
playwright browser_snapshot | Capture accessibility snapshot of the current page, this is better than screenshot
playwright browser_take_screenshot | Take a screenshot of the current page. You can't perform actions based on the screenshot, use browser_snapshot for actions. | type:(png,jpeg) filename:string fullPage:boolean
playwright browser_click | Perform click on a web page | element:string! ref:string!
playwright browser_type | Type text into editable element | element:string! ref:string! text:string! submit:boolean
playwright browser_close | Close the page
playwright browser_tabs | List, create, close, or select a browser tab. | action:(list,new,close,select)! index:number
playwright browser_console_messages | Returns all console messages | onlyErrors:boolean
playwright browser_resize | Resize the browser window | width:number! height:number!
github create_or_update_file | Create or update a single file in a GitHub repository | owner:string! repo:string! path:string! content:string! message:string! branch:string!
github search_repositories | Search for GitHub repositories | query:string! page:number perPage:number
github create_repository | Create a new GitHub repository in your account | name:string! description:string private:boolean
github get_file_contents | Get the contents of a file or directory from a GitHub repository | owner:string! repo:string! path:string! branch:string
github create_issue | Create a new issue in a GitHub repository | owner:string! repo:string! title:string! body:string
github create_pull_request | Create a new pull request in a GitHub repository | owner:string! repo:string! title:string! head:string! base:string!
github fork_repository | Fork a GitHub repository to your account or specified organization | owner:string! repo:string!
github create_branch | Create a new branch in a GitHub repository | owner:string! repo:string! branch:string! from_branch:string
github list_commits | Get list of commits of a branch in a GitHub repository | owner:string! repo:string! sha:string page:number perPage:number
github list_issues | List issues in a GitHub repository with filtering options | owner:string! repo:string! state:(open,closed,all) sort:(created,updated,comments)
github add_issue_comment | Add a comment to an existing issue | owner:string! repo:string! issue_number:number! body:string!
github search_code | Search for code across GitHub repositories | q:string! page:number
github search_issues | Search for issues and pull requests across GitHub repositories | q:string! page:number
github search_users | Search for users on GitHub | q:string! page:number
github get_issue | Get details of a specific issue in a GitHub repository. | owner:string! repo:string! issue_number:number!
github get_pull_request | Get details of a specific pull request | owner:string! repo:string! pull_number:number!
github list_pull_requests | List and filter repository pull requests | owner:string! repo:string! state:(open,closed,all)
github merge_pull_request | Merge a pull request | owner:string! repo:string! pull_number:number!
brave brave_web_search | Performs a web search using the Brave Search API, ideal for general queries, news, articles, and online content. Use this for broad information gathering, recent events, or when you need diverse web sources. | query:string! count:number offset:number
brave brave_local_search | Searches for local businesses and places using Brave's Local Search API. Best for queries related to physical locations, businesses, restaurants, services, etc. | query:string! count:number
arxiv search_papers | Search for papers on arXiv with advanced filtering | query:string! max_results:integer date_from:string date_to:string
arxiv download_paper | Download a paper and create a resource for it | paper_id:string! check_status:boolean
arxiv list_papers | List all existing papers available as resources
arxiv read_paper | Read the full content of a stored paper in markdown format | paper_id:string!
markitdown convert_to_markdown | Convert a resource described by an http:, https:, file: or data: URI to markdown | uri:string!
excel create_workbook | Create new Excel workbook. | filepath:string!
excel create_worksheet | Create new worksheet in workbook. | filepath:string! sheet_name:string!
excel read_data_from_excel | Read data from Excel worksheet with cell metadata including validation rules. | filepath:string! sheet_name:string! start_cell:string end_cell:string
excel write_data_to_excel | Write data to Excel worksheet. Excel formula will write to cell without any verification. | filepath:string! sheet_name:string! data:objects!
excel get_workbook_metadata | Get metadata about workbook including sheets, ranges, etc. | filepath:string! include_ranges:boolean
`

// everyday are requests for these and the usual tools that were written before the rules for
// them. When they were new, 67 % got the right tool, 58 % the right arguments, 14 % a wrong
// tool, and three of those were tools that change something.
var everyday = []example{
	{"show me what's inside /home/ana/photos", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/home/ana/photos"}`},
	{"what does /etc/hosts contain?", "filesystem__read_text_file filesystem__read_file", `{"path":"/etc/hosts"}`},
	{"print the first 20 lines of server.log", "filesystem__read_text_file filesystem__read_file", `{"path":"server.log","head":20}`},
	{"give me the last 50 lines of /var/log/syslog", "filesystem__read_text_file filesystem__read_file", `{"path":"/var/log/syslog","tail":50}`},
	{"make a new folder /tmp/backup", "filesystem__create_directory", `{"path":"/tmp/backup"}`},
	{"rename draft.md to final.md", "filesystem__move_file", `{"source":"draft.md","destination":"final.md"}`},
	{"put report.pdf into /home/ana/archive", "filesystem__move_file", ``},
	{"look for *.csv in /data", "filesystem__search_files", `{"path":"/data","pattern":"*.csv"}`},
	{"when was budget.xlsx last changed?", "filesystem__get_file_info", `{"path":"budget.xlsx"}`},
	{"draw the folder tree of ./src", "filesystem__directory_tree", `{"path":"./src"}`},
	{"save 'see you at 8' in /tmp/note.txt", "filesystem__write_file", `{"path":"/tmp/note.txt","content":"see you at 8"}`},
	{"in settings.ini change debug=false to debug=true", "filesystem__edit_file", `{"path":"settings.ini"}`},
	{"show both readme.md and license.txt", "filesystem__read_multiple_files", `{"paths":["readme.md","license.txt"]}`},
	{"load the image /tmp/plot.png", "filesystem__read_media_file", `{"path":"/tmp/plot.png"}`},
	{"which folders can you see?", "filesystem__list_allowed_directories", `{}`},
	{"who is in the knowledge graph?", "memory__read_graph", `{}`},
	{"open the node Alice Smith", "memory__open_nodes", `{"names":["Alice Smith"]}`},
	{"find nodes about Berlin", "memory__search_nodes", `{"query":"Berlin"}`},
	{"remove the entity Carol from the graph", "memory__delete_entities", `{"entityNames":["Carol"]}`},
	{"what's the time in New York right now?", "timeserver__get_current_time", `{"timezone":"America/New_York"}`},
	{"time in Australia/Sydney", "timeserver__get_current_time", `{"timezone":"Australia/Sydney"}`},
	{"when it's 9:15 in Europe/Paris, what time is it in America/Chicago?", "timeserver__convert_time", `{"source_timezone":"Europe/Paris","target_timezone":"America/Chicago"}`},
	{"convert 18:00 from Asia/Kolkata to UTC", "timeserver__convert_time", `{"time":"18:00","source_timezone":"Asia/Kolkata","target_timezone":"UTC"}`},
	{"what did I change in /home/ana/app since the last commit?", "gitserver__git_diff_unstaged gitserver__git_status gitserver__git_diff", `{"repo_path":"/home/ana/app"}`},
	{"git log of /home/ana/app, 10 entries", "gitserver__git_log", `{"repo_path":"/home/ana/app","max_count":10}`},
	{"commit with the message \"add tests\"", "gitserver__git_commit", `{"message":"add tests"}`},
	{"check out branch release-2", "gitserver__git_checkout", `{"branch_name":"release-2"}`},
	{"make a branch bugfix/login from main", "gitserver__git_create_branch", `{"branch_name":"bugfix/login","base_branch":"main"}`},
	{"add main.go and go.mod to the index", "gitserver__git_add", `{"files":["main.go","go.mod"]}`},
	{"what is staged for the next commit?", "gitserver__git_diff_staged gitserver__git_status", ``},
	{"show me commit 9f8e7d6", "gitserver__git_show", `{"revision":"9f8e7d6"}`},
	{"which branches are there?", "gitserver__git_branch", ``},
	{"which columns does the table orders have?", "sqliteserver__describe_table", `{"table_name":"orders"}`},
	{"SELECT name, price FROM products WHERE price > 10", "sqliteserver__read_query", `{"query":"SELECT name, price FROM products WHERE price > 10"}`},
	{"DELETE FROM sessions WHERE expired = 1", "sqliteserver__write_query", `{"query":"DELETE FROM sessions WHERE expired = 1"}`},
	{"what tables are in the db?", "sqliteserver__list_tables", `{}`},
	{"get me https://news.ycombinator.com", "fetchserver__fetch", `{"url":"https://news.ycombinator.com"}`},
	{"what does https://example.org/api.json return?", "fetchserver__fetch", `{"url":"https://example.org/api.json"}`},
	{"echo 'one two three'", "everything__echo", `{"message":"one two three"}`},
	{"add 3.5 to 4", "everything__get-sum", `{"a":3.5,"b":4}`},
	{"what's 128 + 64?", "everything__get-sum", `{"a":128,"b":64}`},
	{"leave me a note called shopping.txt with eggs and bread", "ghost__haunt_desktop", `{"filename":"shopping.txt","content":"eggs and bread"}`},
	{"remember that the wifi password is hunter22", "ghost__manage_memory", `{"action":"write"}`},
	{"recall my sister's birthday", "ghost__manage_memory", `{"action":"read"}`},
	{"play a warning sound", "ghost__play_system_sound", `{"type":"warning"}`},
	{"where is the function parseConfig defined?", "llmem__find_symbol", `{"name":"parseConfig"}`},
	{"outline of src/server.ts", "llmem__get_artifact", `{"path":"src/server.ts"}`},
	{"give me a map of this code base", "llmem__map_workspace", ``},
	{"list the stored artifacts", "llmem__list_artifacts", ``},
	{"take a screenshot", "desktop__screenshot playwright__browser_take_screenshot", ``},
	{"open the application Firefox", "desktop__app", `{"action":"open","name":"Firefox"}`},
	{"what's on my clipboard?", "desktop__clipboard", `{"action":"read"}`},
	{"open https://example.com in the browser", "playwright__browser_navigate", `{"url":"https://example.com"}`},
	{"close the browser", "playwright__browser_close", ``},
	{"list the open issues of golang/go", "github__list_issues", `{"owner":"golang","repo":"go","state":"open"}`},
	{"show pull request 42 of fyne-io/fyne", "github__get_pull_request", `{"owner":"fyne-io","repo":"fyne","pull_number":42}`},
	{"search GitHub repositories for markdown parser", "github__search_repositories", `{"query":"markdown parser"}`},
	{"search the web for best hiking boots", "brave__brave_web_search", `{"query":"best hiking boots"}`},
	{"find papers about graph neural networks", "arxiv__search_papers", `{"query":"graph neural networks"}`},
	{"convert https://example.com/paper.pdf to markdown", "markitdown__convert_to_markdown", `{"uri":"https://example.com/paper.pdf"}`},
	{"why is the sky blue?", "", ``},
	{"good evening", "", ``},
	{"what's the capital of Peru?", "", ``},
	{"tell me a joke", "", ``},
	{"write a haiku about rain", "", ``},
	{"how do I undo a git commit?", "", ``},
	{"order a pizza", "", ``},
	{"call my mother", "", ``},
	{"turn off the lights", "", ``},
	{"is Rust better than Go?", "", ``},
}

// fresh are requests that were written together with everyday. When the rules for everyday
// were new, 72 % of these got the right tool, 65 % the right arguments, 9 % a wrong tool.
var fresh = []example{
	{"list everything in /srv/www", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/srv/www"}`},
	{"open config.yaml and show me what it says", "filesystem__read_text_file filesystem__read_file", `{"path":"config.yaml"}`},
	{"the top 5 lines of data.csv please", "filesystem__read_text_file filesystem__read_file", `{"path":"data.csv","head":5}`},
	{"tail of app.log, 100 lines", "filesystem__read_text_file filesystem__read_file", `{"path":"app.log","tail":100}`},
	{"I need a directory named /work/2026/invoices", "filesystem__create_directory", `{"path":"/work/2026/invoices"}`},
	{"move /tmp/a.zip to /home/leo/downloads/a.zip", "filesystem__move_file", `{"source":"/tmp/a.zip","destination":"/home/leo/downloads/a.zip"}`},
	{"search /home/leo/docs for files called invoice*.pdf", "filesystem__search_files", `{"path":"/home/leo/docs","pattern":"invoice*.pdf"}`},
	{"how many bytes is movie.mkv?", "filesystem__get_file_info", `{"path":"movie.mkv"}`},
	{"show /srv/www as a tree", "filesystem__directory_tree", `{"path":"/srv/www"}`},
	{"create a file todo.md with the text '- call the bank'", "filesystem__write_file", `{"path":"todo.md","content":"- call the bank"}`},
	{"swap \"colour\" for \"color\" in style.css", "filesystem__edit_file", `{"path":"style.css"}`},
	{"read chapter1.txt, chapter2.txt and chapter3.txt", "filesystem__read_multiple_files", `{"paths":["chapter1.txt","chapter2.txt","chapter3.txt"]}`},
	{"show the photo IMG_2041.jpg", "filesystem__read_media_file", `{"path":"IMG_2041.jpg"}`},
	{"list /data/music with file sizes", "filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/data/music"}`},
	{"print the knowledge graph", "memory__read_graph", `{}`},
	{"look up the node Project Apollo", "memory__open_nodes memory__search_nodes", ``},
	{"search the memory graph for tax return", "memory__search_nodes", `{"query":"tax return"}`},
	{"delete the node Frank", "memory__delete_entities", `{"entityNames":["Frank"]}`},
	{"how late is it in São Paulo?", "timeserver__get_current_time", `{"timezone":"America/Sao_Paulo"}`},
	{"current time in London", "timeserver__get_current_time", `{"timezone":"Europe/London"}`},
	{"what time is it in UTC?", "timeserver__get_current_time", `{"timezone":"UTC"}`},
	{"convert 07:45 America/New_York to Europe/Rome", "timeserver__convert_time", `{"time":"07:45","source_timezone":"America/New_York","target_timezone":"Europe/Rome"}`},
	{"git status", "gitserver__git_status", ``},
	{"last 3 commits in /home/leo/site", "gitserver__git_log", `{"repo_path":"/home/leo/site","max_count":3}`},
	{"diff /home/leo/site against branch staging", "gitserver__git_diff", `{"repo_path":"/home/leo/site","target":"staging"}`},
	{"commit /home/leo/site with message 'bump version'", "gitserver__git_commit", `{"repo_path":"/home/leo/site","message":"bump version"}`},
	{"new branch experiment/cache in /home/leo/site", "gitserver__git_create_branch", `{"repo_path":"/home/leo/site","branch_name":"experiment/cache"}`},
	{"go to branch hotfix", "gitserver__git_checkout", `{"branch_name":"hotfix"}`},
	{"stage app.py, models.py", "gitserver__git_add", `{"files":["app.py","models.py"]}`},
	{"undo the staging", "gitserver__git_reset", ``},
	{"what does commit deadbeef do?", "gitserver__git_show", `{"revision":"deadbeef"}`},
	{"describe table invoices", "sqliteserver__describe_table", `{"table_name":"invoices"}`},
	{"schema of the table customers", "sqliteserver__describe_table", `{"table_name":"customers"}`},
	{"show me the tables", "sqliteserver__list_tables", `{}`},
	{"select * from logs order by ts desc limit 20", "sqliteserver__read_query", `{"query":"select * from logs order by ts desc limit 20"}`},
	{"INSERT INTO tags (name) VALUES ('red')", "sqliteserver__write_query", `{"query":"INSERT INTO tags (name) VALUES ('red')"}`},
	{"fetch https://example.net/feed.xml", "fetchserver__fetch", `{"url":"https://example.net/feed.xml"}`},
	{"give me the content of https://www.iana.org/domains", "fetchserver__fetch", `{"url":"https://www.iana.org/domains"}`},
	{"say back: testing testing", "everything__echo", `{"message":"testing testing"}`},
	{"5 plus 7", "everything__get-sum", `{"a":5,"b":7}`},
	{"sum up 12 and 30", "everything__get-sum", `{"a":12,"b":30}`},
	{"write a note on my desktop named ideas.txt: build a boat", "ghost__haunt_desktop", `{"filename":"ideas.txt","content":"build a boat"}`},
	{"remember my shoe size as 43", "ghost__manage_memory", `{"action":"write","value":"43"}`},
	{"what did I tell you about my shoe size?", "ghost__manage_memory", `{"action":"read"}`},
	{"play an error sound", "ghost__play_system_sound", `{"type":"error"}`},
	{"find the symbol NewServer", "llmem__find_symbol", `{"name":"NewServer"}`},
	{"what functions are in internal/store/store.go?", "llmem__get_artifact", `{"path":"internal/store/store.go"}`},
	{"map the workspace", "llmem__map_workspace", ``},
	{"make a screenshot of the screen", "desktop__screenshot", ``},
	{"start the app gedit", "desktop__app", `{"action":"open","name":"gedit"}`},
	{"copy 'meeting at noon' to the clipboard", "desktop__clipboard", `{"action":"write","text":"meeting at noon"}`},
	{"go to https://wikipedia.org in the browser", "playwright__browser_navigate", `{"url":"https://wikipedia.org"}`},
	{"go back to the previous page", "playwright__browser_navigate_back", ``},
	{"open issues in cli/cli", "github__list_issues", `{"owner":"cli","repo":"cli"}`},
	{"search the web for cheap flights to Lisbon", "brave__brave_web_search", `{"query":"cheap flights to Lisbon"}`},
	{"search arxiv for diffusion models", "arxiv__search_papers", `{"query":"diffusion models"}`},
	{"create an excel file /tmp/plan.xlsx", "excel__create_workbook", `{"filepath":"/tmp/plan.xlsx"}`},
	{"who are you?", "", ``},
	{"what is the meaning of life?", "", ``},
	{"bye", "", ``},
	{"summarise the French revolution", "", ``},
	{"what is 12 times 9?", "", ``},
	{"set a timer for ten minutes", "", ``},
	{"play some jazz", "", ``},
	{"buy me concert tickets", "", ``},
	{"explain what SQL joins do", "", ``},
	{"which is heavier, gold or lead?", "", ``},
	{"how do I list files in Linux?", "", ``},
}

// Requests of every day, among some hundred tools.
func TestEverydayRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+popular), everyday), 85)
}

func TestFreshRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+popular), fresh), 85)
}

// last are requests that were written after the rules for everyday and fresh. When they were
// new, 77 % got the right tool, 74 % the right arguments, 4 % a wrong tool.
var last = []example{
	{"what's in my ~/Documents folder?", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"~/Documents"}`},
	{"could you open /var/log/nginx/error.log", "filesystem__read_text_file filesystem__read_file", `{"path":"/var/log/nginx/error.log"}`},
	{"let me see package.json", "filesystem__read_text_file filesystem__read_file", `{"path":"package.json"}`},
	{"I want the last 15 lines of build.log", "filesystem__read_text_file filesystem__read_file", `{"path":"build.log","tail":15}`},
	{"set up a folder /srv/shared/team-a", "filesystem__create_directory", `{"path":"/srv/shared/team-a"}`},
	{"move the file /tmp/in.json to /tmp/out.json", "filesystem__move_file", `{"source":"/tmp/in.json","destination":"/tmp/out.json"}`},
	{"are there any *.log files under /var/tmp?", "filesystem__search_files", `{"path":"/var/tmp","pattern":"*.log"}`},
	{"what's the file size of /iso/debian.iso?", "filesystem__get_file_info filesystem__list_directory_with_sizes", `{"path":"/iso/debian.iso"}`},
	{"give me a directory tree for /work/app", "filesystem__directory_tree", `{"path":"/work/app"}`},
	{"write 'done' into /tmp/status.txt", "filesystem__write_file", `{"path":"/tmp/status.txt","content":"done"}`},
	{"replace localhost with example.com in hosts.txt", "filesystem__edit_file", `{"path":"hosts.txt"}`},
	{"please show a.md and b.md at once", "filesystem__read_multiple_files", `{"paths":["a.md","b.md"]}`},
	{"display the image chart.png", "filesystem__read_media_file", `{"path":"chart.png"}`},
	{"where am I allowed to read and write?", "filesystem__list_allowed_directories", `{}`},
	{"dump the knowledge graph", "memory__read_graph", `{}`},
	{"is there anything about Lisbon in the knowledge graph?", "memory__search_nodes", `{"query":"Lisbon"}`},
	{"drop the entity Oldco", "memory__delete_entities", `{"entityNames":["Oldco"]}`},
	{"tell me the current time in Vancouver", "timeserver__get_current_time", `{"timezone":"America/Vancouver"}`},
	{"what's the local time in Asia/Seoul", "timeserver__get_current_time", `{"timezone":"Asia/Seoul"}`},
	{"if it's 16:00 in London, how late is it in Tokyo?", "timeserver__convert_time", `{"time":"16:00","source_timezone":"Europe/London","target_timezone":"Asia/Tokyo"}`},
	{"is the repo /work/api clean?", "gitserver__git_status", `{"repo_path":"/work/api"}`},
	{"show me the history of /work/api, 20 commits", "gitserver__git_log", `{"repo_path":"/work/api","max_count":20}`},
	{"which changes in /work/api are not staged?", "gitserver__git_diff_unstaged gitserver__git_status", `{"repo_path":"/work/api"}`},
	{"compare /work/api with the branch main", "gitserver__git_diff", `{"repo_path":"/work/api","target":"main"}`},
	{"commit my staged work in /work/api, message \"handle timeouts\"", "gitserver__git_commit", `{"repo_path":"/work/api","message":"handle timeouts"}`},
	{"start a branch named perf/cache in /work/api", "gitserver__git_create_branch", `{"repo_path":"/work/api","branch_name":"perf/cache"}`},
	{"checkout develop in /work/api", "gitserver__git_checkout", `{"repo_path":"/work/api","branch_name":"develop"}`},
	{"git add server.py and client.py", "gitserver__git_add", `{"files":["server.py","client.py"]}`},
	{"what was in commit 4f2a9bc?", "gitserver__git_show", `{"revision":"4f2a9bc"}`},
	{"list all branches of /work/api", "gitserver__git_branch", `{"repo_path":"/work/api"}`},
	{"tables in the database?", "sqliteserver__list_tables", `{}`},
	{"what does the table employees look like?", "sqliteserver__describe_table", `{"table_name":"employees"}`},
	{"run SELECT max(age) FROM people", "sqliteserver__read_query", `{"query":"SELECT max(age) FROM people"}`},
	{"DELETE FROM cart WHERE user_id = 9", "sqliteserver__write_query", `{"query":"DELETE FROM cart WHERE user_id = 9"}`},
	{"retrieve https://api.github.com/zen", "fetchserver__fetch", `{"url":"https://api.github.com/zen"}`},
	{"read me the page at https://lwn.net", "fetchserver__fetch", `{"url":"https://lwn.net"}`},
	{"echo good bye", "everything__echo", `{"message":"good bye"}`},
	{"what is 17 + 4.5?", "everything__get-sum", `{"a":17,"b":4.5}`},
	{"put a note called plan.txt on my desktop: meet Tom at 5", "ghost__haunt_desktop", `{"filename":"plan.txt","content":"meet Tom at 5"}`},
	{"remember that my blood type is A", "ghost__manage_memory", `{"action":"write"}`},
	{"what's my blood type?", "ghost__manage_memory", `{"action":"read"}`},
	{"beep twice when finished", "ghost__play_system_sound", ``},
	{"where is the class QueueWorker defined?", "llmem__find_symbol", `{"name":"QueueWorker"}`},
	{"show the structure of lib/parser.py", "llmem__get_artifact", `{"path":"lib/parser.py"}`},
	{"give me an overview of the workspace", "llmem__map_workspace", ``},
	{"which artifacts are stored?", "llmem__list_artifacts", ``},
	{"capture the screen", "desktop__screenshot", ``},
	{"launch the application Inkscape", "desktop__app", `{"action":"open","name":"Inkscape"}`},
	{"show the clipboard history", "desktop__clipboard", `{"action":"history"}`},
	{"browse to https://en.wikipedia.org", "playwright__browser_navigate", `{"url":"https://en.wikipedia.org"}`},
	{"take a screenshot of the web page", "playwright__browser_take_screenshot", ``},
	{"show issue 12 of denoland/deno", "github__get_issue", `{"owner":"denoland","repo":"deno","issue_number":12}`},
	{"list pull requests of rust-lang/rust", "github__list_pull_requests", `{"owner":"rust-lang","repo":"rust"}`},
	{"google the opening hours of the Louvre", "brave__brave_web_search brave__brave_local_search", ``},
	{"look for papers on protein folding", "arxiv__search_papers", `{"query":"protein folding"}`},
	{"convert file:///tmp/report.docx into markdown", "markitdown__convert_to_markdown", `{"uri":"file:///tmp/report.docx"}`},
	{"hello there", "", ``},
	{"what's for dinner?", "", ``},
	{"teach me Spanish", "", ``},
	{"who invented the telephone?", "", ``},
	{"how can I learn to swim?", "", ``},
	{"write a letter to my boss", "", ``},
	{"wake me up at seven", "", ``},
	{"what is love?", "", ``},
	{"open the window", "", ``},
	{"pay my rent", "", ``},
	{"is it raining?", "", ``},
	{"how many legs does a spider have?", "", ``},
}

func TestLastRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+popular), last), 85)
}

// final are requests that were written after the rules for all others. When they were new,
// 83 % got the right tool, 80 % the right arguments, 10 % a wrong tool, and three of those
// were tools that change something. Only rules for these three were made since.
var final = []example{
	{"list the contents of /opt/games", "filesystem__list_directory filesystem__list_directory_with_sizes ghost__read_project_context", `{"*":"/opt/games"}`},
	{"can I see the file ~/.bashrc?", "filesystem__read_text_file filesystem__read_file", `{"path":"~/.bashrc"}`},
	{"show the beginning of log.txt, 12 lines", "filesystem__read_text_file filesystem__read_file", `{"path":"log.txt"}`},
	{"create the directory out/reports", "filesystem__create_directory", `{"path":"out/reports"}`},
	{"rename old_name.py into new_name.py", "filesystem__move_file", `{"source":"old_name.py","destination":"new_name.py"}`},
	{"find every *.json below /etc", "filesystem__search_files", `{"path":"/etc","pattern":"*.json"}`},
	{"give me details about /boot/vmlinuz", "filesystem__get_file_info", `{"path":"/boot/vmlinuz"}`},
	{"tree of /home/kim/notes", "filesystem__directory_tree", `{"path":"/home/kim/notes"}`},
	{"save \"hello\" as /tmp/hello.txt", "filesystem__write_file", `{"path":"/tmp/hello.txt","content":"hello"}`},
	{"change blue to green in theme.css", "filesystem__edit_file", `{"path":"theme.css"}`},
	{"read x.txt and y.txt", "filesystem__read_multiple_files", `{"paths":["x.txt","y.txt"]}`},
	{"show me the picture sunset.jpeg", "filesystem__read_media_file", `{"path":"sunset.jpeg"}`},
	{"show the entire graph", "memory__read_graph", `{}`},
	{"search the graph for invoices", "memory__search_nodes", `{"query":"invoices"}`},
	{"remove entity Dave", "memory__delete_entities", `{"entityNames":["Dave"]}`},
	{"what time is it in Cairo now?", "timeserver__get_current_time", `{"timezone":"Africa/Cairo"}`},
	{"convert 08:30 from America/Denver to Europe/Madrid", "timeserver__convert_time", `{"time":"08:30","source_timezone":"America/Denver","target_timezone":"Europe/Madrid"}`},
	{"status of the git repository /code/shop", "gitserver__git_status", `{"repo_path":"/code/shop"}`},
	{"show 7 commits of /code/shop", "gitserver__git_log", `{"repo_path":"/code/shop","max_count":7}`},
	{"show the unstaged changes of /code/shop", "gitserver__git_diff_unstaged", `{"repo_path":"/code/shop"}`},
	{"what did I stage in /code/shop?", "gitserver__git_diff_staged gitserver__git_status", `{"repo_path":"/code/shop"}`},
	{"commit /code/shop with the message \"remove dead code\"", "gitserver__git_commit", `{"repo_path":"/code/shop","message":"remove dead code"}`},
	{"create branch release/3.0 in /code/shop", "gitserver__git_create_branch", `{"repo_path":"/code/shop","branch_name":"release/3.0"}`},
	{"switch /code/shop to branch release/3.0", "gitserver__git_checkout", `{"repo_path":"/code/shop","branch_name":"release/3.0"}`},
	{"show commit 77aa01f of /code/shop", "gitserver__git_show", `{"repo_path":"/code/shop","revision":"77aa01f"}`},
	{"show the database tables", "sqliteserver__list_tables", `{}`},
	{"describe the products table", "sqliteserver__describe_table", `{"table_name":"products"}`},
	{"SELECT id FROM orders WHERE total > 100 ORDER BY id", "sqliteserver__read_query", `{"query":"SELECT id FROM orders WHERE total > 100 ORDER BY id"}`},
	{"UPDATE orders SET paid = 1 WHERE id = 4", "sqliteserver__write_query", `{"query":"UPDATE orders SET paid = 1 WHERE id = 4"}`},
	{"fetch the page https://example.com/a", "fetchserver__fetch", `{"url":"https://example.com/a"}`},
	{"what's at https://example.com/b?", "fetchserver__fetch", `{"url":"https://example.com/b"}`},
	{"repeat hello world", "everything__echo", `{"message":"hello world"}`},
	{"sum of 8 and 13", "everything__get-sum", `{"a":8,"b":13}`},
	{"leave a note called bye.txt saying see you", "ghost__haunt_desktop", `{"filename":"bye.txt","content":"see you"}`},
	{"remember that Ana likes jazz", "ghost__manage_memory", ``},
	{"what do you remember about Ana?", "ghost__manage_memory", `{"action":"read","key":"Ana"}`},
	{"play the success sound", "ghost__play_system_sound", `{"type":"success"}`},
	{"find the definition of the function renderPage", "llmem__find_symbol", `{"name":"renderPage"}`},
	{"functions in cmd/main.go", "llmem__get_artifact", `{"path":"cmd/main.go"}`},
	{"screenshot of the desktop please", "desktop__screenshot", ``},
	{"open the app Calculator", "desktop__app", `{"action":"open","name":"Calculator"}`},
	{"clear the clipboard", "desktop__clipboard", `{"action":"clear"}`},
	{"open https://python.org in my browser", "playwright__browser_navigate", `{"url":"https://python.org"}`},
	{"commits of torvalds/linux on GitHub", "github__list_commits", `{"owner":"torvalds","repo":"linux"}`},
	{"search users on GitHub named ada", "github__search_users", ``},
	{"search the web for vegan recipes", "brave__brave_web_search", `{"query":"vegan recipes"}`},
	{"search arxiv papers about dark matter", "arxiv__search_papers", `{"query":"dark matter"}`},
	{"read the excel file /tmp/a.xlsx, sheet Costs", "excel__read_data_from_excel", `{"filepath":"/tmp/a.xlsx","sheet_name":"Costs"}`},
	{"how are you?", "", ``},
	{"what is quantum computing?", "", ``},
	{"sing me a song", "", ``},
	{"translate cat into French", "", ``},
	{"how do I bake bread?", "", ``},
	{"cancel my subscription", "", ``},
	{"when does the train leave?", "", ``},
	{"who is the president of Brazil?", "", ``},
	{"make me a sandwich", "", ``},
	{"I feel sad", "", ``},
}

func TestFinalRequests(t *testing.T) {
	t.Parallel()
	check(t, measure(t, toolbox(t, usual+popular), final), 85)
}
