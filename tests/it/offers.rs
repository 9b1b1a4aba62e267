//! What a ruleset offers beside its games, on the toy: questions about odds, commands, schemas, levels, orders for the help.

use musterd::desk::campaign::Campaign;
use musterd::dice::GameId;
use musterd::engine::calls::{Answer, Arg, Call, CallError, Calls, Dice, Given, Installation, PlayedGame};
use musterd::engine::files::RuleFiles;
use musterd::engine::journal::Cause;

use super::contract::{ToySpecimen, played};
use super::support::desk;
use super::toy::seat;

/// An installation with one game, `alpha`.
struct Here(PlayedGame);

impl Installation for Here {
    fn files(&mut self) -> Result<RuleFiles, CallError> {
        Ok(RuleFiles::default())
    }
    fn scenario(&mut self, name: &str) -> Result<RuleFiles, CallError> {
        Err(format!("no {name}").into())
    }
    fn read(&mut self, _: &str) -> Result<Option<String>, CallError> {
        Ok(None)
    }
    fn game(&mut self, game: &GameId) -> Result<PlayedGame, CallError> {
        if game.as_str() == "alpha" { Ok(self.0.clone()) } else { Err(format!("no game {game}").into()) }
    }
    fn dice(&mut self, _: &'static str, _: &str, _: Option<RuleFiles>) -> Result<Box<dyn Dice>, CallError> {
        Err("no dice".into())
    }
}

/// A campaign of the toy to its end, and its game for a call.
fn here() -> (Campaign, Here) {
    let entries = played::<ToySpecimen>(1, u32::MAX);
    let campaign = Campaign::fold(&desk(), &entries).unwrap();
    let of = |cause: &Cause| match cause {
        Cause::Adjudicated { events, .. } => events.clone(),
        _ => Vec::new(),
    };
    let events = entries.iter().flat_map(|entry| of(&entry.cause)).collect();
    let charter = campaign.charter();
    let game = PlayedGame { version: charter.rules_version, files: charter.files.clone(), events };
    (campaign, Here(game))
}

fn asked(calls: Calls, name: &str, values: &[(&str, &str)], at: &mut Here) -> Result<Answer, CallError> {
    let call: &Call = calls.calls.iter().find(|call| call.name == name).unwrap();
    let of = |arg: &Arg| {
        values.iter().filter(|(name, _)| *name == arg.name).map(|(_, value)| (*value).to_owned()).collect()
    };
    (call.run)(&Given::new(call, of), at)
}

#[test]
fn a_question_about_odds_is_answered_exactly() {
    let (_, mut here) = here();
    let (_, odds) = desk().odds().find(|(ruleset, _)| *ruleset == "toy").unwrap();
    let answer = asked(odds, "clash", &[("own", "1"), ("other", "1")], &mut here).unwrap();
    assert!(answer.text.starts_with("ODDS: CLASH ---"), "{}", answer.text);
    let json: serde_json::Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
    let chances: Vec<&str> = json["chances"][0]["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["fraction"].as_str().unwrap())
        .collect();
    assert_eq!(chances, ["5/12", "1/6", "5/12"]);
}

#[test]
fn a_command_of_a_ruleset_reads_a_game_of_the_host() {
    let (campaign, mut here) = here();
    let (_, calls) = desk().calls().find(|(ruleset, _)| *ruleset == "toy").unwrap();
    let answer = asked(calls, "won", &[("game", "alpha")], &mut here).unwrap();
    let upheld = here.0.events.iter().filter(|event| event["ruled"]["upheld"] == true).count();
    assert!(upheld > 0 && campaign.results().is_some());
    assert_eq!((answer.text, answer.json.unwrap()), (format!("{upheld} upheld\n"), upheld.to_string()));
    let refused = asked(calls, "won", &[("game", "beta")], &mut here).unwrap_err();
    assert_eq!(refused.to_string(), "no game beta");
}

#[test]
fn schemas_levels_and_orders_are_those_of_the_ruleset() {
    assert!(desk().schemas().any(|schema| schema.name == "toy-view"));
    let levels: Vec<String> = desk().levels("toy").unwrap().words().collect();
    assert_eq!(levels, ["computer", "computer:timid"]);
    let campaign = Campaign::fold(&desk(), &played::<ToySpecimen>(1, 1)).unwrap();
    let offered = campaign.game().offered(&seat("red"));
    assert_eq!(offered.into_iter().flat_map(|one| one.lines).collect::<Vec<_>>(), ["BID 3"]);
    assert!(campaign.game().offered(&seat("umpire")).is_empty());
}
