#!/usr/bin/env python3
"""Checks the dice of a game from its audit file, by the protocol pbemdice/1: written from docs/dice.md, not from the program.
usage: verify.py FILE [MAILS ...] [--head INDEX:HEX or tT:HEX ...] [--allow-unrevealed]
MAILS are mails that you kept: one a file, a mailbox (mbox), or a folder of them. A head is that of a mail's two `Chain:` lines at its end.
Exit status: 0 nothing wrong, 1 something to explain (each on a line), 2 not an audit file, or no head, 3 it can't be read, or this not be written,
4 nothing wrong, and the file is older than the mails, 5 nothing wrong so far, and not all revealed (0 with --allow-unrevealed); of several the first of 3, 1, 2, 4, 5."""
import collections, contextlib, email, hashlib, hmac, itertools, json, os, re, sys, time
def lp(tag, fields):
    raw = [x if isinstance(x, bytes) else str(x).encode() for x in ("pbemdice/1/" + tag, *fields)]
    return b"".join(len(x).to_bytes(4, "big") + x for x in raw)
def H(tag, *fields): return hashlib.sha256(lp(tag, fields)).digest()
def F(key, tag, *fields): return hmac.new(key, lp(tag, fields), hashlib.sha256).digest()
M64, M128, MULTIPLIER = 2**64 - 1, 2**128 - 1, 0xDA942042E4DD58B5
def dice(seed, count, sides):  # Pcg64Dxsm::from_seed(seed), and of its words those that favour no face
    increment, faces = int.from_bytes(seed[16:], "little") | 1, []
    state = ((int.from_bytes(seed[:16], "little") + increment) * MULTIPLIER + increment) & M128
    while len(faces) < count:
        high, low, state = state >> 64, (state & M64) | 1, (state * MULTIPLIER + increment) & M128
        high = (high ^ high >> 32) * MULTIPLIER & M64
        word = (high ^ high >> 48) * low & M64
        if word >= 2**64 % sides: faces.append(1 + word % sides)
    return faces
def merkle(leaves):
    if len(leaves) < 2: return leaves[0] if leaves else H("roll-none")
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return H("roll-node", merkle(leaves[:split]), merkle(leaves[split:]))
FORMS, KINDS_TOLD = ("text", "html", "data"), ("dispatch", "final", "receipt")
TOLD, GIVE_UP, MOST_LINKS, MOST_SLOTS, DEEPEST, MOST_SIDES = 20, 1000, 1_000_000, 64, 64, 2**32 - 1
def name(signs, longest): return f"(?!-(?![{signs}]))[{signs}]{{1,{longest}}}"  # a lone `-` stands for none
HEX, SLOT, WORD, INT = "[0-9a-f]{64}", name("a-z0-9.-", 32), name("a-z0-9.-", 64), "(?:0|[1-9][0-9]{0,9})"
FIELDS = {"T": "[1-9][0-9]{0,8}", "INT": INT, "HEX": HEX, "SLOT": SLOT, "SLOTS": f"{SLOT}(?:,{SLOT})*", "WORD": WORD, "GAME": name("a-z0-9-", 20),
          "POLICY": f"{WORD}:{INT}:[1-9][0-9]{{0,9}}:{INT}", "LABEL": "(?=.{1,128}$)[1-9][0-9]{0,8}(?:/[a-z0-9._-]+){4}", "TEXT": "[^\x00-\x1f\x7f-\x9f\u2028\u2029]*"}
BODIES = {"game": "GAME HEX SLOTS SLOTS|- POLICY|- HEX", "open": "T INT|- WORD", "seal": "T SLOT HEX", "recv": "T SLOT|- HEX accepted|refused WORD|-",
          "deadline": "T INT", "close": "T HEX", "rolls": "T HEX HEX", "rerun": "T T HEX HEX", "rollback": "T T", "reroll": "T LABEL", "gm": "T TEXT", "note": "TEXT"}
