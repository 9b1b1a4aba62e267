//! Games that are founded by mail. `CREATE` is answered with what would be founded, or what is wrong with it, and with a code: anybody can write
//! somebody's address into a `From`. The code is made of the mail that asked, which is read again once it is confirmed; nothing else is kept.

use std::collections::BTreeMap;

use super::guest::founder_key;
use super::wish::{Guest, MOST_ADDRESSES};
use crate::HostError;
use crate::books::batch::Batch;
use crate::clock::DAY;
use crate::decisions::founding::{MOST_TEMPLATES, NewGame, Plan, option_meant};
use crate::games::Games;
use crate::inbox::kept;
use crate::inbox::opened::TakenApart;
use crate::response::{About, Early, Responded, Response, wrong, wrong_at};
use musterd_desk::diagnosis::diagnosis_in_words;
use musterd_desk::mail::{self, Command, Creation, OpenCommand, Token};
use musterd_desk::rhythm::rhythm;
use musterd_desk::{Brought, Desk, DeskError, Laid};
use musterd_dice::{GameId, Seat};
use musterd_engine::alike::slips;
use musterd_engine::briefing::Fact;
use musterd_engine::journal::Player;
use musterd_letter::{Limits, attached_files};
use musterd_report::text::{self, listed};
use musterd_report::{built_in_templates, check_founded};
use musterd_store::Step;
use musterd_text::nouns::count;

/// How many days after the mail that asked a code is still good.
const DAYS_GOOD: i64 = 3;

/// How many files of one mail are read.
const MOST_FILES: usize = 20;

/// How many GMs and witnesses a founder may name by mail, each: all of them are written to.
const MOST_NAMED: usize = 10;

/// The value of `--gm` that stands for the host's own GM.
const HOSTS_GM: &str = "host";

/// What somebody asks to be founded: the game, and the desk with the files that were attached.
struct Draft {
    /// The address of whoever asks.
    founder: String,
    new: NewGame,
    desk: Desk,
    /// What is told of the files.
    files: Vec<String>,
}

impl Games {
    /// Answers what would be founded, or what is wrong with it.
    pub(super) fn create(&mut self, guest: &Guest<'_>, creation: &Creation, batch: &mut Batch) -> Responded {
        self.may_found(guest.from, batch)?;
        if !guest.is_authentic {
            return wrong(format!(
                "This host takes CREATE only where a mail server vouches for its sender, and none does for {}. Nothing was looked at.",
                guest.from
            ));
        }
        if self.config.limits.keep_other_mb == 0 {
            return wrong(
                "This host keeps no mails that are no game's, so that a founding can't be confirmed: its operator would have to raise keep_other_mb.",
            );
        }
        let most = self.config.limits.foundings_a_day;
        let mut step = Step::default();
        let counted = format!("{}/asked", founder_key(guest.from));
        let is_among = self.is_among(most, &counted, &mut step, batch)?;
        batch.steps.push(step);
        if !is_among {
            return wrong(format!(
                "That is more than {} of yours today that ask for a game: send this one again tomorrow.",
                count(most, "mail")
            ));
        }
        if self.creations(guest.mail, &creation.game)?.len() > 1 {
            return wrong(format!(
                "Your mail asks twice for a game called {}, and a code would be for both: write one CREATE for it.",
                creation.game
            ));
        }
        let draft = self.draft(guest.from, guest.mail, creation)?;
        let plan = self.planned(&draft, creation)?;
        let code = self.founding_code(&creation.game, guest.mail, guest.from)?;
        Ok(preview(&draft, &plan, &format!("CONFIRM {}.{}", creation.game, code.reveal())))
    }

