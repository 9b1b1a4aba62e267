//! The audit from outside: games played again from their audit files.

use musterd::audit::Divergence;
use musterd::daemon::Request;
use musterd::desk::campaign::Campaign;
use serde_json::{Value, json};

use super::support::*;
use super::verify::{Kept, asked, in_words, the_case, unwrapped};

fn difference(kept: &Kept, file: &Value) -> Option<Divergence> {
    let path = kept.keep("forged.json", file.to_string());
    let inquiry = asked(&[&path], true, None);
    assert!(inquiry.found_something(true), "{}", in_words(&inquiry));
    in_words(&inquiry);
    the_case(&inquiry).files[0].replayed.clone().unwrap().difference.map(|difference| difference.divergence)
}

#[test]
fn a_replay_names_the_first_thing_that_differs() {
    let mut kept = Kept::founded();
    kept.play(3);
    let honest = kept.file();
    let steps = honest["replay"]["steps"].as_array().unwrap();
    let at = steps.iter().position(|step| step["events"].as_array().unwrap().len() > 1).unwrap();

    let mut file = honest.clone();
    let event = file["replay"]["steps"][at]["events"][1].clone();
    file["replay"]["steps"][at]["events"][0] = event;
    let Some(Divergence::Event { number: 0, shown: Some(shown), again: Some(again) }) =
        difference(&kept, &file)
    else {
        panic!("an event")
    };
    assert_eq!(shown, honest["replay"]["steps"][at]["events"][1].to_string());
    assert_eq!(again, honest["replay"]["steps"][at]["events"][0].to_string());

    let mut file = honest.clone();
    _ = file["replay"]["steps"][at]["events"].as_array_mut().unwrap().pop();
    assert!(matches!(difference(&kept, &file), Some(Divergence::Event { shown: None, .. })));

    let mut file = honest.clone();
    file["replay"]["founding"]["scenario.yaml"] = json!("other");
    assert!(matches!(difference(&kept, &file), Some(Divergence::OtherRules { .. })));

    let mut file = honest.clone();
    file["replay"]["steps"].as_array_mut().unwrap().remove(1);
    assert_eq!(difference(&kept, &file), Some(Divergence::NoStep));

    let mut file = honest.clone();
    let turn = file["turns"].as_array().unwrap().iter().position(|turn| turn["rolls"] != json!([])).unwrap();
    file["turns"][turn]["rolls"].as_array_mut().unwrap().pop();
    assert!(matches!(difference(&kept, &file), Some(Divergence::Roll { shown: None, again: Some(_), .. })));

    let mut file = honest.clone();
    file["turns"][1]["result"] = json!("1".repeat(64));
    assert!(matches!(difference(&kept, &file), Some(Divergence::OtherDigest { .. })));

    // A log that isn't whole is not played again: what is wrong with it comes first.
    let mut file = honest;
    file["log"][3]["hash"] = json!("1".repeat(64));
    assert_eq!(difference(&kept, &file), None);
}

/// Who asks for a replay and gets none has to be told so by the exit status and the last line.
#[test]
fn a_whole_file_that_can_not_be_played_again_is_no_file_to_be_content_with() {
    let mut kept = Kept::founded();
    kept.play(3);
    let honest = kept.file();
    for replay in [json!(null), json!([1]), json!({"x": 1})] {
        let mut file = honest.clone();
        file["replay"] = replay.clone();
        let path = kept.keep("forged.json", file.to_string());
        assert!(asked(&[&path], true, None).found_something(true), "{replay}");
        let unreadable = matches!(difference(&kept, &file), Some(Divergence::Unreadable { .. }));
        assert_eq!(unreadable, !replay.is_null(), "{replay}");
    }
    let mut file = honest.clone();
    file.as_object_mut().unwrap().remove("replay");
    let path = kept.keep("forged.json", file.to_string());
    let inquiry = asked(&[&path], true, None);
    assert!(inquiry.found_something(true));
    assert!(
        unwrapped(&inquiry).contains("alpha: nothing contradicts itself, but the game could not be played")
    );
    assert!(!asked(&[&path], false, None).found_something(true), "nobody asked for it");
}

#[test]
fn every_thing_that_is_wrong_is_counted_on_the_last_line() {
    let mut kept = Kept::founded();
    kept.play(1);
    let honest = kept.file();
    let last = |file: &Value, replay: bool| {
        let path = kept.keep("forged.json", file.to_string());
        let inquiry = asked(&[&path], replay, None);
        let faults = the_case(&inquiry).files[0].examination.faults().count();
        (faults, unwrapped(&inquiry))
    };
    let mut file = honest.clone();
    file["log"][3]["hash"] = json!("1".repeat(64));
    let (faults, told) = last(&file, false);
    let thing = if faults == 1 { "1 thing is wrong" } else { &format!("{faults} things are wrong") };
    assert!(faults > 0 && told.contains(&format!("alpha: {thing}. Ask the host")), "{told}");
    // What the file shows as its own events is no part of the log: that alone comes out otherwise.
    let mut file = honest;
    let step = file["replay"]["steps"].as_array().unwrap().len() - 1;
    _ = file["replay"]["steps"][step]["events"].as_array_mut().unwrap().pop();
    let (faults, told) = last(&file, true);
    assert!(faults == 0 && told.contains("alpha: 1 thing is wrong. Ask the host"), "{told}");
}

