//! Examines an audit file: `cargo run -p musterd-dice --example verify -- docs/example-campaign/audit.json`.

use musterd_dice::audit::examine;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("which audit file?")?;
    let examination = examine(&std::fs::read_to_string(file)?, &[], |_, _| {})?;
    for turn in &examination.turns {
        let level = turn.level.map_or("not revealed".to_owned(), |level| level.to_string());
        println!("{}: {} dice in {} rolls, {level}", turn.name, turn.dice, turn.rolls);
    }
    examination.findings.iter().for_each(|finding| println!("{finding}"));
    match examination.faults().count() {
        0 => Ok(()),
        faults => Err(format!("{faults} faults").into()),
    }
}