    /// Founds the game that a code confirms.
    pub(super) fn confirm_founding(
        &mut self,
        guest: &Guest<'_>,
        game: &GameId,
        code: &Token,
        batch: &mut Batch,
    ) -> Responded {
        self.may_found(guest.from, batch)?;
        let mut asked = None;
        for name in kept::names_since(&self.dir, self.now() - DAYS_GOOD * DAY) {
            if self.founding_code(game, &name, guest.from)? == *code {
                asked = Some(name);
            }
        }
        let Some(asked) = asked else {
            return wrong(format!(
                "There is no game `{game}` here. If this code is to found it: it is not good for this address, or not any more; a code counts for \
                 three days, and only from the address that it was made for. Send CREATE again for another."
            ));
        };
        let Some(creation) = self.creations(&asked, game)?.pop() else {
            return wrong("The mail that asked for this game can't be read any more: send CREATE again.");
        };
        let draft = self.draft(guest.from, &asked, &creation)?;
        self.planned(&draft, &creation)?;
        let (mut founding, told) = self.found(&draft.desk, &draft.new)?;
        if let Some(first) = founding.steps.first_mut() {
            first.seen.push(founded_by(game, guest.from));
        }
        batch.seen.insert(founded_by(game, guest.from));
        batch.steps.append(&mut founding.steps);
        batch.seen.append(&mut founding.seen);
        batch.decisions.append(&mut founding.decisions);
        tracing::info!(%game, founder = guest.from, "founded by mail");
        Ok(Response::of(self.founded_in_words(&draft.new, told)?))
    }

    /// The scenarios of this host, or of one system, with what can be chosen.
    pub(super) fn scenarios(&mut self, from: &str, system: Option<&str>) -> Responded {
        let desk = &self.desk;
        let systems: Vec<&str> =
            desk.rulesets().filter(|id| system.is_none_or(|wanted| wanted == *id)).collect();
        if let (Some(wanted), true) = (system, systems.is_empty()) {
            let known: Vec<&str> = desk.rulesets().collect();
            return wrong_at(
                wanted,
                format!("There is no system `{wanted}` here: there are {}.", listed(&known)),
            );
        }
        let mut page = String::new();
        for system in systems {
            page.push_str(&system_in_words(desk, system)?);
        }
        let how = match self.config.founders.admit(from) {
            true => {
                "CREATE, a scenario, a name for the game and who sits where founds one: as in the first line below, with as many options as you \
                 like on the lines under it, and END CREATE under them. It is answered with what would be founded."
            }
            false => "Games are founded by the operator of this host, and by those whom the operator lets.",
        };
        let mut told = vec![how.to_owned()];
        if self.config.founders.admit(from) {
            told.push(format!(
                "CREATE {} my-game --seat SEAT={from} --seat SEAT=computer",
                desk.first_scenario()
            ));
        }
        Ok(Response { page, ..Response::of(told) })
    }

    /// Whether somebody may found one more game.
    fn may_found(&self, from: &str, batch: &Batch) -> Result<(), Early> {
        if !self.config.founders.admit(from) {
            return wrong(format!(
                "Games are founded here by the operator of this host, and by mail by those whom the operator lets, and {from} is not among them. \
                 LIST is answered with the games that have free seats."
            ));
        }
        let most = self.config.limits.games_a_founder;
        let mut open = Vec::new();
        for game in self.names() {
            let is_over = self.docket().get(&game).is_some_and(|docket| docket.over);
            let key = founded_by(&game, from);
            if !is_over && (batch.seen.contains(&key) || self.books.seen(&key)?) {
                open.push(game.to_string());
            }
        }
        if open.len() < usize::try_from(most).unwrap_or(usize::MAX) {
            return Ok(());
        }
        wrong(format!(
            "You have founded {} that are not over yet, as many as one founder may have here: {}.",
            count(open.len(), "game"),
            listed(&open)
        ))
    }

    /// What a mail asks to be founded under this name.
    fn creations(&self, mail: &str, game: &GameId) -> Result<Vec<Creation>, Early> {
        let limits = Limits { bytes: self.config.max_mail_bytes };
        let apart = TakenApart::of(mail::open(&self.mail_kept(mail)?, &limits));
        let commands = apart.beside(|_| false).into_owned().commands;
        let creation = |given: mail::Given| match given.command {
            Ok(Command::Open(OpenCommand::Create(creation))) if creation.game == *game => Some(creation),
            _ => None,
        };
        Ok(commands.into_iter().filter_map(creation).collect())
    }