BODIES = {kind: re.compile(" ".join("(" + "|".join(FIELDS.get(x, x) for x in field.split("|")) + ")" for field in body.split(" "))) for kind, body in BODIES.items()}
STATE, AFTER = {"rolls": "closed", "rerun": "ran"}, {"reroll": ["open"], "seal": ["open", "reroll", "seal"], "rerun": ["gm"]}  # of others "open", and any
NUMBER, BOUND = "[1-9][0-9]{0,8}", re.compile(f"told ([1-9][0-9]{{0,8}}) ({SLOT}) ([1-9][0-9]{{0,8}}) (dispatch|final|receipt) ([1-9][0-9]{{0,8}}) ({HEX})")
SEATED, NOTED, REVEALED = [re.compile(form) for form in (f"seat ({SLOT}) (house|player|open)(?![^ :])", f"beacon ({NUMBER}) (.*)", f"reveal ({NUMBER}) ({HEX})")]
SALT, SEEN = re.compile("(?aim)^[ \t]*salt:.*[^\x00-\x20\x7f-\xa0]"), re.compile(f"(?am)^[ \t]*(?i:seen):[ \t]*([0-9]{{1,15}})[ \t]+({HEX})[ \t]*$")
def refuse(why): raise ValueError(why)
def of(kind, value): return value if type(value) is kind else refuse(f"{str(value)[:40]} is no {kind.__name__}")
def unhex(text): return bytes.fromhex(text if re.fullmatch(HEX, of(str, text)) else refuse(f"{text[:80]} is no digest"))
def once(pairs): return dict(pairs) if len({key.encode() for key, _ in pairs}) == len(pairs) else refuse("a name stands twice in an object")
def parse(text):  # JSON, in which `...` stands for every number but the natural ones of at most 15 digits
    natural, other, signs = lambda digits: int(digits) if digits[0] != "-" and len(digits) < 16 else ..., lambda _: ..., {"[": 1, "{": 1, "]": -1, "}": -1}
    value = json.loads(text, object_pairs_hook=once, parse_int=natural, parse_float=other, parse_constant=refuse)
    steps = (signs.get(text[found.start()], 0) for found in re.finditer(r'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}]', text))
    return value if max(itertools.accumulate(steps), default=0) <= DEEPEST else refuse(f"nested deeper than {DEEPEST}")
