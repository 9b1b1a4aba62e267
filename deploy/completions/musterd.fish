# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_musterd_global_optspecs
    string join \n dir= now= seed-file= json log= h/help V/version
end

function __fish_musterd_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_musterd_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_musterd_using_subcommand
    set -l cmd (__fish_musterd_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c musterd -n "__fish_musterd_needs_command" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_needs_command" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_needs_command" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_needs_command" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_needs_command" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_needs_command" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_needs_command" -s V -l version -d 'Print version'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "demo" -d 'Play a whole campaign by mail in a temporary directory, computer against computer'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "init" -d 'Make a data directory: configuration, mailboxes, example templates'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "serve" -d 'Run the daemon: read mail, run turns when they are due, send mail'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "deliver" -d 'Take one message from a mail server\'s pipe, on standard input'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "scenarios" -d 'List the scenarios that can be played'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "scenario" -d 'Check a scenario or map of your own, or show one'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "new" -d 'Found a game and invite its players'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "status" -d 'Show where games stand: who is waited for, the deadline, orders, mails'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "check" -d 'Show exactly what the receipt for some orders would say; changes nothing'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "config" -d 'Look at the configuration'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "report" -d 'Show a seat\'s dispatch, the last one or that of a past turn'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "history" -d 'Show a campaign\'s history as a seat knows it: points, strength, losses, cities, story'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "resolve" -d 'Run a turn now, before its deadline'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "gm" -d 'Lead a game: every command that the GM can mail'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "journal" -d 'Print a game\'s journal as JSON lines: all that happened, hidden things too'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "key" -d 'Show the key that signs the heads of the log in this host\'s mails'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "audit" -d 'Show how far a game\'s dice can be trusted, turn by turn; write its audit file'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "verify" -d 'Check a game from outside: its dice, its log, the mails that people kept; needs no host'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "escrow" -d 'Write the file that opens a game\'s dice without its host'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "backup" -d 'Write a backup of the data directory; the daemon may run meanwhile'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "restore" -d 'Make a data directory of a backup'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "health" -d 'Say whether the daemon runs and is well; for supervisors, and for people at night'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "metrics" -d 'Print the daemon\'s figures, as Prometheus reads them'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "odds" -d 'Count the exact odds of an attack, a muster, a march, a strike: no sampling'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "dog" -d 'At the table of Death or Glory: dice that can be checked, unit records, the next battle'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "schema" -d 'Print the JSON Schema of a file that authors write, or of what is written for others'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "templates" -d 'Look the texts of the mails over'
complete -c musterd -n "__fish_musterd_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand demo" -l keep -d 'Where to play; must not exist yet [default: a new temporary directory]' -r -f -a "(__fish_complete_directories)"
complete -c musterd -n "__fish_musterd_using_subcommand demo" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand demo" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand demo" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand demo" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand demo" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand demo" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand init" -l address -d 'The address that players write to' -r
complete -c musterd -n "__fish_musterd_using_subcommand init" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand init" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand init" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand init" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand init" -l no-sign -d 'Don\'t sign the heads of the log in mails'
complete -c musterd -n "__fish_musterd_using_subcommand init" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand init" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand serve" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand serve" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand serve" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand serve" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand serve" -l once -d 'Drain the mailbox, do what is due, send, and exit'
complete -c musterd -n "__fish_musterd_using_subcommand serve" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand serve" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand deliver" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand deliver" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand deliver" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand deliver" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand deliver" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand deliver" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand scenarios" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand scenarios" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand scenarios" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand scenarios" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand scenarios" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand scenarios" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and not __fish_seen_subcommand_from check show help" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and not __fish_seen_subcommand_from check show help" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and not __fish_seen_subcommand_from check show help" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and not __fish_seen_subcommand_from check show help" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and not __fish_seen_subcommand_from check show help" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and not __fish_seen_subcommand_from check show help" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and not __fish_seen_subcommand_from check show help" -f -a "check" -d 'Tell what is wrong with a scenario or map, or not meant, with line and column'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and not __fish_seen_subcommand_from check show help" -f -a "show" -d 'Print a scenario as a rule book does: situation, forces, victory levels, special rules'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and not __fish_seen_subcommand_from check show help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from check" -l ruleset -d 'The ruleset, where the folder doesn\'t tell it' -r
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from check" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from check" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from check" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from check" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from check" -l strict -d 'Warnings count as errors'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from check" -l watch -d 'Check again whenever the file changes, or one that it depends on, until Ctrl-C'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from check" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -l ruleset -d 'The ruleset, where the folder doesn\'t tell it' -r
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -l map -d 'With the map: who holds what, who stands where'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -l svg -d 'The map alone, drawn: an SVG file'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -l yaml -d 'Its file as it is, to begin one of your own with'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from help" -f -a "check" -d 'Tell what is wrong with a scenario or map, or not meant, with line and column'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from help" -f -a "show" -d 'Print a scenario as a rule book does: situation, forces, victory levels, special rules'
complete -c musterd -n "__fish_musterd_using_subcommand scenario; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand new" -l id -d 'The game\'s name: a-z, 0-9 and -' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l seat -d 'Who sits where: SEAT=ADDRESS[,ADDRESS...], SEAT=computer[:LEVEL], SEAT=open; levels as `musterd scenario show` lists them' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l gm -d 'The GM\'s address; may be given several times' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l witness -d 'Whom to ask to be a witness of the dice; may be given several times' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l deadline -d '3d, \'3d not weekends\', none, \'sat 20:00 Europe/Vienna min 48h\' [default: 7d]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l start -d 'Begin once all have joined, or now' -r -f -a "now\t''
joined\t''"
complete -c musterd -n "__fish_musterd_using_subcommand new" -l press -d 'Whom players may write to through the host' -r -f -a "side\t''
all\t''
none\t''"
complete -c musterd -n "__fish_musterd_using_subcommand new" -l beacon -d 'The public beacon that the dice wait for after each close, as drand-quicknet:1692803367:3:3600 [default: none]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l option -d 'An option of the game\'s rules, as `musterd scenario show` lists them; may be given several times' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l grace -d 'How long a turn waits for missing orders after its deadline [default: 0m]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l remind -d 'How long before the deadline whoever has sent no orders is reminded; or never [default: 24h]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l missing -d 'When orders are still missing: hold the turn, follow standing orders, let the computer order for once, or ask the GM' -r -f -a "hold\t''
standing\t''
computer\t''
computer:cautious\t''
computer:beginning\t''
gm\t''"
complete -c musterd -n "__fish_musterd_using_subcommand new" -l most-missing -d 'Hold the turn when more seats than this have sent no orders [default: no limit]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l hold -d 'How long a turn is held before the GM has to decide [default: 3d]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l early -d 'Whose READY runs a turn early: that of all seats, or of the side to move' -r -f -a "all\t''
phasing\t''
never\t''"
complete -c musterd -n "__fish_musterd_using_subcommand new" -l recall -d 'How long a turn waits once all are ready, in case a mail stops it; or none [default: 15m]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l extension -d 'How far votes and absences may move the deadline of a turn [default: 14d]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l newcomer -d 'How long a new player has at least for the open turn; 0 for no more than is left [default: 24h]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l approval -d 'Dispatches wait for the GM\'s approval, so long at most [default: they don\'t]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l observers -d 'Who may watch the game: whom the GM admits, anybody, or nobody' -r -f -a "ask\t''
open\t''
none\t''"
complete -c musterd -n "__fish_musterd_using_subcommand new" -l observers-lag -d 'How many turns behind the players observers see the game' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l reveal -d 'When secrets, orders and dice become public: at the end of the game, with each turn\'s dispatches (turn), or so many turns later (lag 4) [default: end]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l proofs -d 'Dispatches bring their seat\'s own dice, with the proof that they are the committed ones' -r -f -a "yes\t''
no\t''"
complete -c musterd -n "__fish_musterd_using_subcommand new" -l couriers -d 'Letters to allies travel by courier, so many hexes a dispatch [default: at once]' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand new" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand new" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand new" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand new" -l anonymous -d 'Letters need not say whose they are'
complete -c musterd -n "__fish_musterd_using_subcommand new" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand new" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand status" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand status" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand status" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand status" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand status" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand status" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand check" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand check" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand check" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand check" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand check" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand check" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand config; and not __fish_seen_subcommand_from check help" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand config; and not __fish_seen_subcommand_from check help" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand config; and not __fish_seen_subcommand_from check help" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand config; and not __fish_seen_subcommand_from check help" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand config; and not __fish_seen_subcommand_from check help" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand config; and not __fish_seen_subcommand_from check help" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand config; and not __fish_seen_subcommand_from check help" -f -a "check" -d 'Look for everything that is wrong with a configuration; changes nothing'
complete -c musterd -n "__fish_musterd_using_subcommand config; and not __fish_seen_subcommand_from check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand config; and __fish_seen_subcommand_from check" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand config; and __fish_seen_subcommand_from check" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand config; and __fish_seen_subcommand_from check" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand config; and __fish_seen_subcommand_from check" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand config; and __fish_seen_subcommand_from check" -l connect -d 'Log in to every mail server too, and say what it is; no mail is sent or changed'
complete -c musterd -n "__fish_musterd_using_subcommand config; and __fish_seen_subcommand_from check" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand config; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "check" -d 'Look for everything that is wrong with a configuration; changes nothing'
complete -c musterd -n "__fish_musterd_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand report" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand report" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand report" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand report" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand report" -l html -d 'As the HTML page of its mail'
complete -c musterd -n "__fish_musterd_using_subcommand report" -l map -d 'Its maps alone, in letters'
complete -c musterd -n "__fish_musterd_using_subcommand report" -l svg -d 'Its maps alone, drawn: an SVG file'
complete -c musterd -n "__fish_musterd_using_subcommand report" -l data -d 'As the JSON of its mail: see `musterd schema dispatch`'
complete -c musterd -n "__fish_musterd_using_subcommand report" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand report" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand history" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand history" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand history" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand history" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand history" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand history" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand resolve" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand resolve" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand resolve" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand resolve" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand resolve" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand resolve" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand gm" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand gm" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand gm" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand gm" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand gm" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand gm" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand journal" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand journal" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand journal" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand journal" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand journal" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand journal" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand key" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand key" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand key" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand key" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand key" -l new -d 'Make another where the host\'s key is lost for good; the games that name the lost one go on unsigned'
complete -c musterd -n "__fish_musterd_using_subcommand key" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand key" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand audit" -l out -d 'Write the audit file, for `musterd verify` and for anybody\'s own program; `-` prints it' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand audit" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand audit" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand audit" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand audit" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand audit" -l force -d 'Replace the file if it exists already, once the new one is whole'
complete -c musterd -n "__fish_musterd_using_subcommand audit" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand audit" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand verify" -l mine -d 'Tell the whole story of this seat\'s mails, turn by turn; what is wrong with any seat\'s is found without' -r
complete -c musterd -n "__fish_musterd_using_subcommand verify" -l secret -d 'Open by the file of `musterd escrow` what the host hasn\'t revealed: proofs are thrown again, receipts held against orders' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand verify" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand verify" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand verify" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand verify" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand verify" -l replay -d 'Play every turn again from the orders, by the rules, and compare what comes out'
complete -c musterd -n "__fish_musterd_using_subcommand verify" -l allow-unrevealed -d 'End with status 0 in the place of 5, though turns are not revealed yet'
complete -c musterd -n "__fish_musterd_using_subcommand verify" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand verify" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand escrow" -l out -d 'The file to write; `-` prints it [default: it is printed]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand escrow" -l check -d 'Say what such a file opens' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand escrow" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand escrow" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand escrow" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand escrow" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand escrow" -l force -d 'Replace the file if it exists already, once the new one is whole'
complete -c musterd -n "__fish_musterd_using_subcommand escrow" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand escrow" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand backup" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand backup" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand backup" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand backup" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand backup" -l force -d 'Replace the file if it exists already, once the new one is whole'
complete -c musterd -n "__fish_musterd_using_subcommand backup" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand backup" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand restore" -l to -d 'Where to [default: the data directory]' -r -f -a "(__fish_complete_directories)"
complete -c musterd -n "__fish_musterd_using_subcommand restore" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand restore" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand restore" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand restore" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand restore" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand restore" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand health" -l max-age -d 'After how long a mailbox that can\'t be drained, or a mail that isn\'t sent, is worth a line' -r
complete -c musterd -n "__fish_musterd_using_subcommand health" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand health" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand health" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand health" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand health" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand health" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand metrics" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand metrics" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand metrics" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand metrics" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand metrics" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand metrics" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -f -a "lga" -d 'The odds of La Grande Armee'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -f -a "dog" -d 'The odds of Death or Glory: strikes, exchanges, rounds until a side is beaten'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -f -a "sa" -d 'The odds of The Shattered Alliance: melees, fire, morale checks'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and not __fish_seen_subcommand_from lga dog sa help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -f -a "attack" -d 'An attack of one unit or of several, one after the other, for any number of rounds'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -f -a "muster" -d 'The muster of units at the start of their turn, all in one place'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -f -a "withdraw" -d 'A withdrawal: what the rout table makes of each unit'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -f -a "reinforce" -d 'Reinforcing: whether each unit arrives'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -f -a "siege" -d 'A siege: what becomes of a garrison that is out of supply at the end of its turn'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -f -a "march" -d 'A march: how far a unit comes in the fog of war, and what a long march does to it'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from lga" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -f -a "strike" -d 'A strike of close combat: hit points and fighters that it takes'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -f -a "shoot" -d 'A volley of those who shoot'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -f -a "exchange" -d 'An attack and the retaliation, at the same time'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -f -a "rounds" -d 'Round after round, until a side is beaten'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from dog" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -f -a "melee" -d 'A melee: what both lose, who wins, and whether who loses routs'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -f -a "fire" -d 'Fire at a unit, which answers if its missiles fly so far: what both lose, and who wins'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -f -a "morale" -d 'A morale check: whether a unit takes orders, halts or routs'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from sa" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from help" -f -a "lga" -d 'The odds of La Grande Armee'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from help" -f -a "dog" -d 'The odds of Death or Glory: strikes, exchanges, rounds until a side is beaten'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from help" -f -a "sa" -d 'The odds of The Shattered Alliance: melees, fire, morale checks'
complete -c musterd -n "__fish_musterd_using_subcommand odds; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "strike" -d 'Throw for a strike of close combat'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "shoot" -d 'Throw for a volley'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "hide" -d 'Throw whether a hidden unit is found'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "initiative" -d 'Throw for the order of the armies, ties again'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "session" -d 'Begin a session, or show what was thrown in it'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "reveal" -d 'Make all throws of a session public, and write the file that proves them'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "chart" -d 'Print the chart of strikes: hit points by force and die, to lie on the table'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "record" -d 'Print unit record cards: of a battle, of a hire list, or of a game as it stands'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "next" -d 'Write the next battle of a campaign: survivors, loot, maintenance, leadership'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and not __fish_seen_subcommand_from strike shoot hide initiative session reveal chart record next help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l terrain -d 'The ground of those of whom none is said, such as "forest hills"' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l session -d 'The session\'s journal; a new one begins where there is none, its secret beside it' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l scale -d 'Of a new session: strategic, tactical or personal' -r -f -a "strategic\t''
tactical\t''
personal\t''"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l switch -d 'Of a new session: an optional rule that is on, such as tiny_strikes; may be repeated' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l salt -d 'Words of the players for the dice; `-` asks for them once what is thrown for is on record' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l exchange -d 'With the retaliation, at the same time'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l retaliation -d 'As a retaliation: by the defence score'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l elite -d 'The strikers are elite'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from strike" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -l session -d 'The session\'s journal; a new one begins where there is none, its secret beside it' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -l scale -d 'Of a new session: strategic, tactical or personal' -r -f -a "strategic\t''
tactical\t''
personal\t''"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -l switch -d 'Of a new session: an optional rule that is on, such as tiny_strikes; may be repeated' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -l salt -d 'Words of the players for the dice; `-` asks for them once what is thrown for is on record' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from shoot" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l terrain -d 'The ground, where the words don\'t say it' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l session -d 'The session\'s journal; a new one begins where there is none, its secret beside it' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l scale -d 'Of a new session: strategic, tactical or personal' -r -f -a "strategic\t''
tactical\t''
personal\t''"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l switch -d 'Of a new session: an optional rule that is on, such as tiny_strikes; may be repeated' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l salt -d 'Words of the players for the dice; `-` asks for them once what is thrown for is on record' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from hide" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -l session -d 'The session\'s journal; a new one begins where there is none, its secret beside it' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -l scale -d 'Of a new session: strategic, tactical or personal' -r -f -a "strategic\t''
tactical\t''
personal\t''"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -l switch -d 'Of a new session: an optional rule that is on, such as tiny_strikes; may be repeated' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -l salt -d 'Words of the players for the dice; `-` asks for them once what is thrown for is on record' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from initiative" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from session" -l session -d 'The session\'s journal; a new one begins where there is none, its secret beside it' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from session" -l scale -d 'Of a new session: strategic, tactical or personal' -r -f -a "strategic\t''
tactical\t''
personal\t''"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from session" -l switch -d 'Of a new session: an optional rule that is on, such as tiny_strikes; may be repeated' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from session" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from session" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from session" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from session" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from session" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from session" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from reveal" -l session -d 'The session\'s journal' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from reveal" -l out -d 'Where to write the audit file; `-` prints it [default: beside the journal, ending in .audit.json]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from reveal" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from reveal" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from reveal" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from reveal" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from reveal" -l force -d 'Replace the file if it exists already, once the new one is whole'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from reveal" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from reveal" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from chart" -l up-to -d 'The largest force' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from chart" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from chart" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from chart" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from chart" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from chart" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from chart" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from record" -l army -d 'This army only, by its leader\'s seat, its letter or its name' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from record" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from record" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from record" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from record" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from record" -l game -d 'It is a game, though a battle has the same name'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from record" -l html -d 'As a page to print'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from record" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from record" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l out -d 'The file to write; `-` prints it' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l on -d 'The battle, or its file, whose field they meet on [default: the same field]' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l title -d 'The next battle\'s title' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l money -d 'Money that a leader has besides; may be repeated' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l without -d 'An army that fights no more; may be repeated' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l force -d 'Replace the file if it exists already, once the new one is whole'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from next" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "strike" -d 'Throw for a strike of close combat'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "shoot" -d 'Throw for a volley'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "hide" -d 'Throw whether a hidden unit is found'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "initiative" -d 'Throw for the order of the armies, ties again'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "session" -d 'Begin a session, or show what was thrown in it'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "reveal" -d 'Make all throws of a session public, and write the file that proves them'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "chart" -d 'Print the chart of strikes: hit points by force and die, to lie on the table'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "record" -d 'Print unit record cards: of a battle, of a hire list, or of a game as it stands'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "next" -d 'Write the next battle of a campaign: survivors, loot, maintenance, leadership'
complete -c musterd -n "__fish_musterd_using_subcommand dog; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand schema" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand schema" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand schema" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand schema" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand schema" -l list -d 'Name all of them'
complete -c musterd -n "__fish_musterd_using_subcommand schema" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand schema" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand templates; and not __fish_seen_subcommand_from check help" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand templates; and not __fish_seen_subcommand_from check help" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand templates; and not __fish_seen_subcommand_from check help" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand templates; and not __fish_seen_subcommand_from check help" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand templates; and not __fish_seen_subcommand_from check help" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand templates; and not __fish_seen_subcommand_from check help" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand templates; and not __fish_seen_subcommand_from check help" -f -a "check" -d 'Try the host\'s own templates on samples of every mail, and tell what is wrong'
complete -c musterd -n "__fish_musterd_using_subcommand templates; and not __fish_seen_subcommand_from check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand templates; and __fish_seen_subcommand_from check" -l dir -d 'The data directory [default: this one, or the user\'s]' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand templates; and __fish_seen_subcommand_from check" -l now -d 'A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run' -r
complete -c musterd -n "__fish_musterd_using_subcommand templates; and __fish_seen_subcommand_from check" -l seed-file -d 'A file to make all secrets from, for a reproducible run' -r -F
complete -c musterd -n "__fish_musterd_using_subcommand templates; and __fish_seen_subcommand_from check" -l log -d 'How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]' -r -f -a "text\t'For people'
json\t'One JSON object a line'"
complete -c musterd -n "__fish_musterd_using_subcommand templates; and __fish_seen_subcommand_from check" -l json -d 'Answer as JSON, for programs'
complete -c musterd -n "__fish_musterd_using_subcommand templates; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c musterd -n "__fish_musterd_using_subcommand templates; and __fish_seen_subcommand_from help" -f -a "check" -d 'Try the host\'s own templates on samples of every mail, and tell what is wrong'
complete -c musterd -n "__fish_musterd_using_subcommand templates; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "demo" -d 'Play a whole campaign by mail in a temporary directory, computer against computer'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "init" -d 'Make a data directory: configuration, mailboxes, example templates'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "serve" -d 'Run the daemon: read mail, run turns when they are due, send mail'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "deliver" -d 'Take one message from a mail server\'s pipe, on standard input'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "scenarios" -d 'List the scenarios that can be played'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "scenario" -d 'Check a scenario or map of your own, or show one'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "new" -d 'Found a game and invite its players'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "status" -d 'Show where games stand: who is waited for, the deadline, orders, mails'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "check" -d 'Show exactly what the receipt for some orders would say; changes nothing'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "config" -d 'Look at the configuration'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "report" -d 'Show a seat\'s dispatch, the last one or that of a past turn'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "history" -d 'Show a campaign\'s history as a seat knows it: points, strength, losses, cities, story'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "resolve" -d 'Run a turn now, before its deadline'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "gm" -d 'Lead a game: every command that the GM can mail'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "journal" -d 'Print a game\'s journal as JSON lines: all that happened, hidden things too'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "key" -d 'Show the key that signs the heads of the log in this host\'s mails'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "audit" -d 'Show how far a game\'s dice can be trusted, turn by turn; write its audit file'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "verify" -d 'Check a game from outside: its dice, its log, the mails that people kept; needs no host'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "escrow" -d 'Write the file that opens a game\'s dice without its host'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "backup" -d 'Write a backup of the data directory; the daemon may run meanwhile'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "restore" -d 'Make a data directory of a backup'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "health" -d 'Say whether the daemon runs and is well; for supervisors, and for people at night'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "metrics" -d 'Print the daemon\'s figures, as Prometheus reads them'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "odds" -d 'Count the exact odds of an attack, a muster, a march, a strike: no sampling'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "dog" -d 'At the table of Death or Glory: dice that can be checked, unit records, the next battle'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "schema" -d 'Print the JSON Schema of a file that authors write, or of what is written for others'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "templates" -d 'Look the texts of the mails over'
complete -c musterd -n "__fish_musterd_using_subcommand help; and not __fish_seen_subcommand_from demo init serve deliver scenarios scenario new status check config report history resolve gm journal key audit verify escrow backup restore health metrics odds dog schema templates help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from scenario" -f -a "check" -d 'Tell what is wrong with a scenario or map, or not meant, with line and column'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from scenario" -f -a "show" -d 'Print a scenario as a rule book does: situation, forces, victory levels, special rules'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "check" -d 'Look for everything that is wrong with a configuration; changes nothing'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from odds" -f -a "lga" -d 'The odds of La Grande Armee'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from odds" -f -a "dog" -d 'The odds of Death or Glory: strikes, exchanges, rounds until a side is beaten'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from odds" -f -a "sa" -d 'The odds of The Shattered Alliance: melees, fire, morale checks'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from dog" -f -a "strike" -d 'Throw for a strike of close combat'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from dog" -f -a "shoot" -d 'Throw for a volley'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from dog" -f -a "hide" -d 'Throw whether a hidden unit is found'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from dog" -f -a "initiative" -d 'Throw for the order of the armies, ties again'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from dog" -f -a "session" -d 'Begin a session, or show what was thrown in it'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from dog" -f -a "reveal" -d 'Make all throws of a session public, and write the file that proves them'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from dog" -f -a "chart" -d 'Print the chart of strikes: hit points by force and die, to lie on the table'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from dog" -f -a "record" -d 'Print unit record cards: of a battle, of a hire list, or of a game as it stands'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from dog" -f -a "next" -d 'Write the next battle of a campaign: survivors, loot, maintenance, leadership'
complete -c musterd -n "__fish_musterd_using_subcommand help; and __fish_seen_subcommand_from templates" -f -a "check" -d 'Try the host\'s own templates on samples of every mail, and tell what is wrong'