    /// The code by which somebody at this address confirms a game that a mail asked for.
    fn founding_code(&mut self, game: &GameId, mail: &str, address: &str) -> Result<Token, HostError> {
        self.vault().founding_code(game, &[mail, &address.to_lowercase()])
    }

    /// A mail that came not long ago.
    fn mail_kept(&self, name: &str) -> Result<Vec<u8>, Early> {
        let most = self.config.max_mail_bytes;
        if name.ends_with(".head") {
            return wrong(format!("The mail is too large: at most {most} bytes are read."));
        }
        match kept::read(&self.dir, name) {
            Some(raw) => Ok(raw),
            None => wrong("The mail that asked for this game is not here any more: send CREATE again."),
        }
    }

    /// The game that a mail asks for, and the desk with the files in it; or what is wrong with them.
    fn draft(&self, from: &str, mail: &str, creation: &Creation) -> Result<Draft, Early> {
        let files = brought(&self.mail_kept(mail)?)?;
        let mut new = NewGame::of(creation.scenario.clone(), creation.game.clone());
        new.set_all(&creation.options).or_else(|error| wrong_wish(creation, error))?;
        self.lead(&mut new, from);
        let wording =
            templates_brought(&mut new, &self.mail_kept(mail)?, self.config.authentication.is_some())?;
        if files.is_empty() {
            if is_file(&creation.scenario) {
                return wrong_at(
                    creation.scenario.as_str(),
                    format!("No file {} is attached to your mail.", creation.scenario),
                );
            }
            let (founder, desk) = (from.to_owned(), self.desk.clone());
            return Ok(Draft { founder, new, desk, files: wording });
        }
        let laid = self.laid(&mut new, &files)?;
        let mut told = told_of_files(&self.desk, &laid)?;
        told.extend(wording);
        Ok(Draft { founder: from.to_owned(), new, desk: laid.desk, files: told })
    }

    /// The founder leads the game, unless others are named.
    fn lead(&self, new: &mut NewGame, from: &str) {
        if new.gm.is_empty() {
            new.gm.push(from.to_owned());
        } else if new.gm.iter().any(|one| one.eq_ignore_ascii_case(HOSTS_GM)) {
            new.gm.retain(|one| !one.eq_ignore_ascii_case(HOSTS_GM));
            new.gm.extend(self.config.gm.iter().cloned());
        }
    }

    /// A desk with the files that were attached; the scenario may be one of them.
    fn laid(&self, new: &mut NewGame, files: &[Brought]) -> Result<Laid, Early> {
        let wanted = new.scenario.clone();
        let (system, name) =
            wanted.split_once('/').map_or((None, wanted.as_str()), |(system, name)| (Some(system), name));
        let scenario = files.iter().find(|file| file.name.eq_ignore_ascii_case(name));
        let ruleset = match (system, scenario) {
            (_, None) if is_file(name) => {
                let known: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
                return wrong_at(
                    wanted.as_str(),
                    format!("No file {name} is attached to your mail: there are {}.", listed(&known)),
                );
            }
            (Some(system), _) => system.to_owned(),
            (None, Some(file)) => {
                self.desk.likeliest(&format!("scenarios/{}.yaml", file.stem()), &file.text)?
            }
            (None, None) => self.desk.founding(name).map_err(in_mail)?.ruleset,
        };
        if let Some(file) = scenario {
            new.scenario = format!("{ruleset}/{}", file.stem());
        }
        self.desk.with_brought(&ruleset, files).map_err(in_mail)
    }

