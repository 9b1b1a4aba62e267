//! What is told of how to write to the host, of the rules, and of a game as it is before the first order.

use super::Asking;
use crate::games::Games;
use crate::mails::invitation::played_by;
use crate::response::{About, Early, Responded, Response, wrong, wrong_at};
use musterd_desk::mail::{Code, Reads, Verb, verbs};
use musterd_desk::rhythm::rhythm;
use musterd_dice::GameId;
use musterd_engine::alike::meant;
use musterd_engine::briefing::{Briefing, Fact, Part};
use musterd_engine::orders::OrderUse;
use musterd_engine::rulings::{self, Ruling};
use musterd_report::answer::{Commands, TOPICS};
use musterd_report::text::listed;
use musterd_report::{answer, text};

/// What a player says to the host among his orders: the help on orders tells of it.
const AMONG_ORDERS: [&str; 3] = ["READY", "WAIT", "CONTACT"];
/// How many rulings are told whole in one answer; of others their names.
const MOST_RULINGS: usize = 6;

impl Asking<'_, '_> {
    /// Help to a player: about a topic, about the orders that can be given now, or about those that begin with a word.
    pub(super) fn help_of_player(&self, topic: Option<&str>) -> Responded {
        let word = topic.unwrap_or_default().to_ascii_uppercase();
        let campaign = self.campaign();
        // What the GM has not released yet may open other orders.
        let offered =
            if campaign.draft().is_some() { Vec::new() } else { campaign.game().offered(self.seat) };
        let is_asked = |one: &OrderUse| word == "ORDERS" || one.begins_with(&word);
        let facts: Vec<Fact> = offered.iter().filter(|one| is_asked(one)).map(OrderUse::fact).collect();
        if facts.is_empty() {
            let verbs = offered.iter().flat_map(|one| &one.lines).filter_map(|line| line.split(' ').next());
            return self.help_on(topic, verbs);
        }
        // A command to the host may have the same word.
        let is_more = word == "ORDERS" || players_verbs().any(|verb| verb.word == word);
        let general = if is_more { self.help_on(topic, [].into_iter())? } else { Response::default() };
        Ok(Response {
            tables: vec![("The kinds of orders that you can give now, with examples:".to_owned(), facts)],
            ..general
        })
    }

    /// The maps of the seat, of the position as it knows it now.
    pub(super) fn map(&self) -> Responded {
        let campaign = self.campaign();
        if let Some(draft) = campaign.draft() {
            return wrong(format!(
                "Turn {} has run, and the GM looks at its dispatches first: REPORT brings your last one, with its maps.",
                draft.t
            ));
        }
        if campaign.last().is_none() {
            return wrong("There is no position yet: the game has not begun.");
        }
        let (Briefing { mut sections, .. }, _) = campaign.brief(self.seat);
        let is_map = |part: &Part| matches!(part, Part::Map(_) | Part::Plain { .. });
        sections.retain(|section| section.parts.iter().any(is_map));
        if sections.is_empty() {
            return wrong("Your reports have no maps in this game.");
        }
        Ok(Response {
            page: text::sections(&Briefing { sections, ..Briefing::default() }),
            ..Response::default()
        })
    }
}

