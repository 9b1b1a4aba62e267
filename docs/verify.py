#!/usr/bin/env python3
"""Checks the dice of a game from its audit file, by the protocol pbemdice/1: written from docs/dice.md, not from the program.

usage: verify.py FILE [--head INDEX:HEX ...] [--allow-unrevealed]
    --head  a head from a mail that you kept: the two `Chain:` lines at its end
Exit status: 0 nothing wrong, 1 something to explain (each on a line), 2 not an audit file."""
import hashlib, hmac, json, re, sys

def lp(tag, fields):
    raw = [("pbemdice/1/" + tag).encode()] + [x if isinstance(x, bytes) else str(x).encode() for x in fields]
    return b"".join(len(x).to_bytes(4, "big") + x for x in raw)
def H(tag, *fields): return hashlib.sha256(lp(tag, fields)).digest()
def F(key, tag, *fields): return hmac.new(key, lp(tag, fields), hashlib.sha256).digest()
M64, M128, MULTIPLIER = 2**64 - 1, 2**128 - 1, 0xDA942042E4DD58B5
def dice(seed, count, sides):
    """Pcg64Dxsm::from_seed(seed), and of its words those that favour no face."""
    increment, faces = int.from_bytes(seed[16:], "little") | 1, []
    state = ((int.from_bytes(seed[:16], "little") + increment) * MULTIPLIER + increment) & M128
    while len(faces) < count:
        high, low = state >> 64, (state & M64) | 1
        high = (high ^ high >> 32) * MULTIPLIER & M64
        word = (high ^ high >> 48) * low & M64
        if word >= 2**64 % sides: faces.append(1 + word % sides)
        state = (state * MULTIPLIER + increment) & M128
    return faces
def merkle(leaves):
    if len(leaves) < 2: return leaves[0] if leaves else H("roll-none")
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return H("roll-node", merkle(leaves[:split]), merkle(leaves[split:]))