#[test]
fn what_was_played_again_is_counted_with_what_ran_twice() {
    let mut kept = Kept::founded();
    kept.play(1);
    // The ruling of the computer's umpire ran last.
    let text = "RERUN 3 AMEND PURSE red 9 BECAUSE of a slip".to_owned();
    kept.host.execute(Request::Gm { game: game(), text, yes: true }).unwrap();
    settle(&mut kept.host);
    kept.play(1);
    let file = kept.file();
    let of_kind = |kind: &str| file["log"].as_array().unwrap().iter().filter(|l| l["kind"] == kind).count();
    let path = kept.keep("alpha.json", file.to_string());
    let inquiry = asked(&[&path], true, None);
    let played = the_case(&inquiry).files[0].replayed.clone().unwrap();
    assert_eq!((played.difference.is_none(), of_kind("rerun")), (true, 1));
    assert_eq!(played.adjudications, of_kind("rolls") + 1);
}

#[test]
fn a_step_that_nothing_is_compared_with_is_found() {
    let mut kept = Kept::founded();
    // What a GM settles beside the position is an entry of the same kind as an amendment.
    for text in ["PAUSE", "RESUME"] {
        kept.host.execute(Request::Gm { game: game(), text: text.to_owned(), yes: true }).unwrap();
    }
    settle(&mut kept.host);
    kept.play(1);
    let honest = kept.file();
    let last = honest["replay"]["steps"].as_array().unwrap().last().unwrap().clone();
    let with = |entry: &Value| {
        let mut file = honest.clone();
        let mut step = last.clone();
        step["entry"] = entry.clone();
        file["replay"]["steps"].as_array_mut().unwrap().push(step);
        difference(&kept, &file)
    };
    let log = honest["log"].as_array().unwrap();
    let pause = log.iter().position(|line| line["kind"] == "gm").unwrap();
    for entry in [&last["entry"], &json!(1), &json!(999), &json!(pause)] {
        assert!(matches!(with(entry), Some(Divergence::OddStep { .. })), "{entry}");
    }
    let mut file = honest.clone();
    file["replay"]["steps"][0]["amend"] = json!("PURSE red 31");
    assert!(matches!(difference(&kept, &file), Some(Divergence::OddStep { .. })));
}

#[test]
fn what_the_gm_changed_is_played_again_from_his_words() {
    let mut kept = Kept::founded();
    kept.play(1);
    let gm = |kept: &mut Kept, text: &str| {
        let request = Request::Gm { game: game(), text: text.to_owned(), yes: true };
        kept.host.execute(request).unwrap();
        settle(&mut kept.host);
    };
    gm(&mut kept, "AMEND 4 PURSE red 31 BECAUSE the treasurer miscounted");
    kept.play(1);
    gm(&mut kept, "ROLLBACK 4 BECAUSE the mails were mixed up");
    kept.play(1);
    let honest = kept.file();
    let steps = honest["replay"]["steps"].as_array().unwrap().clone();
    let amended = steps.iter().position(|step| step["amend"].is_string()).unwrap();
    let inquiry = asked(&[&kept.keep("alpha.json", honest.to_string())], true, None);
    let replayed = the_case(&inquiry).files[0].replayed.as_ref().unwrap();
    assert_eq!((&replayed.difference, &replayed.unable, replayed.amendments), (&None, &None, 1), "{honest}");
    let campaign = Campaign::fold(&desk(), &journal(&mut kept.host)).unwrap();
    let page = unwrapped(&inquiry);
    assert!(page.contains("3 adjudications were rolled back, and don't count"), "{page}");
    assert_eq!(replayed.luck, *campaign.game().luck(), "nothing that was rolled back was anybody's luck");

    let mut file = honest.clone();
    file["replay"]["steps"][amended]["amend"] = json!("PURSE red 30");
    assert!(matches!(difference(&kept, &file), Some(Divergence::Event { .. })));
    let mut file = honest.clone();
    file["replay"]["steps"][amended]["amend"] = json!("PURSE green 30");
    assert!(matches!(difference(&kept, &file), Some(Divergence::NotAmendable { .. })));
    // Words that come to the same are not what was committed to.
    let mut file = honest.clone();
    file["replay"]["steps"][amended]["amend"] = json!("PURSE  red 31");
    assert!(matches!(
        difference(&kept, &file),
        Some(Divergence::OtherAmendment { .. } | Divergence::NotAmendable { .. })
    ));
    // A courier who never set out.
    let mut file = honest;
    let ran = steps.iter().rposition(|step| step["amend"].is_null()).unwrap();
    file["replay"]["steps"][ran]["couriers"] = json!([["red", "blue", 7]]);
    assert!(matches!(difference(&kept, &file), Some(Divergence::Courier { shown: 7, .. })));
}