class Audit:
    def __init__(self, log, witness, turns, shown_open=()):
        self.findings, self.counts, self.unrevealed, self.notes, self.turns, self.hashes, self.thrown, self.revealed, self.again, self.before = [], {}, [], [], {}, {}, {}, {}, set(), None
        self.told, self.opened = {}, {}
        self.game, self.slots, self.plays, self.policy, self.proved, self.links, self.valued = "", [], {}, "-", (0, b""), MOST_LINKS, False
        self.latest, self.last, self.live, shown, worth = 0, {"t": 0, "state": "void", "bound": {}}, [{"t": 0}], {}, lambda _: self.counts.get("malformed", 0) < GIVE_UP
        self.open, self.newer = {}, 0  # of each entry's hash, which t was open behind it
        for i, entry in itertools.takewhile(worth, enumerate(log)):
            with self.within(f"log {i}"): self.entry(f"log {i}", i, **of(dict, entry))
            if self.last["state"] == "open": self.open[self.hashes.get(i)] = self.last["t"]
        for t, head in shown_open:
            is_there, is_open = self.open.get(unhex(head)) == t, self.turns.get(t, {"state": "open"})["state"] == "open"
            self.newer += self.must(is_there or is_open, f"t {t}", "somebody was shown a head that this log did not have while it was open") and not is_there
        self.must(log and not any(turn["late"] and "reroll" not in turn for turn in self.turns.values()) and (self.last["state"] != "closed" or self.policy != "-"), "log", "no entries, no `rolls` of the last t, or an `open` behind the end")
        for pair in itertools.takewhile(worth, witness):
            with self.within("witness"): self.witness(*of(list, pair))
        for turn in itertools.takewhile(worth, turns):
            with self.within("turns"): self.must(shown.setdefault(of(int, of(dict, turn)["t"]), turn) is turn and "close" in self.turns.get(turn["t"], {}), "turns", "one twice, or never closed")
        for t in sorted(t for t, turn in self.turns.items() if "close" in turn):
            with self.within(f"t {t}"):
                if self.must(t in shown, f"t {t}", "closed, and not shown") and shown[t].get("secret") is not None: self.turn(f"t {t}", t, self.turns[t], **shown[t])
                elif t in shown: self.unrevealed.append(f"t {t}: not revealed, so not verified")
        if not any("close" in turn for turn in self.turns.values()): self.unrevealed.append("no adjudication has closed, so nothing is verified")
    def must(self, good, where, what, detail=""):
        if not good: self.counts[what] = self.counts.get(what, 0) + 1
        if not good and self.counts[what] <= TOLD: self.findings.append(f"{where}: {what}{detail[:200]}")
        return good
    @contextlib.contextmanager
    def within(self, where):  # whatever a forger put into the file is a finding, never a crash
        try: yield
        except Exception as fault: self.must(False, where, "malformed", f" ({type(fault).__name__}: {fault})")
    def witness(self, index, head): self.must(self.hashes.get(of(int, index)) == unhex(head), f"witness {index}", "somebody was shown a head that is not in this log")
    def entry(self, where, i, /, kind, body, hash, **_):
        previous, self.before = self.before, None
        if re.fullmatch(HEX, hash): self.hashes[i] = unhex(hash)
        before = self.hashes.get(i - 1) if i else H("genesis", of(str, body).split(" ")[0])
        self.must(not before or H("entry", before, i, of(str, kind), of(str, body)).hex() == hash, where, "wrong hash")
        match = BODIES[kind].fullmatch(body) if kind in BODIES else None
        if not self.must(match and (kind == "game") == (i == 0), where, "no entry that a log can have there", f": {kind[:40]} {body}"): return
        self.before, fields, t, at = kind, match.groups(), match[1] if kind in ("game", "note") else int(match[1]), (*match.groups(), "")[1]
        turn = self.turns.get(t, {"state": "never opened"})
        if kind == "game":
            self.game, self.policy, self.proved, self.slots, house = t, fields[4], (0, unhex(at)), fields[2].split(","), [x for x in fields[3].split(",") if x != "-"]
            self.plays, slots = dict.fromkeys(house, "house"), set(self.slots)
            self.must([sorted(slots), sorted(self.plays)] == [self.slots, house] and self.plays.keys() <= slots and len(slots) <= MOST_SLOTS, where, "slots twice, out of order or too many")
        elif kind in ("gm", "note"): self.remark(where, i, kind, fields[-1])
        elif kind == "open":
            self.must(t == self.last["t"] + 1 and self.last["state"] in ("ran", "void"), where, "a second `open`, a gap in t, or no dice before it")
            sealed, base = {"late": "over" in self.last and self.last["state"] == "ran", "seals": {}, "bound": {}, "last": {}, "word": {}, "by_house": {}, "told": {}, "tellings": {}, "due": sorted(slot for slot, who in self.plays.items() if who == "house")}, self.live[-1]
            self.turns[t] = self.last = {"t": t, "state": "open", "of": base["of" if "reroll" in base else "t"], "deadline": at, "reruns": [], **sealed}
            self.live.append(self.last)
        elif kind == "rollback":
            self.must(int(at) <= t == self.last["t"], where, "a rollback of others than the last t")
            while self.live[-1]["t"] >= int(at): self.live.pop()["state"] = "void"
        elif not self.must(turn["state"] == STATE.get(kind, "open") and previous in AFTER.get(kind, [previous]), where, f"`{kind}` where none can stand"): return
        elif kind == "seal" and self.must(turn["due"][len(turn["seals"]):][:1] == [at], where, "a seal that was not due"):
            turn["seals"][at] = turn["bound"][at] = turn["last"][at] = turn["word"][at] = fields[2]
        elif kind == "recv" and fields[3] == "accepted" and self.must(at in self.slots, where, "an accepted mail of no slot"):
            fits = turn["bound"].get(at, fields[2]) == fields[2] and {"consent": "reroll" in turn, "stand-in": turn["word"].get(at, "withdrawn") == "withdrawn"}.get(fields[4], True)
            self.must(fits, where, f"{at} was sealed, and has other orders now; or had orders at a stand-in, or no re-roll to consent to")
            turn["last"][at], turn["word"][at], turn["by_house"][at] = fields[2], fields[4], at not in turn["seals"] and ("stand-in" if fields[4] == "stand-in" else self.plays.get(at) in ("house", "open"))
        elif kind == "deadline": turn["deadline"] = at
        elif kind in ("close", "rolls"):
            closes = int(turn["deadline"].strip("-") or self.latest) if kind == "close" and self.policy != "-" else self.latest
            is_complete = closes >= self.latest and len(turn["seals"]) == len(turn["due"]) and (kind == "close" or self.policy == "-" or "beacon" in turn)
            self.must(is_complete, where, f"`{kind}` without each seal of the house, or the `beacon` note, before it, or dated back")
            self.latest = max(self.latest, closes)
            turn.update({"state": "closed", "close": at} if kind == "close" else {"state": "ran", "rolls": fields[1:]})
        elif kind == "rerun" and self.must(int(at) == len(turn["reruns"]) + 1, where, "a rerun out of order"): turn["reruns"].append(fields[2:])
        elif kind == "reroll" and self.must(at.split("/")[0] == str(turn["of"]) and turn["of"] not in self.again, where, "a reroll that is not of the last dice, or of dice thrown again before"): turn["reroll"], _ = at, self.again.add(turn["of"])
    def remark(self, where, i, kind, text):
        seated, noted = SEATED.match(text), NOTED.fullmatch(text) if kind == "note" and self.policy != "-" else None
        if seated and seated[1] in self.slots: self.plays[seated[1]], _ = seated[2], seated[2] == "player" and self.last["bound"].pop(seated[1], None)
        if revealed := REVEALED.fullmatch(text): self.revealed.setdefault(int(revealed[1]), set()).add(revealed[2])
        if kind == "note" and text.startswith("ended: ") and self.must(self.last["state"] == "ran", where, "an end before the dice of the last t"): self.last["over"] = True
        self.must(i == 1 or kind == "gm" or not text.startswith("host key "), where, "the host's key elsewhere than in the second entry")
        if kind == "note" and text.startswith("told ") and self.must(bound := BOUND.fullmatch(text), where, "a `told` note in another form"):
            turn, slot, n = self.turns.get(int(bound[1]), {}), bound[2], int(bound[3])
            if not self.must(turn and slot in self.slots, where, "a slot is told of a t, and one of them is not of this log"): return
            self.must(n == turn["tellings"].get(slot, 0) + 1, where, "what a slot was told of t is numbered with a gap, or twice")
            there = turn["state"] == "open" and slot in turn["last"] if bound[4] == "receipt" else turn["state"] == "ran"
            self.must(there, where, "what a slot was told of a t that is not at that point, or a receipt to a slot of which no mail was accepted")
            turn["tellings"][slot] = n
            turn["told"][i] = self.told[bound[1], slot, bound[3]] = bound.groups()
        turn = self.turns.get(int(noted[1]), {}) if noted else {}
        if not noted or not self.must(turn.get("state") == "closed" and turn["deadline"] != "-", where, "a `beacon` note where none is due"): return
        beacon, genesis, period, delay = [int(part) if k else part for k, part in enumerate(self.policy.split(":"))]
        due = max(1, -(-(int(turn["deadline"]) + delay - genesis) // period) + 1)
        self.must("beacon" not in turn and re.fullmatch(f"{re.escape(beacon)}/{due}/{HEX}", noted[2]), where, f"the beacon is not {beacon}, round {due}, once")
        self.latest = max(self.latest, at := genesis + (due - 1) * period)
        turn.update(beacon=noted[2], compare=f"; compare by hand: {beacon} published its round {due} on {time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(at))}, with the SHA-256 {noted[2][-64:]}")
    def turn(self, where, t, logged, /, secret, orders={}, beacon=None, beacon_value=None, rolls=[], result="", reruns=[], told=[], **_):
        (number, known), reroll, leaves, salted, due = self.proved, logged.get("reroll"), [], [], logged["due"]
        key, link, consent, self.links = unhex(secret), unhex(secret), f"reroll: {reroll}\n" if reroll else "", self.links - t + number
        for i in range(t, number if self.links >= 0 else t, -1): link = H("chain", self.game, i, link)
        if self.must(link == known and self.revealed.get(t, {secret}) == {secret}, where, "the secret is not in the chain from s_0, or not the one in `reveal`"): self.proved = (t, key)
        self.must(sorted(of(dict, orders)) == self.slots, where, "orders of other slots than the game has")
        for slot in self.slots:
            block, fields, by = of(str, orders.get(slot) or ""), (self.game, t, slot, F(key, "blind", self.game, t, slot)), logged["by_house"].get(slot)
            leaves += [slot, H("absent", *fields) if orders.get(slot) is None else H("orders", *fields, of(str, orders[slot]))]
            self.must(logged["last"].get(slot, H("absent", *fields).hex()) == leaves[-1].hex(), where, f"the orders of {slot} are not those that were accepted last")
            self.must(not re.search("[ \t\r]\n", block) and block[-1:] in ("", "\n") and (orders.get(slot) is None or logged["word"].get(slot) != "withdrawn"), where, f"the orders of {slot} are not canonical, or were taken back")
            if SALT.search(block) and slot not in due and not by: salted.append(slot)
            for index, head in SEEN.findall(block)[:1]: self.must(self.hashes.get(int(index), b"").hex() == head, where, f"{slot} saw another log")
            self.must(not reroll or by != "stand-in" and (block == consent if by or slot in due else block.startswith(consent)), where, f"no consent of {slot}")
        self.must((root := H("orderset", self.game, t, *leaves)).hex() == logged["close"], where, "orders that differ from the close")
        self.must((beacon or "") == (noted := logged.get("beacon", "")), where, "the beacon is not the one in the log")
        is_its_value = beacon_value is None or re.fullmatch("(?:[0-9a-f]{2}){16,1024}", of(str, beacon_value)) and hashlib.sha256(bytes.fromhex(beacon_value)).hexdigest() == noted[-64:]
        self.must(is_its_value and (not noted or beacon_value is not None or not self.valued), where, "the beacon's value is not the one in the log, or was left out")
        self.valued, shown = self.valued or beacon_value is not None, "; the value itself is not in the file" if beacon_value is None else "; its value is in the file, and this script checks no signature"
        seed = F(key, "turn", self.game, t, root, "" if beacon is None else of(str, beacon))
        self.must(len(of(list, reruns)) == len(logged["reruns"]) and ("rolls" in logged or (rolls, result) == ([], "")), where, "reruns or dice that the log never committed to")
        for k, (part, committed) in enumerate(zip([{"rolls": rolls, "result": result}] + reruns, [logged["rolls"]] + logged["reruns"] if "rolls" in logged else [])):
            with self.within(f"{where} rerun {k}"): self.rolls(f"{where} rerun {k}" if k else where, t, reroll, key, seed, *committed, **of(dict, part))
        with self.within(where): self.open_told(where, logged["told"], key, [of(dict, opening) for opening in of(list, told)])
        is_fixed = not any(logged["by_house"].values()) and list(logged["seals"]) == due and logged["seals"].items() <= logged["last"].items()
        level = 0 if not salted else 1 if not is_fixed else 3 if beacon and beacon == noted and is_its_value else 2
        self.notes.append(f"{where}: L{level}, salted by {', '.join(salted) or 'nobody'}{', void' * (logged['state'] == 'void')}; {len(rolls)} rolls{(logged.get('compare', '') + shown) * (level == 3)}")
    def open_told(self, where, logged, key, told):
        shown = [of(int, opening["entry"]) for opening in told]
        self.must(len(shown) == len(set(shown)) and set(shown) == logged.keys(), where, "the log binds what was told there, and it is not opened; or the file opens it twice, or what was never told")
        for opening in (opening for opening in told if opening["entry"] in logged):
            t, slot, n, noted, telling, commit = logged[opening["entry"]]
            forms, said = [opening.get(form) for form in (*FORMS, "facts")], [of(str, words) for words in of(list, opening["said"])]
            fields = [b"" if form is None else unhex(form) for form in forms]
            place, kind = (self.game, t, slot, n), opening["kind"] if opening["kind"] in KINDS_TOLD else refuse("no kind of telling")
            made = H("told", *place, F(key, "toldblind", *place), telling, kind, *fields, H("said", *said))
            if self.must(made.hex() == commit and kind == noted and (kind != "receipt" or not any(forms[1:])), where, "what was told is opened otherwise than the log binds it", f": {slot}, {n}"): self.opened[t, slot, n] = dict(zip(FORMS, forms))
    def rolls(self, where, t, reroll, key, seed, root, commit, /, rolls, result, **_):
        leaves, labels = [], [of(str, of(list, roll)[0]) for roll in of(list, rolls)]
        for label, count, sides, faces in sorted(rolls, key=lambda roll: roll[0].encode()):
            is_again = label == reroll and self.thrown.get(label, [count, sides]) == [count, sides]
            self.must(len(label) <= 128 and (is_again or re.fullmatch(f"{t}(/[a-z0-9._-]+){{4}}", label)), where, "a label of another t, or none, or other dice than it fell with", f": {label}")
            possible, self.thrown[label] = 0 < of(int, count) == len(of(list, faces)) and 0 < of(int, sides) <= MOST_SIDES and all(type(face) is int for face in faces), [count, sides]
            self.must(possible and faces == dice(F(seed, "roll", label), count, sides), where, "a die that differs", f": {label}")
            leaves.append(H("roll-leaf", self.game, t, F(key, "rollblind", self.game, t, label), f"{label} {count}d{sides} = {' '.join(map(str, faces))}"))
        stems = collections.Counter(label.rpartition("/")[0] for label in labels)
        wanted = [reroll] if reroll else sorted(f"{stem}/{n}" for stem in stems for n in range(stems[stem]))
        self.must(sorted(labels) == wanted, where, "a label used twice, a gap in a sequence, or another roll than the one to be thrown again")
        self.must(merkle(leaves).hex() == root, where, "rolls that differ from their commitment")
        self.must(H("result", self.game, t, F(key, "resultblind", self.game, t), unhex(result)).hex() == commit, where, "a result that differs from its commitment")

# What a kept mail tells, and whether the log binds just that: dice.md, "What was told".
BEGINS, ENDS, CUT, LONGEST = "Told:", ["End", "told:"], "[ This mail was too long: its middle is left out. ]", 2 * 1024 * 1024
POSTMARK, CHAIN = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*[0-9]{2}:[0-9]{2}[^\n]*\n"), re.compile(rf"(?m)^Chain: ({FIELDS['GAME']})(?: ({INT}|t{NUMBER}))?[ \t]*\r?\n[ \t]*({HEX})[ \t]*\r?$")
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " ", "&amp;": "&"}
Word = collections.namedtuple("Word", "text written plain")  # an item's number is not written in a page, and a drawing's words stand in no other form
def split(text): return ["From" if word == ">From" else word for word in re.split("[ \t\r\n]+", text) if word]
def text_words(text): return [Word(word, True, True) for word in split(text)]
def page_words(html):
    words, at, drawn, items = [], 0, None, None
    def piece(text):
        for entity, sign in ENTITIES.items(): text = text.replace(entity, sign)
        words.extend(Word(word, True, not drawn) for word in split(text))
    while at < len(html):
        tag = (html.find("<", at) + 1 or len(html) + 1) - 1
        piece(html[at:tag])
        if html.startswith("<!--", tag):
            at = (html.find("-->", tag + 4) + 1 or len(html) - 1) + 2
            continue
        end = html.find(">", tag)
        if end < 0:
            piece(html[tag:])
            break
        inside, at = html[tag + 1:end], end + 1
        closes, name = inside.startswith("/"), re.split("[ \t\r\n/]", inside.lstrip("/"), maxsplit=1)[0].lower()
        if name in ("head", "title", "style", "script") and not closes:
            behind = re.compile(f"(?ai)</{name}").search(html, at)
            at = (html.find(">", behind.end()) + 1 if behind else 0) or len(html)
        elif name in ("svg", "summary"): drawn = (drawn if drawn != name else None) if closes else drawn if inside.endswith("/") else drawn or name
        elif name == "ol": items = None if closes else 0
        elif name == "li" and not closes and items is not None: items, _ = items + 1, words.append(Word(str(items + 1), False, not drawn))
    return words
def marked(words):  # what stands between the marks, or None
    texts = [word.text for word in words]
    def named(at): return tuple(texts[at:at + 4]) if re.fullmatch(f"{FIELDS['GAME']} {NUMBER} {SLOT} {NUMBER}", " ".join(texts[at:at + 4])) else None
    begin = next((at for at, text in enumerate(texts) if text == BEGINS and named(at + 1)), None)
    if begin is None: return None
    of_what = named(begin + 1)
    end = next((at for at in range(len(texts) - 1, begin + 4, -1) if texts[at:at + 2] == ENDS and named(at + 2) == of_what), None)
    inside = words[begin + 5:end]
    joined = " ".join(word.text for word in inside if word.written)
    return {"of": of_what, "ends": end is not None, "cut": CUT in joined, "digest": hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest(), "plain": plain(word.text for word in inside if word.plain)}
def plain(texts): return [run.lower() for text in texts for run in re.findall("[A-Za-z0-9]+", text)]
def beyond(one, other):  # what the one has more often, in its order
    left = collections.Counter(other)
    return [word for word in one if left[word] <= 0 or left.subtract([word])]
def texts_in(data):  # of a data attachment the texts that the other forms have too
    if isinstance(data, str): return [data] if re.fullmatch("[ -~\n]*", data) else []
    if isinstance(data, list): return [text for part in data for text in texts_in(part)]
    if not isinstance(data, dict) or data.get("kind") in ("bars", "plain"): return []
    return [text for name, part in data.items() if name != "kind" for text in texts_in(part)]
def kept_mails(path):  # each mail below a path, and where it lies
    if os.path.isdir(path): return itertools.chain.from_iterable(kept_mails(os.path.join(path, name)) for name in sorted(os.listdir(path)))
    with open(path, "rb") as stream: raw = stream.read()
    starts = [*POSTMARK.finditer(raw)] if raw.startswith(b"From ") else []
    if not starts: return [(path, email.message_from_bytes(raw))] if re.match(rb"[A-Za-z0-9-]+:", raw) else []
    ends = [start.start() for start in starts[1:]] + [len(raw)]
    return ((f"{path}, mail {number}", email.message_from_bytes(re.sub(rb"(?m)^>(>*From )", rb"\1", raw[start.end():end]))) for number, (start, end) in enumerate(zip(starts, ends), 1))
def parts_of(mail):  # its own parts, and not those of mails in it
    if mail.get_content_type() == "message/rfc822": return []
    return [part for inside in mail.get_payload() for part in parts_of(inside)] if mail.is_multipart() else [mail]
def decoded(part):
    raw = part.get_payload(decode=True) or b""
    try: return raw[:LONGEST].decode(part.get_content_charset() or "utf-8", "replace")
    except LookupError: return raw[:LONGEST].decode("utf-8", "replace")
def read_mail(where, mail):
    try: return read_parts(where, mail)
    except Exception as fault: return {"where": where, "for": [], "heads": [], "fault": f" ({type(fault).__name__}: {fault})"}
def read_parts(where, mail):
    parts = parts_of(mail)
    texts, pages = ([decoded(part) for part in parts if part.get_content_type() == kind and part.get_filename() is None and part.get_content_disposition() != "attachment"] for kind in ("text/plain", "text/html"))
    heads = [found.groups() for text in texts for found in CHAIN.finditer(text)]
    first = lambda found: next((marks for marks in found if marks), None)
    marks = [first(marked(text_words(text)) for text in texts if BEGINS in text), first(marked(page_words(page)) for page in pages if BEGINS in page)]
    files = [(part.get_filename() or "", part) for part in parts]
    return {"where": where, "for": str(mail.get("X-Musterd", "")).split(), "heads": heads, "marks": marks, "has": [bool(texts), bool(pages)], "data": lambda name: next((part.get_payload(decode=True) or b"" for file, part in files if re.fullmatch(name, file)), None)}
def unlike(text, page, data):  # in which words the forms of one mail differ
    if text is not None and page is not None and "".join(here := beyond(text, page)) != "".join(there := beyond(page, text)): return f"the text has {here[:5]}, and the page {there[:5]}"
    if data is None or text is page is None: return None
    more, joined = beyond(data, text if page is None else page), "".join(beyond(text or [], data))
    if page is None: more = [word for word in more if len(word) < 12 or word not in joined]
    return f"the data has {more[:5]}, and the {'text' if page is None else 'page'} has not" if more else None
def compare_told(audit, mails):
    counts, tellings, first = collections.Counter(), {}, min((i for turn in audit.turns.values() for i in turn["told"]), default=None)
    places = {head.hex(): index for index, head in audit.hashes.items()}
    for mail in mails:
        with audit.within(mail["where"]): compare_mail(audit, mail, counts, tellings, first, places)
    if first is None: return ["told: this log doesn't bind what its host told"]
    return [f"told: {counts['text']} texts, {counts['html']} pages and {counts['data']} data of {len(mails)} mails are compared with what the log binds; {counts['waiting']} mails tell of what is not revealed, {counts['newer']} of what the file doesn't reach, {counts['cut']} were cut"]
def compare_mail(audit, mail, counts, tellings, first, places):
    if not audit.must("fault" not in mail, where := mail["where"], "malformed", mail.get("fault", "")) or len(mail["for"]) != 3: return
    kind, (text, page) = mail["for"][0], mail["marks"] if mail["for"][0] in ("dispatch", "receipt") else (None, None)
    head = next((places.get(head, -1) if (index or "t")[0] == "t" else int(index) for game, index, head in reversed(mail["heads"]) if game == audit.game), -1)
    reached = 0 <= head < len(audit.hashes)
    if not text and not page:
        due = kind in ("dispatch", "receipt") and mail["for"][2] in audit.slots and reached and first is not None and first <= head
        return audit.must(not due, where, "a mail tells without marks, and the log binds what is told")
    of_what = (text or page)["of"]
    audit.must(all(bool(marks) == has for marks, has in zip((text, page), mail["has"])), where, "of text and page only one has marks")
    if not audit.must((page or text)["of"] == of_what and of_what[0] == audit.game and of_what[2] == mail["for"][2], where, "marks of two tellings, or of another slot than the mail is for"): return
    audit.must(all(marks["ends"] or marks["cut"] for marks in (text, page) if marks), where, "the mark at the end of what was told is missing")
    game, t, slot, n = of_what
    data, whole = mail["data"](f"{game}-t[0-9]+-{re.escape(slot)}\\.json"), [marks if marks and marks["ends"] and not marks["cut"] else None for marks in (text, page)]
    counts["cut"] += any(marks["cut"] for marks in (text, page) if marks)
    forms = dict(zip(FORMS, [marks and marks["digest"] for marks in whole] + [None if data is None else hashlib.sha256(data).hexdigest()]))
    parsed = None
    if data is not None:
        with audit.within(f"{where}, its data"): parsed = plain(texts_in([of(dict, json.loads(data.decode() if len(data) <= LONGEST else refuse("too long"))).get(name, []) for name in ("notices", "standing", "sections")]))
    differ = unlike(*[marks and marks["plain"] for marks in whole], parsed)
    audit.must(not differ, where, "its text, page and data say different things", f": {differ}")
    known = tellings.setdefault((t, slot, n), {})
    for form, digest in forms.items(): audit.must(known.setdefault(form, digest) in (None, digest) or digest is None, where, f"two mails of one telling differ in their {form}")
    known.update({form: digest for form, digest in forms.items() if known[form] is None})
    if (t, slot, n) not in audit.told: counts["newer"] += bool(audit.must(not reached, where, "it tells what the log doesn't bind", f": t {t}, {slot}, {n}"))
    elif not audit.must((kind == "receipt") == (audit.told[t, slot, n][3] == "receipt"), where, "the log binds what its marks name as another kind of mail"): return
    elif (t, slot, n) not in audit.opened: counts["waiting"] += 1
    else:
        for form, digest in forms.items():
            counts[form] += digest is not None
            audit.must(digest in (None, audit.opened[t, slot, n][form]), where, f"its {form} is not what the log binds: it was changed, or the host told another thing than it bound", f": t {t}, {slot}, {n}")
def main(arguments, what="no head INDEX:HEX"):
    try:
        shown = [word.replace("\r", "").split(":") for before, word in zip(arguments, arguments[1:]) if before == "--head"]
        heads, what = [(place[:1] == "t", int(place.removeprefix("t")), unhex(head).hex()) for place, head in shown], "not an audit file of pbemdice/1"
        with open(arguments[0], encoding="utf-8") as stream: file = of(dict, parse(stream.read()))
        if file["protocol"] != "pbemdice/1": refuse("another protocol")
        paths = [path for before, path in zip(arguments, arguments[1:]) if before != "--head" and not path.startswith("--")]
        founded = next(iter(of(list, file["log"])), None)
        game = str(founded.get("body")).split(" ")[0] if isinstance(founded, dict) else ""
        mails = [read_mail(where, mail) for path in paths for where, mail in kept_mails(path) if str(mail.get("X-Musterd", "")).split()[1:2] == [game]]
        heads += [[index[0] == "t", int(index.lstrip("t")), head] for mail in mails for whose, index, head in mail["heads"] if whose == game and index]
        numbered = [[index, head] for is_open, index, head in heads if not is_open and index < len(of(list, file["log"]))]
        audit = Audit(file["log"], of(list, file["witness"]) + numbered, of(list, file["turns"]), [(t, head) for is_open, t, head in heads if is_open])
        audit.notes += compare_told(audit, mails) if paths else []
        newer = audit.newer + sum(not is_open and index >= len(file["log"]) for is_open, index, _ in heads)
        more = ["consistent, not witnessed: no mail's head was compared"] * (newer == len(heads)) + [f"older than the mails: {newer} of their heads stand behind its end, and were not compared; get a newer file"] * (newer > 0) + [f"{count - TOLD} more: {what}" for what, count in audit.counts.items() if count > TOLD]
        print(*audit.notes, *audit.findings, *more, *audit.unrevealed, f"{audit.game}: {sum(audit.counts.values()) or 'nothing'} wrong{', as far as this file reaches' * (newer > 0)}, {len(audit.unrevealed)} unrevealed", sep="\n", flush=True)
    except (OSError, ValueError, LookupError, RecursionError) as fault:
        return print(f"{'it failed' if isinstance(fault, OSError) else what}: {fault}\n{__doc__}", file=sys.stderr) or (3 if isinstance(fault, OSError) else 2)
    return 1 if audit.counts else 4 if newer else 5 if audit.unrevealed and "--allow-unrevealed" not in arguments else 0
if __name__ == "__main__": sys.exit(sys.stdout.reconfigure(errors="backslashreplace") or main(sys.argv[1:]) if sys.stdout else 3)