class Audit:
    def __init__(self, file, heads):
        self.findings, self.unrevealed, self.notes, self.file = [], [], [], file
        self.game, self.slots, self.house, self.policy, self.anchor = "", [], set(), None, b""
        self.turns, self.hashes, self.heads = {}, [], heads
    def wrong(self, where, what): self.findings.append(f"{where}: {what}")
    def attempt(self, where, check, *arguments):
        """Whatever a forger put into the file is a finding, never a crash."""
        try: check(*arguments)
        except Exception as fault: self.wrong(where, f"malformed ({type(fault).__name__}: {fault})")

    def run(self):
        for i, entry in enumerate(self.file["log"]): self.attempt(f"log {i}", self.entry, i, entry)
        for index, head in list(self.file["witness"]) + self.heads:
            if self.hashes[index : index + 1] != [head]: self.wrong(f"witness {index}", "somebody was shown a head that is not in this log")
        closed, shown = sorted(t for t, turn in self.turns.items() if "close" in turn), []
        if sorted(self.turns) != list(range(1, len(self.turns) + 1)): self.wrong("log", "a gap in t")
        for t, turn in self.turns.items():
            due = set() if turn.get("void") or t == max(self.turns) and "close" not in turn else {"close", "rolls"}
            for kind in sorted(due - set(turn)): self.wrong(f"t {t}", f"no {kind}")
        for number, turn in enumerate(self.file["turns"]): self.attempt(f"turn number {number}", self.turn, turn, shown)
        if sorted(shown) != closed: self.wrong("turns", "not each closed t once")
        if not self.file["witness"] and not self.heads: self.notes.append("consistent, not witnessed: no mail's head was compared")

    def entry(self, i, entry):
        kind, body, fields = entry["kind"], entry["body"], entry["body"].split(" ")
        self.game = self.game or body.split(" ")[0]
        before = bytes.fromhex(self.hashes[-1]) if i else H("genesis", self.game)
        self.hashes.append(entry["hash"])
        if H("entry", before, i, kind, body).hex() != entry["hash"]: self.wrong(f"log {i}", "wrong hash")
        if (kind == "game") != (i == 0): return self.wrong(f"log {i}", "`game` stands first, once")
        seated = re.match(r"(?:\d+ )?seat ([a-z0-9.-]+) (house|player|open)\b", body) if kind in ("gm", "note") else None
        if seated: (self.house.add if seated[2] == "house" else self.house.discard)(seated[1])
        if kind == "game":
            _, anchor, slots, house, policy, _ = fields
            self.anchor, self.slots = bytes.fromhex(anchor), sorted(slots.split(","))
            self.house, self.policy = set(house.split(",")) - {"-"}, None if policy == "-" else policy
        if kind in ("game", "gm", "note"): return
        t = int(fields[0])
        if kind == "open":
            if t in self.turns: return self.wrong(f"t {t}", "opened twice")
            if self.turns and not {"close", "void"} & set(self.turns[max(self.turns)]): self.wrong(f"t {t}", "opened before the last one was closed")
            self.turns[t] = {"open": i, "seals": {}, "last": {}, "reruns": [], "due": sorted(self.house), "deadline": None if fields[1] == "-" else int(fields[1])}
            return
        if t not in self.turns: return self.wrong(f"log {i}", f"`{kind}` for t {t}, which was never opened")
        turn = self.turns[t]
        if kind in ("close", "rolls") and kind in turn: self.wrong(f"t {t}", f"a second {kind}")
        if kind in ("seal", "recv", "deadline", "close") and "close" in turn: self.wrong(f"log {i}", f"`{kind}` after the close of t {t}")
        if kind == "seal":
            if i != turn["open"] + len(turn["seals"]) + 1 + ("reroll" in turn): self.wrong(f"t {t}", f"a late seal of {fields[1]}")
            if fields[1] not in turn["due"]: self.wrong(f"t {t}", f"a seal of {fields[1]}, which the house doesn't play")
            turn["seals"][fields[1]] = turn["last"][fields[1]] = fields[2]
        elif kind == "recv" and fields[3] == "accepted": turn["last"][fields[1]] = fields[2]
        elif kind == "deadline": turn["deadline"] = int(fields[1])
        elif kind == "close":
            turn["close"] = fields[1]
            if sorted(turn["seals"]) != turn["due"]: self.wrong(f"t {t}", "a seal of the house is missing")
        elif kind == "rolls":
            if "close" not in turn: self.wrong(f"t {t}", "rolls before the close")
            turn["rolls"] = (fields[1], fields[2])
        elif kind == "rerun":
            if int(fields[1]) != len(turn["reruns"]) + 1: self.wrong(f"t {t}", f"rerun {fields[1]} out of order")
            turn["reruns"].append((fields[2], fields[3]))
        elif kind == "rollback": [self.turns[void].update(void=True) for void in range(int(fields[1]), t + 1)]
        elif kind == "reroll":
            turn["reroll"], ran = fields[1], [n for n in self.turns if n < t and "rolls" in self.turns[n] and not {"void", "reroll"} & set(self.turns[n])]
            if i != turn["open"] + 1 or fields[1].split("/")[0] != str(max(ran, default=0)): self.wrong(f"t {t}", "a reroll after other entries, or not of the last dice")

    def turn(self, shown, seen):
        t, logged, where = shown["t"], self.turns[shown["t"]], f"t {shown['t']}"
        seen.append(t)
        if shown["secret"] is None: return self.unrevealed.append(where)
        secret = link = bytes.fromhex(shown["secret"])
        for i in range(t, 0, -1): link = H("chain", self.game, i, link)
        if link != self.anchor: self.wrong(where, "the secret is not in the chain that began with s_0")
        if sorted(shown["orders"]) != self.slots: self.wrong(where, "orders of other slots than the game has")
        leaves, salted, consent = [], [], f"reroll: {logged['reroll']}\n" if "reroll" in logged else ""
        for slot in self.slots:
            block, blind = shown["orders"][slot], F(secret, "blind", self.game, t, slot)
            absent = H("absent", self.game, t, slot, blind)
            leaf = absent if block is None else H("orders", self.game, t, slot, blind, block)
            leaves += [slot, leaf]
            if bytes.fromhex(logged["last"].get(slot, absent.hex())) != leaf: self.wrong(where, f"the orders of {slot} are not those that were accepted last")
            if slot not in logged["due"] and re.search(r"(?mi)^[ \t]*salt[ \t]*:[ \t]*\S", block or ""): salted.append(slot)
            for index, head in re.findall(r"(?m)^[ \t]*(?i:seen)[ \t]*:[ \t]*(\d{1,15})[ \t]+([0-9a-f]{64})[ \t]*$", block or "")[:1]:
                if self.hashes[int(index) : int(index) + 1] != [head]: self.wrong(where, f"{slot} saw another log: head {index}")
            if not (block or "").startswith(consent) or consent and slot in logged["due"] and block != consent: self.wrong(where, f"no consent of {slot}")
        root = H("orderset", self.game, t, *leaves)
        if root.hex() != logged["close"]: self.wrong(where, "orders that differ from the close")
        beacon = self.beacon(where, logged, shown["beacon"] or "")
        seed = F(secret, "turn", self.game, t, root, beacon)
        tries = [(shown, logged["rolls"])] + list(zip(shown.get("reruns", []), logged["reruns"]))
        if len(shown.get("reruns", [])) != len(logged["reruns"]): self.wrong(where, "reruns that differ from the log")
        for number, (result, (rolls_root, result_commit)) in enumerate(tries):
            at = f"{where} rerun {number}" if number else where
            self.attempt(at, self.rolls, at, t, secret, seed, result["rolls"], rolls_root)
            blind, digest = F(secret, "resultblind", self.game, t), bytes.fromhex(result["result"])
            if H("result", self.game, t, blind, digest).hex() != result_commit: self.wrong(at, "a result that differs from its commitment")
        level = 0 if not salted else 1 if set(logged["due"]) - set(logged["seals"]) else 3 if beacon else 2
        self.notes.append(f"{where}: L{level}, salted by {', '.join(salted) or 'nobody'}{', void' if logged.get('void') else ''}; {len(shown['rolls'])} rolls")

    def rolls(self, where, t, secret, seed, rolls, root):
        leaves, sequences, only = [], {}, self.turns[t].get("reroll")
        if only and [roll[0] for roll in rolls] != [only]: self.wrong(where, f"another roll than {only}, or none")
        for label, count, sides, faces in sorted(rolls, key=lambda roll: roll[0].encode()):
            if len(label) > 128 or label != only and not re.fullmatch(rf"{t}(/[a-z0-9._-]+){{4}}", label): self.wrong(where, f"{label}: a label of another t, or none")
            sequences.setdefault(label.rpartition("/")[0], []).append(label.rpartition("/")[2])
            if len(faces) != count or sides < 1 or faces != dice(F(seed, "roll", label), count, sides): self.wrong(where, f"a die that differs: {label}")
            line, blind = f"{label} {count}d{sides} = {' '.join(map(str, faces))}", F(secret, "rollblind", self.game, t, label)
            leaves.append(H("roll-leaf", self.game, t, blind, line))
        for stem, found in sequences.items():
            if not only and sorted(found) != sorted(map(str, range(len(found)))): self.wrong(where, f"{stem}: a label used twice, or a gap in its sequence")
        if merkle(leaves).hex() != root: self.wrong(where, "rolls that differ from their commitment")

    def beacon(self, where, logged, beacon):
        if beacon and not self.policy: self.wrong(where, "a beacon that the game doesn't use")
        if not self.policy: return beacon
        name, genesis, period, delay = self.policy.split(":")
        due = max(1, -(-((logged["deadline"] or 0) + int(delay) - int(genesis)) // int(period)) + 1)
        if not re.fullmatch(rf"{re.escape(name)}/{due}/[0-9a-f]{{64}}", beacon): self.wrong(where, f"the beacon is not {name}, round {due}")
        return beacon

def main(arguments):
    heads = [word.split(":") for before, word in zip(arguments, arguments[1:]) if before == "--head"]
    names = [word for before, word in zip([""] + arguments, arguments) if word[:1] != "-" and before != "--head"]
    try:
        with open(names[0], encoding="utf-8") as stream: file = json.load(stream)
        audit = Audit(file, [(int(index), head) for index, head in heads])
        if file["protocol"] != "pbemdice/1": raise ValueError("another protocol")
        audit.run()
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as fault:
        print(f"not an audit file of pbemdice/1: {fault}\n{__doc__}", file=sys.stderr)
        return 2
    for line in audit.notes + audit.findings + [f"{where}: not revealed, so not verified" for where in audit.unrevealed]: print(line)
    print(f"{audit.game}: {len(audit.findings) or 'nothing'} wrong, {len(audit.unrevealed)} unrevealed")
    return 1 if audit.findings or audit.unrevealed and "--allow-unrevealed" not in arguments else 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
