//! What players read.

use musterd_engine::Ruleset;
use musterd_engine::briefing::{Briefing, Part};
use musterd_report::text;

use crate::common::Loose;

/// A report as text.
fn page(briefing: &Briefing) -> String {
    format!(
        "{}\n{}\n\n{}\n{}",
        briefing.title,
        briefing.date,
        text::standing(briefing),
        text::sections(briefing)
    )
}

/// A mail turn of several hours is told hour by hour: each kind of news under a heading for the hour.
#[test]
fn a_block_of_hours_is_told_hour_by_hour() {
    let mut files = musterd_acw::shipped("kellys-mill").unwrap();
    files.0.insert("options.yaml".to_owned(), "block: 3".to_owned());
    let rules = musterd_acw::Acw::from_files(&files, &[]).unwrap();
    let mut state = rules.found();
    let mut several = 0;
    for t in 1..5 {
        let (first, before) = (rules.view(&state, &rules.seats()[0].seat).turn, state.clone());
        let input = musterd_engine::Input { orders: std::collections::BTreeMap::new() };
        let mut dice = Loose::numbered(7);
        let mut scribe = musterd_engine::Scribe::new(&rules, before, t, &mut dice);
        rules.step(&mut scribe, &input);
        let mut seen = Vec::new();
        for event in scribe.finish() {
            seen.extend(rules.witness(&state, &event, &rules.seats()[0].seat));
            musterd_engine::Fold::apply(&rules, &mut state, &event);
        }
        let view = rules.view(&state, &rules.seats()[0].seat);
        let headings = |title: &str| -> Vec<String> {
            let section = rules.brief(&view, &seen).sections.into_iter().find(|one| one.title == title);
            let parts = section.map_or_else(Vec::new, |section| section.parts);
            let text =
                |part: &Part| if let Part::Heading { text } = part { Some(text.clone()) } else { None };
            parts.iter().filter_map(text).collect()
        };
        let clock = |turn: u16| format!("{:02}:00", rules.battle().hour(turn).hour);
        let hours: Vec<String> =
            (first.max(1)..view.turn + u16::from(view.outcome.is_some())).map(clock).collect();
        let opens = format!("{}, as it begins", clock(view.turn));
        for title in ["The fighting", "What else happened", "Headquarters", "Marches"] {
            let told = headings(title);
            if t == 1 {
                assert_eq!(told, [""; 0], "{title}: the founding is no hour");
            }
            let is_hour = |told: &String| hours.contains(told) || *told == opens;
            assert!(told.iter().all(is_hour), "{title}: {told:?} of {hours:?}");
            assert!(told.is_sorted(), "{title}: {told:?}");
            several += usize::from(told.len() > 1);
        }
    }
    assert!(several > 3, "{several}");
}

#[test]
fn reports_fit_a_terminal_and_name_no_enemy() {
    for battle in ["kellys-mill", "bull-run"] {
        let rules = musterd_acw::Acw::from_files(&musterd_acw::shipped(battle).unwrap(), &[]).unwrap();
        let mut state = rules.found();
        for t in 1..8 {
            let input = musterd_engine::Input { orders: std::collections::BTreeMap::new() };
            let mut dice = Loose::numbered(7);
            let mut scribe = musterd_engine::Scribe::new(&rules, state.clone(), t, &mut dice);
            rules.step(&mut scribe, &input);
            let mut sights: Vec<Vec<musterd_acw::Sight>> = vec![Vec::new(); 2];
            for event in scribe.finish() {
                for (seat, seen) in rules.seats().iter().zip(&mut sights) {
                    seen.extend(rules.witness(&state, &event, &seat.seat));
                }
                musterd_engine::Fold::apply(&rules, &mut state, &event);
            }
            for (place, seen) in sights.iter().enumerate() {
                let seat = &rules.seats()[place].seat;
                let view = rules.view(&state, seat);
                let page = page(&rules.brief(&view, seen));
                if std::env::var_os("SHOW").is_some() {
                    std::fs::write(format!("/tmp/acw/page-{battle}-{place}-{t}.txt"), &page).unwrap();
                }
                assert!(page.lines().all(|line| line.len() <= 78 && line.is_ascii()), "{battle} {t}: {page}");
                let enemy = &rules.battle().armies[1 - place];
                for spec in &enemy.brigades {
                    let objectives =
                        rules.battle().objectives.iter().any(|one| one.name.contains(&spec.name));
                    let own = rules.battle().armies[place]
                        .brigades
                        .iter()
                        .any(|own| own.commander.contains(&spec.name));
                    let told = page.contains(&format!("{} (", spec.name));
                    assert!(objectives || own || !told, "{battle} {t}: {} in\n{page}", spec.name);
                }
            }
        }
    }
}

/// ACW-9: guns on the march are limbered, and those in line are not.
#[test]
fn guns_in_column_are_limbered() {
    use musterd_acw::model::{Arm, Formation};
    assert_eq!(Arm::Artillery.formation(Formation::Column), "limbered");
    assert_eq!(Arm::Artillery.formation(Formation::Line), "unlimbered");
    assert_eq!(Arm::Cavalry.formation(Formation::Column), "mounted");
}

/// ACW-49: a brigade whose file says nothing else begins with cohesion 6.
#[test]
fn a_brigade_begins_with_cohesion_6_unless_its_file_says_otherwise() {
    for (battle, worn) in [("kellys-mill", 0), ("antietam", 10)] {
        let rules = musterd_acw::Acw::from_files(&musterd_acw::shipped(battle).unwrap(), &[]).unwrap();
        let all = || rules.battle().armies.iter().flat_map(|army| &army.brigades);
        assert!(all().all(|spec| (1..=7).contains(&spec.cohesion)));
        let others = all().filter(|spec| spec.cohesion != 6).count();
        assert!(others <= all().count() / 2 && others >= worn, "{battle}: {others} of {}", all().count());
    }
}

/// ACW-85: proofs of a player's own dice would tell how many units the enemy has.
#[test]
fn proofs_of_ones_own_dice_are_kept_back_and_players_are_told_why() {
    let rules = musterd_acw::Acw::from_files(&musterd_acw::shipped("kellys-mill").unwrap(), &[]).unwrap();
    let why = rules.withholds_proofs().unwrap();
    assert!(why.contains("how many units the enemy has"), "{why}");
    let union = rules.seats()[0].seat.clone();
    // What is thrown for his own units, or at them, is his; what the enemy throws to see him isn't.
    assert!(rules.shows_roll("touch", "brigade", "a1", &union));
    assert!(rules.shows_roll("fire", "hit", "a1", &union));
    assert!(!rules.shows_roll("rally", "reserve", "b1", &union));
    assert!(!rules.shows_roll("sight", "brigade", "a1", &union));
}

/// What is for the GM alone speaks to no player.
#[test]
fn the_page_of_everything_speaks_to_no_player() {
    let rules = musterd_acw::Acw::from_files(&musterd_acw::shipped("kellys-mill").unwrap(), &[]).unwrap();
    let mut state = rules.found();
    for event in [musterd_acw::event::Event::Founded, musterd_acw::event::Event::Began { turn: 1 }] {
        musterd_engine::Fold::apply(&rules, &mut state, &event);
    }
    let page = page(&rules.overview(&state).unwrap()).to_lowercase();
    for word in ["you ", "your ", "yours"] {
        let line = page.lines().find(|line| line.contains(word));
        assert_eq!(line, None, "{word}");
    }
}