    /// What would be founded; or why it can't be.
    fn planned(&mut self, draft: &Draft, creation: &Creation) -> Result<Plan, Early> {
        let Draft { founder, new, desk, .. } = draft;
        if self.knows(&new.id) || self.vault().is_spent(&new.id) {
            return wrong_at(
                new.id.as_str(),
                format!(
                    "There is a game `{}` here already, or was one: choose another name for yours.",
                    new.id
                ),
            );
        }
        let named = [("gm", new.gm.len(), MOST_NAMED), ("witness", new.witnesses.len(), MOST_NAMED)];
        let seats = new.seats.values().map(|who| ("seat", who.split(',').count(), MOST_ADDRESSES));
        if let Some((option, _, most)) = named.into_iter().chain(seats).find(|(_, many, most)| many > most) {
            let why = format!("--{option}: at most {most} addresses are taken by mail.");
            return wrong_wish(creation, HostError::usage(why));
        }
        let others = others_of(new, founder);
        if new.start_now && !others.is_empty() {
            let why = format!(
                "--start now: a game that is founded by mail begins at once only where nobody is to be asked, and {} are. Leave it out: the game \
                 begins when all have joined.",
                listed(&others)
            );
            return wrong_wish(creation, HostError::usage(why));
        }
        match self.plan(desk, new) {
            Ok(plan) => Ok(plan),
            Err(HostError::Desk(error)) => Err(in_mail(error)),
            Err(error) => wrong_wish(creation, error),
        }
    }
}

/// The seats of other people than the founder.
fn others_of(new: &NewGame, founder: &str) -> Vec<String> {
    let people = new.seats.iter().filter(|(_, who)| who.contains('@'));
    let others = people.filter(|(_, who)| !who.eq_ignore_ascii_case(founder));
    others.map(|(seat, _)| seat.to_string()).collect()
}

/// The mark that somebody has founded a game by mail.
fn founded_by(game: &GameId, from: &str) -> String {
    format!("{game}/founder/{}", founder_key(from).rsplit('/').next().unwrap_or_default())
}

/// Whether the scenario of a wish is a file.
fn is_file(scenario: &str) -> bool {
    let name = scenario.to_ascii_lowercase();
    name.ends_with(".yaml") || name.ends_with(".yml")
}

/// The data files that are attached to a mail.
fn brought(raw: &[u8]) -> Result<Vec<Brought>, Early> {
    let attached = [".yaml", ".yml"].into_iter().flat_map(|ending| attached_files(raw, ending));
    let mut files: Vec<Brought> = Vec::new();
    for (name, bytes) in attached {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let file = Brought { text: String::from_utf8_lossy(&bytes).into_owned(), name };
        let stem = file.stem();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if stem.is_empty() || !stem.chars().all(is_plain) {
            return wrong(format!(
                "The file {} can't have this name: write it with letters a-z, digits and hyphens, as in my-1809.yaml.",
                file.name
            ));
        }
        if files.iter().any(|other| other.stem() == stem) {
            return wrong(format!(
                "Two files that are attached are called {stem}: rename one, or leave it out."
            ));
        }
        files.push(file);
    }
    if files.len() > MOST_FILES {
        return wrong(format!(
            "At most {MOST_FILES} files are read of one mail, and {} are attached.",
            files.len()
        ));
    }
    Ok(files)
}