impl Games {
    /// The game that is named, or the one that the mail is about.
    fn game_meant<'g>(&self, named: Option<&'g GameId>, example: &str) -> Result<&'g GameId, Early> {
        let Some(game) = named else {
            return wrong(format!(
                "Name the game, as in {example} alpha, or in the subject: LIST is answered with those that have free seats."
            ));
        };
        self.is_here(game)?;
        Ok(game)
    }

    /// The forces and the field of a game, where its rules show them to anybody.
    pub(super) fn order_of_battle(&mut self, game: Option<&GameId>) -> Responded {
        let game = self.game_meant(game, "HELP BATTLE")?;
        let battle = self.campaign(game)?.game();
        if !battle.shows_battle() {
            return wrong(format!(
                "The rules of {game} don't show the armies to everybody: dispatches tell each player what can be known."
            ));
        }
        let battle = battle.chart(true);
        let about = [&battle.title, &battle.date].map(String::as_str);
        let about: Vec<&str> = about.into_iter().filter(|part| !part.is_empty()).collect();
        let about = format!("{game}: {}, as it begins. Every side knows this.", about.join(", "));
        Ok(Response { page: text::sections(&battle), ..Response::of(vec![about]) })
    }

    /// What a game is about, who plays which seat, and what was chosen for it: what everybody may know.
    pub(crate) fn scenario(&mut self, game: Option<&GameId>) -> Responded {
        let game = self.game_meant(game, "SCENARIO")?;
        let campaign = self.campaign(game)?;
        let battle = campaign.game();
        let seat = |(seat, player)| {
            Fact::of(format!("{seat}"), format!("{}: {}", campaign.title_of(seat), played_by(player)))
        };
        let seats = campaign.charter().players.iter().map(seat).collect();
        let tables =
            vec![("Seats".to_owned(), seats), ("How it goes".to_owned(), rhythm(campaign.charter()))];
        let mut more = vec![format!("RULES, in a mail about {game}, tells how the manual is read.")];
        if battle.shows_battle() {
            more.push(format!("HELP BATTLE {game} shows its armies and its field."));
        }
        let about = format!("{game}: {}. {}.", battle.system(), battle.title());
        let mut paragraphs = vec![about, battle.situation()];
        paragraphs.extend(campaign.options().iter().cloned());
        paragraphs.push(more.join(" "));
        Ok(Response { tables, ..Response::of(paragraphs) })
    }

    /// How the rules of a game read their manual: all subjects, or the rulings that are asked for.
    pub(crate) fn rules(&mut self, game: Option<&GameId>, asked: &str) -> Responded {
        let Some(game) = game else {
            return wrong("Name the game in the mail's subject, as in `[alpha] a question`.");
        };
        self.is_here(game)?;
        let battle = self.campaign(game)?.game();
        let rulings = rulings::read(battle.rulings());
        let system = battle.system();
        if rulings.is_empty() {
            return wrong(format!("There are no rulings on the manual of {system}."));
        }
        if asked.trim().is_empty() {
            let facts =
                rulings::subjects(&rulings).into_iter().map(|(subject, names)| Fact::of(subject, names));
            let tables = vec![(format!("Rulings on the manual of {system}"), facts.collect())];
            let how =
                "RULES and a word or a number tells rulings: RULES 3, or RULES and words that stand in them.";
            return Ok(Response { tables, ..Response::of(vec![how.to_owned()]) });
        }
        let found: Vec<&Ruling> = rulings.iter().filter(|ruling| ruling.answers(asked)).collect();
        if found.is_empty() {
            return wrong_at(
                asked,
                format!(
                    "No ruling on the manual of {system} has `{asked}`: RULES alone is answered with all subjects."
                ),
            );
        }
        let (told, named) = found.split_at(found.len().min(MOST_RULINGS));
        let facts = told
            .iter()
            .map(|ruling| Fact::of(ruling.name.clone(), format!("{}: {}", ruling.subject, ruling.text)));
        let more = named.iter().map(|ruling| ruling.name.as_str()).collect::<Vec<_>>();
        let more = (!more.is_empty()).then(|| format!("These too have it: {}.", listed(&more)));
        let tables = vec![(format!("Rulings on the manual of {system}"), facts.collect())];
        Ok(Response { tables, ..Response::of(more.into_iter().collect()) })
    }

    /// Help, about one topic, one command, or all. `orders` are the first words of orders that the asker can give.
    pub(super) fn help_on<'o>(
        &self,
        topic: Option<&str>,
        orders: impl Iterator<Item = &'o str>,
    ) -> Responded {
        let (host, topic) = (self.mailroom().address.to_string(), topic.unwrap_or_default());
        let is_in_orders = AMONG_ORDERS.iter().any(|word| word.eq_ignore_ascii_case(topic));
        let topic = if is_in_orders { "orders" } else { topic };
        let is_topic = topic.is_empty() || TOPICS.contains(&topic);
        let commands: Vec<&Verb> =
            players_verbs().filter(|verb| verb.word.eq_ignore_ascii_case(topic)).collect();
        if !is_topic && !commands.is_empty() {
            let help: Vec<(&str, &str)> = commands.iter().flat_map(|verb| verb.help).copied().collect();
            let coded = commands.iter().any(|verb| verb.code == Code::Mailed);
            let coded = coded.then(|| {
                "It is answered with a code, which you send back as CONFIRM and the code.".to_owned()
            });
            return Ok(Response { page: text::columns(&help), ..Response::of(coded.into_iter().collect()) });
        }
        let about: Vec<&Verb> = verbs().filter(|verb| verb.topics.contains(&topic)).collect();
        let open = verbs().filter(|verb| matches!(verb.reads, Reads::Anybody(_) | Reads::AnybodyOptions(..)));
        let coded = about.iter().filter(|verb| verb.code == Code::Mailed);
        let help: Vec<(&str, &str)> = about.iter().flat_map(|verb| verb.help).copied().collect();
        let commands = Commands {
            commands: text::columns(&help),
            coded: listed(&coded.map(|verb| verb.word).collect::<Vec<_>>()),
            open: listed(&open.map(|verb| verb.word).collect::<Vec<_>>()),
        };
        let page = answer::help_on(&self.mailroom().templates, topic, &commands, &host);
        let known = TOPICS.into_iter().chain(players_verbs().map(|verb| verb.word)).chain(orders);
        let unknown = (!is_topic).then(|| match meant(topic, known) {
            Some(near) => format!("There is no help on `{topic}`: did you mean HELP {near}?"),
            None => format!("There is no help on `{topic}`."),
        });
        let about = unknown.is_some().then(|| Box::new(About::Words(topic.to_owned())));
        Ok(Response { page, about, ..Response::of(unknown.into_iter().collect()) })
    }
}

/// The commands of players and of anybody.
fn players_verbs() -> impl Iterator<Item = &'static Verb> {
    verbs().filter(|verb| !matches!(verb.reads, Reads::Gm(_) | Reads::GmWords(..)))
}
