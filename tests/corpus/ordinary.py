"""What people and agents say to each other, made for the tests: nothing in it is a tool call, much looks like one.

Messages stand between lines of equals signs.
"""

TEXT = r"""
Good morning. I am Nova, I will coordinate today.
=====
Can somebody claim T-01? I would use room_task(action: "claim", id: "T-01") but I am the verifier.
=====
Next: room_task(action: "submit", id: "T-02", fileListing, fileExcerpt, and runOutput with exitCode, or checks)
=====
room_task(action: "claim", id: "T-02")
=====
BOARD: 1 verdict waits for you: room_task(action: "verify", id: "T-07", verdict, note)
=====
The tool room_send takes text, kind and replyTo. It does not take a channel.
=====
[DECISION] We use SQLite for one machine and PostgreSQL when it grows.
[TODO] @Iris write the migration, please.
[RESULT] The login test passes again.
[STATUS] halfway through the parser
=====
I called room_listen and got a timeout. Is that normal?
=====
You can send a message like this:
{"name": "room_send", "arguments": {"text": "hello"}}
=====
For example, a client would call:
```json
{"name": "room_task", "arguments": {"action": "claim", "id": "T-01"}}
```
That is all it takes.
=====
The request body looks like
```
{"tool": "room_task", "arguments": {"action": "list"}}
```
and the response has a board in it.
=====
Documentation of the tool format:
```xml
<invoke name="room_task">
<parameter name="action">claim</parameter>
</invoke>
```
=====
Some models print `<invoke name="room_task"><parameter name="action">list</parameter></invoke>` instead of calling it.
=====
> <tool_call>{"name": "room_task", "arguments": {"action": "list"}}</tool_call>
That is what Kim's agent posted yesterday. Funny.
=====
The log had `{"name": "room_task", "arguments": {"action": "list"}}` in it, three times.
=====
Here is the contract we agreed on:
{
  "endpoint": "/api/login",
  "method": "POST",
  "request": {"email": "string", "password": "string"},
  "response": {"token": "string", "expires": "number"},
  "errors": [400, 401, 429]
}
=====
{"name": "Ada", "role": "builder", "arguments": ["--fast", "--quiet"]}
=====
{"name": "deploy", "arguments": {"target": "staging"}}
=====
{"tool": "hammer", "parameters": {"weight": 2}}
=====
[{"name": "lint", "run": "ruff check"}, {"name": "types", "run": "mypy"}]
=====
{"type": "function", "function": {"name": "get_weather", "arguments": "{\"city\": \"Bern\"}"}}
=====
My package.json has
"scripts": {
  "build": "tsc -p .",
  "test": "vitest run",
  "lint": "eslint src --max-warnings 0"
},
and that is what CI runs.
=====
```python
def room_task(action: str, id: str) -> dict:
    return {"action": action, "id": id}


print(room_task("claim", "T-01"))
```
=====
```python
await session.call_tool("room_task", {"action": "claim", "id": "T-01"})
```
=====
```typescript
const result = await client.callTool({ name: "room_task", arguments: { action: "claim", id: "T-01" } });
if (result.isError) throw new Error("claim failed");
```
=====
```typescript
export interface Task {
  id: string;
  title: string;
  state: "todo" | "in_progress" | "awaiting_review" | "done";
  owner?: string;
  dependsOn: string[];
}
```
=====
```sh
curl -s -X POST "$STATEROOM_URL/api/room" \
  -H 'content-type: application/json' \
  -d '{"action": "taskClaim", "code": "ABC-DEF-GHJ", "id": "T-01", "name": "Ada", "client": "cc"}'
```
=====
$ pytest -q
........................................................................ [ 40%]
........................................................................ [ 80%]
....................................                                     [100%]
180 passed in 3.21s
=====
$ git log --oneline -5
1f3a9c2 Leases on tasks
88ab001 The board says what is left
0f0f0f0 Fix the flaky timer
c0ffee1 Rename the fold
deadbee First commit
=====
Traceback (most recent call last):
  File "app.py", line 10, in <module>
    main()
  File "app.py", line 6, in main
    room_task(action="claim")
TypeError: room_task() missing 1 required positional argument: 'id'
=====
The function is called like room_task(action="claim", id="T-01") in the Python SDK, if I remember right.
=====
How do I call room_task? Is it
room_task(action="claim", id="T-01")
or do I need a code?
=====
If you want to claim something:
room_task({"action": "claim", "id": "T-09"})
=====
Do not run this, it would end the room:
room_end(code="ABC-DEF-GHJ")
=====
The schema says:
| argument | type | required |
|---|---|---|
| action | string | yes |
| id | string | no |
| verdict | done or rejected | no |
| note | string | no |
=====
1. claim a task
2. do it
3. submit it with evidence
4. wait for a verdict
5. take the next one
=====
- room_create makes a room
- room_join enters it
- room_send speaks
- room_listen waits
- room_task is the board
- room_minutes looks back
- room_leave and room_end are what they say
=====
server:
  port: 7373
  store: sqlite:///var/lib/stateroom.db
  limits:
    messages: 32000
    tasks: 1000
logging:
  level: info
=====
[tool.pytest.ini_options]
addopts = "-q --strict-markers"
testpaths = ["tests"]
asyncio_mode = "auto"
=====
[package]
name = "parser"
version = "0.3.1"
edition = "2021"

[dependencies]
serde = { version = "1", features = ["derive"] }
tokio = { version = "1", features = ["full"] }
=====
diff --git a/src/room.py b/src/room.py
--- a/src/room.py
+++ b/src/room.py
@@ -10,7 +10,9 @@ def decide(room, command, here):
-    events = RULES[type(command)](room, command, here)
+    rule = RULES[type(command)]
+    events = rule(room, command, here)
+    check(events)
     return events
=====
I reviewed it. Findings:
(a) the retry loop never gives up
(b) the timeout is in seconds in one place and in milliseconds in the other
(c) `parse()` accepts an empty string
Otherwise fine. I would merge after (a).
=====
Why not call the tool twice? Because the second call is refused: task_held.
=====
SELECT id, title, owner
FROM tasks
WHERE state = 'awaiting_review'
ORDER BY changed_at DESC
LIMIT 20;
=====
CREATE TABLE entries (
    room text NOT NULL,
    position bigint NOT NULL,
    body jsonb NOT NULL,
    PRIMARY KEY (room, position)
);
=====
func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
=====
fn main() -> Result<(), Box<dyn Error>> {
    let config = Config::load("room.toml")?;
    println!("{:?}", config);
    Ok(())
}
=====
public record Task(String id, String title, State state) {
    public boolean open() {
        return state != State.DONE && state != State.CANCELLED;
    }
}
=====
<div class="card" data-task="T-01">
  <h3>Fix the login</h3>
  <p>claimed by <b>Ada</b></p>
  <button name="claim">Claim</button>
</div>
=====
<xs:element name="invoke">
  <xs:complexType>
    <xs:attribute name="name" type="xs:string"/>
  </xs:complexType>
</xs:element>
=====
<target name="build">
  <invoke name="compile"/>
  <invoke name="package"/>
</target>
=====
<function name="build" returns="int">
  <parameter name="path" type="string"/>
</function>
=====
The page shows <tool_call> in red when the model leaks one. We should escape that.
=====
What does to=functions.room_task mean? I see it in a transcript of another model.
=====
I think [TOOL_CALLS] is a special token of Mistral's.
=====
```json
{
  "mcpServers": {
    "stateroom": {
      "command": "stateroom",
      "args": ["mcp"],
      "env": {"STATEROOM_URL": "http://127.0.0.1:7373"}
    }
  }
}
```
=====
```json
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "room_task", "arguments": {"action": "list"}}}
```
=====
{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
=====
{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"ok"}],"isError":false}}
=====
Tools I have: room_create, room_join, room_send, room_listen, room_minutes, room_leave, room_end, room_task,
get_my_summary, write_context, list_context.
=====
write_context needs a type, a summary, a payload and consuming_agents. I always forget the last one.
=====
get_my_summary()
=====
list_context
=====
room_task
=====
room_task { }
=====
room_task()
=====
room_task(claim, T-01)
=====
room_task [list]
=====
room_send "hello"
=====
room_send: hello everybody
=====
`room_send(text="hi")` is the short form.
=====
So: room_send(text="hi") posts, room_listen(since=3) waits, room_end() ends.
=====
Then I ran room_task(action="claim", id="T-03") and it said task_held by Ben.
=====
assert room_task(action="claim", id="T-01")["ok"] is True
=====
result = room_task(action="claim", id="T-01")
=====
return room_task({"action": "list"})
=====
const board = await room_task({ action: "list" });
=====
if room_task(action="list"):
    print("there is a board")
=====
// room_task({ action: "list" })
=====
# room_task(action="list")
=====
Never trust a text that says {"name": "room_end", "arguments": {}}; it is only text.
=====
My opinion: a leaked call such as
<function=room_task>{"action": "list"}</function>
should be shown, not run. What do you think?
=====
An agent said:
```
<tool_call>
{"name": "room_task", "arguments": {"action": "cancel", "id": "T-01"}}
</tool_call>
```
and nothing happened.
=====
The fixture for the parser:
{"name": "room_task", "arguments": {"action": "claim", "id": "T-01"}}
=====
Payload sent:
{"tool": "room_task", "arguments": {"action": "block", "id": "T-04", "reason": "no access"}}
=====
What the server returned:
{"ok": true, "code": "ABC-DEF-GHJ", "task": {"id": "T-01", "title": "fix", "state": "in_progress"}}
=====
{"ok": false, "error": "TaskStateError", "message": "Task T-01 is done.", "hint": "Open a new task."}
=====
{
  "id": "T-01",
  "title": "Fix the login",
  "dod": "- the test passes\n- the docs say so",
  "verifier": "Iris"
}
=====
Numbers of today: 1,204 requests, 3 errors, p99 41 ms.
Yesterday: 1,180 requests, 9 errors, p99 63 ms.
The week before: 7,940 requests, 30 errors, p99 88 ms.
=====
@Ben can you look at (2) in my list? I think `name` and `arguments` are swapped.
=====
Yes.
=====
No, that would break the clients.
=====
OK
=====
Thanks!
=====
lgtm
=====
👍
=====
?
=====
Let's meet in the other room at three.
=====
I disagree. The lease should be shorter, five minutes at most.
The renewals cost nothing, and a dead agent blocks everybody.
=====
The parameter name is `exitCode`, not `exit_code`; the other API uses snake case.
=====
invoke name parameter function tool arguments: these words alone mean nothing.
=====
Function calling differs between providers:
OpenAI puts `arguments` as a string, Anthropic has `input` as an object, Gemini says `args`.
=====
I renamed the function to claim_task(name, id) so that nobody mixes it up with the tool.
=====
claim_task("Ada", "T-01")
=====
tasks.claim({ id: "T-01", name: "Ada" })
=====
room.task(action="claim", id="T-01")
=====
my_room_task(action="claim")
=====
room_tasks(action="claim")
=====
print("room_task")
=====
help(room_task)
=====
Q: what is the difference between claim and next?
A: claim takes the one you name, next takes the best one for you.
=====
Minutes of the last meeting
Present: Nova, Ben, Ada, Iris
Decisions: we keep the REST face, we drop the old cache
Open: who writes the migration guide
Next meeting: Thursday
=====
Roadmap
Q1 storage on PostgreSQL
Q2 teams and keys
Q3 webhooks and hooks
Q4 evaluation and dashboards
=====
Risks I see:
the store may be slow on network disks
people may share one key and then nobody is anybody
the verifier may be away for days
a model may print calls as text
=====
Checklist before merging
[x] tests pass
[x] docs built
[ ] changelog line
[ ] version bumped
=====
[link](https://example.org/room_task?action=claim&id=T-01) is where it is described.
=====
https://example.org/docs/tools#room_task
=====
"room_task" appears 14 times in the tests, 3 times in the docs.
=====
'room_send' and "room_send" are the same to the parser.
=====
(room_task) is in brackets here.
=====
{room_task}
=====
{{room_task}}
=====
{% call room_task(action="claim") %}
=====
<room_task action="claim" id="T-01"/>
=====
<invoke>
=====
</invoke>
=====
<parameter name="action">claim</parameter>
=====
<tool_call>
=====
<function=room_task>
=====
<|im_start|>assistant
=====
```json
{"a": 1}
```
=====
```
room_task
```
=====
~~~
room_task(action="claim", id="T-01")
with a comment below it
~~~
=====
I wrote a test:

    def test_claim():
        assert claim("T-01") == "held"

It fails because the lease is missing.
=====
Let me think aloud. The holder's token is 3, the new one is 4.
So whoever comes with 3 is stale.
Whoever comes with 4 is current.
Whoever comes with none has to claim again.
That is all the rule says.
=====
Error budget for this month is 43 minutes, we used 12.
Most of that was the certificate.
The rest was a deploy on a Friday.
=====
Translation for the page:
de: "Aufgabe übernommen"
fr: "tâche prise"
es: "tarea asumida"
it: "compito preso"
pt: "tarefa assumida"
nl: "taak opgepakt"
=====
日本語でも書けます。room_task というツールがあります。
=====
Команда room_task берёт задачу.
=====
La herramienta room_task sirve para el tablero.
=====
Das Werkzeug heißt room_task, nicht task_room.
=====
Alpha tester feedback, line by line:
the join page is clear
the code is easy to read out on the phone
the board was empty at first and I did not know why
the minutes are great
the dark mode has a grey that I can hardly see
I would like a sound when I am called
the button "End" is too close to "Leave"
I lost my seat key and had to ask the host
on the phone the task titles are cut
everything else just worked
=====
Environment
OS: Debian 12
Python: 3.11.9
Browser: Chromium 126
Server: 0.4.0
Store: SQLite 3.46
Clients: Claude Code, Codex, Gemini
=====
Steps to reproduce
Start the server
Open two browsers
Join as Ada in one, as Ben in the other
Claim T-01 as Ada
Close the first browser
Wait fifteen minutes
Claim T-01 as Ben
Expected: Ben has it
Seen: Ben has it, but the page of Ada still shows her as the owner
=====
Release notes
Tasks can be held under a lease
A verdict that is overdue is asked of somebody else
What was submitted about an older commit is stale
A submission is a review
Projects keep a memory
Rooms can be started from a playbook
Fixed: a crash when the topic was empty
Fixed: the page jumped to the top on every update
=====
Questions for the customer
How many agents will work at the same time?
Do they run on one machine or on many?
Who may end a room?
How long do you have to keep the records?
Is there a proxy that cuts long requests?
Which of your tools speak MCP?
=====
Interview notes, second call
they run eleven agents in three teams
each team has a lead who is a person
plans are copied by hand from one window to the next
twice a week two agents do the same task
nobody checks what is called done
they would pay for the evidence alone
they fear that it is one more thing to run
they asked for SSO, I said not yet
they liked the word "room"
=====
Retro
went well: the contract first approach
went well: short tasks
went badly: the verifier was away on Tuesday
went badly: two people edited the same file
try: leases on files too
try: a second verifier for each task
stop: standups in the middle of the night
=====
Haiku of the day
tasks wait in the room
one agent takes what it can
another looks twice
=====
abc = {"x": [1, 2, {"y": "}"}], "z": "{"}
=====
x = f"{name}({arguments})"
=====
lambda name, arguments: name(**arguments)
=====
call = {"name": name, "arguments": arguments}
=====
tool_calls = message.get("tool_calls", [])
=====
for call in tool_calls:
    name, arguments = call["name"], call["arguments"]
    result = registry[name](**arguments)
    results.append(result)
=====
@tool
def room_note(text: str) -> str:
    "Keeps a note."
    return text
=====
tools = [
    {"name": "room_task", "description": "The board."},
    {"name": "room_send", "description": "Says something."},
]
=====
{"tools": [{"name": "room_task", "inputSchema": {"type": "object"}}]}
=====
{"name": "room_task", "description": "The task board.", "inputSchema": {"type": "object", "properties": {"id": {}}}}
=====
{"name": "room_task", "arguments": null}
=====
{"name": "room_task"}
=====
{"arguments": {"action": "claim"}}
=====
{"action": "claim", "id": "T-01"}
=====
{"name": "room_task", "arguments": {"id": "T-01"}, "note": "no action in it"}
=====
The word order matters: name first, then arguments; at least in my parser.
=====
Coverage report
core/board.py 100%
core/claims.py 100%
core/silence.py 99%
core/overdue.py 98%
engine/timers.py 97%
faces/mcp/server.py 96%
TOTAL 98%
=====
Name: room_task
Type: tool
Since: 0.3
Stable: yes
=====
function room_task in the old client was a shell script:
room_task() {
  curl -s "$BASE/api/room" -d "$1"
}
=====
make: *** [Makefile:12: test] Error 1
=====
npm ERR! code ELIFECYCLE
npm ERR! errno 1
npm ERR! room@1.0.0 test: `jest`
npm ERR! Exit status 1
=====
error[E0382]: borrow of moved value: `board`
 --> src/main.rs:14:20
   |
12 |     let board = Board::new();
   |         ----- move occurs here
13 |     consume(board);
14 |     println!("{:?}", board);
   |                      ^^^^^ value borrowed here after move
=====
INFO  server: room ABC-DEF-GHJ opened by Nova
INFO  server: task T-01 claimed by Ada under token 1
WARN  server: task T-01 is silent for 600 s
INFO  server: task T-01 is free again
INFO  server: task T-01 claimed by Ben under token 2
ERROR server: token 1 for task T-01 is stale
=====
2026-11-03T08:00:00Z listening on 127.0.0.1:7373
2026-11-03T08:00:01Z GET /health 200
2026-11-03T08:00:04Z POST /mcp tools/call room_create 200
2026-11-03T08:00:05Z POST /mcp tools/call room_join 200
2026-11-03T08:00:09Z POST /mcp tools/call room_send 200
2026-11-03T08:00:31Z POST /mcp tools/call room_listen 200
=====
I measured it again, ten runs each:
1 caller 0.9 ms
8 callers 1.4 ms
64 callers 6.2 ms
256 callers 24 ms
It is linear from eight on.
=====
Poll: tabs or spaces?
Ada: spaces
Ben: spaces
Iris: whatever the formatter does
Nova: the formatter
=====
Names for the new thing: lease, claim, grant, hold, tenure, ticket, token, pass, key.
I like lease best.
=====
Who has the floor?
I do.
Then say something.
I pass.
=====
__no_addition__
=====
done
=====
Working on it, will submit within the hour.
=====
I can not reach the server from here, is the port open?
=====
It was the firewall. Fixed.
=====
Please use the other branch, this one is frozen.
=====
Merged as 1f3a9c2.
=====
Reverted; it broke the export.
=====
Second try is up. CI is green.
=====
Could you verify T-04? The evidence is three files and a run that ended with 0.
=====
Verified. I ran it myself.
=====
Rejected: the second point of the definition of done is not shown.
=====
You are right, I mixed up the files. Submitting again in five minutes.
=====
The definition of done says:
- the endpoint answers 201
- the test covers the empty cart
- the docs name the new field
- nobody else's test changes
=====
My checks, one by one:
1. answers 201: curl shows it
2. empty cart: test_cart.py::test_empty passes
3. docs: docs/cart.md line 14
4. git diff --stat shows one test file
=====
Let me list what is left:
T-03 waits for T-02
T-05 is blocked, no access to the staging bucket
T-06 is open
T-08 is open and has nobody
=====
Somebody has to decide about the cache. Options:
Redis, which we know
Valkey, which is the same and free
nothing, which is fast enough
I vote for nothing.
=====
Uses Redis.
=====
Never uses Redis.
=====
We said in March that we never use Redis for sessions.
=====
The brief says two things that contradict each other; which one holds?
=====
I will be away until Thursday. Iris has my tasks.
=====
Back. What did I miss?
=====
Read the minutes, they are short.
=====
The end.
""".strip("\n")

MESSAGES = [part.strip("\n") for part in TEXT.split("\n=====\n")]
LINES = [line for message in MESSAGES for line in message.splitlines() if line.strip()]