/// Takes the templates that are attached to a mail into a game; what is told of them, where all are in order, else their faults. Templates run in this
/// program: they are taken only where a mail server vouches for founders (`are_known`), so that nobody has the host run anything in a founder's name.
fn templates_brought(new: &mut NewGame, raw: &[u8], are_known: bool) -> Result<Vec<String>, Early> {
    let known: Vec<&str> = built_in_templates().map(|(file, _)| file).collect();
    let (mut told, mut faults) = (Vec::new(), Vec::new());
    for (name, bytes) in [".txt", ".html"].into_iter().flat_map(|ending| attached_files(raw, ending)) {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        if known.contains(&name.as_str()) && !are_known {
            faults.push(format!(
                "{name}: this host takes templates by mail only where a mail server vouches for their sender (`authentication` in musterd.yaml); its \
                 operator can lay it into templates/{}/",
                new.id
            ));
        } else if known.contains(&name.as_str()) {
            match String::from_utf8(bytes) {
                Ok(text) => _ = new.templates.insert(name, text),
                Err(_) => faults.push(format!("{name}: it is no UTF-8")),
            }
        } else if let Some(near) = known.iter().find(|file| slips(&name, file) == 1) {
            faults.push(format!("{name}: there is no such mail; did you mean {near}?"));
        } else {
            told.push(format!("Your file {name} was not read: it is no template of a mail."));
        }
    }
    let size: usize = new.templates.values().map(String::len).sum();
    if size > MOST_TEMPLATES {
        faults.push(format!("a game has at most {MOST_TEMPLATES} bytes of templates, and these are {size}"));
        new.templates.clear();
    }
    faults.extend(check_founded(&new.id, &new.templates).iter().map(ToString::to_string));
    if !faults.is_empty() {
        let why = "Nothing would be founded: there are faults in the templates. Mend them, and send the whole mail again.";
        return Err(Early::With(Response { page: faults.join("\n"), ..Response::wrong(why) }));
    }
    told.extend(new.templates.keys().map(|file| {
        format!("Your file {file} words that mail in this game, in the place of this host's own template.")
    }));
    Ok(told)
}

/// What is told of the files that were attached, where all are in order; else their faults.
fn told_of_files(host: &Desk, laid: &Laid) -> Result<Vec<String>, Early> {
    let (mut told, mut faults) = (Vec::new(), Vec::new());
    for (path, name) in &laid.files {
        let called = |path: &str| laid.files.get(path).cloned();
        let diagnosis = laid.desk.diagnosis(&laid.ruleset, path, called).map_err(in_mail)?;
        let is_hosts = host.shared_files(&laid.ruleset).map_err(in_mail)?.0.contains_key(path)
            || host.founding(&format!("{}/{}", laid.ruleset, stem_of(path))).is_ok()
                && path.starts_with("scenarios/");
        let instead = if is_hosts { ", in the place of this host's own" } else { "" };
        told.push(format!("Your file {name} is {}{instead}.", laid.what(path)));
        let (examination, _) = &diagnosis;
        if !examination.errors.is_empty() {
            faults.push(diagnosis_in_words(name, &diagnosis));
        } else {
            told.extend(examination.warnings.iter().map(|fault| {
                let text = fault.to_string();
                let place = text.strip_suffix(&fault.reason).unwrap_or_default();
                format!("{place}warning: {}", fault.reason)
            }));
        }
    }
    if faults.is_empty() {
        return Ok(told);
    }
    let why =
        "Nothing would be founded: there are faults in the files. Mend them, and send the whole mail again.";
    Err(Early::With(Response { page: faults.join("\n"), ..Response::wrong(why) }))
}

fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".yaml").unwrap_or(name)
}

/// What a founder is told of a request that the desk can't meet.
fn in_mail(error: DeskError) -> Early {
    let told = match error {
        DeskError::NoScenario { wanted, near } => {
            let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            let told =
                format!("There is no scenario `{wanted}` here{near}: SCENARIOS is answered with them all.");
            return Early::With(Response::wrong(told)).about(wanted);
        }
        error => error.to_string(),
    };
    Early::With(Response::wrong(told))
}

/// What is wrong with a wish is told; a fault of the machine stays one.
fn wrong_wish<T>(creation: &Creation, error: HostError) -> Result<T, Early> {
    match error {
        HostError::Usage(why) => {
            let about =
                option_meant(&creation.options, &why).map(|(line, span)| Box::new(About::Below(line, span)));
            Err(Early::With(Response { about, ..Response::wrong(why) }))
        }
        error => Err(Early::Failed(error)),
    }
}

/// What would be founded, and the line that founds it.
fn preview(draft: &Draft, plan: &Plan, line: &str) -> Response {
    let Plan { charter, game, told } = plan;
    let from = &draft.founder;
    let mut paragraphs = vec![
        format!(
            "Nothing has been founded yet. {} would be: {}. {} ({}).",
            charter.game,
            game.system(),
            game.title(),
            charter.scenario
        ),
        format!("To found it, answer this mail within three days, from {from}, with this line on top:"),
        line.to_owned(),
    ];
    paragraphs.extend(draft.files.iter().cloned());
    paragraphs.extend(draft.desk.options_in_words(&charter.ruleset, &charter.files));
    paragraphs.extend(told.iter().map(|warning| format!("Mind: {warning}")));
    let leads = |address: &String| charter.gm.iter().any(|gm| gm.eq_ignore_ascii_case(address));
    let plays = |player: &Player| player.addresses().iter().any(leads);
    let led = charter.players.iter().filter(|(_, player)| plays(player)).map(|(seat, _)| seat.to_string());
    let led: Vec<String> = led.collect();
    if !led.is_empty() {
        paragraphs.push(format!(
            "Mind: whoever plays {} is the GM too, and the GM may look at everything. --gm ADDRESS names another one, --gm host this host's own.",
            listed(&led)
        ));
    }
    let title = |seat: &Seat| {
        let spec = game.seats().iter().find(|spec| spec.seat == *seat);
        spec.map_or_else(|| seat.to_string(), |spec| spec.title.clone())
    };
    let who = |player: &Player| match player {
        Player::Mail { addresses } => format!("{}, who is invited", listed(addresses)),
        Player::Computer { skill } => format!("the computer ({skill})"),
        Player::Open => "nobody yet: who writes JOIN takes it".to_owned(),
    };
    let seat = |(seat, player): (&Seat, &Player)| {
        Fact::of(seat.to_string(), format!("{}: {}", title(seat), who(player)))
    };
    let seats: Vec<Fact> = charter.players.iter().map(seat).collect();
    let mut terms = rhythm(charter);
    if !charter.gm.is_empty() {
        terms.push(Fact::of("GM", listed(&charter.gm)));
    }
    if !draft.new.witnesses.is_empty() {
        terms.push(Fact::of("Witnesses", format!("{}, who are asked", listed(&draft.new.witnesses))));
    }
    if let Some(beacon) = &charter.beacon {
        terms.push(Fact::of("Beacon", beacon.to_string()));
    }
    let tables = vec![("Seats".to_owned(), seats), ("How it goes".to_owned(), terms)];
    Response { tables, ..Response::of(paragraphs) }
}

/// The scenarios of a system that can be played, and what can be chosen for its games.
fn system_in_words(desk: &Desk, system: &str) -> Result<String, HostError> {
    let all = desk.scenarios_of(system)?;
    let rows: Vec<(String, String)> = all
        .into_iter()
        .filter(|listing| listing.errors.is_empty())
        .map(|listing| {
            let seats: Vec<&str> = listing.seats.iter().map(Seat::as_str).collect();
            (listing.id, format!("{}; seats: {}", listing.title, seats.join(", ")))
        })
        .collect();
    let options: BTreeMap<String, String> = desk
        .options(system)?
        .iter()
        .map(|option| {
            let values = format!("{}: {}; {} unless chosen", option.about, option.values, option.default);
            (format!("--option {}=", option.name), values)
        })
        .collect();
    let levels = desk.levels(system)?;
    let levels: Vec<String> = levels.words().collect();
    let mut pairs: Vec<(&str, &str)> =
        rows.iter().map(|(left, right)| (left.as_str(), right.as_str())).collect();
    pairs.extend(options.iter().map(|(left, right)| (left.as_str(), right.as_str())));
    let computers = levels.join(", ");
    if !levels.is_empty() {
        pairs.push(("--seat SEAT=", computers.as_str()));
    }
    Ok(format!("{system}\n{}\n", text::columns(&pairs)))
}
