//! The host's own templates, as they lie in the folder `templates` of the data directory.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use musterd_dice::GameId;
use musterd_disk::regular;
use musterd_report::{self as report, Finding, OwnTemplates, TemplateError};

/// The largest template that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The host's own templates, by their paths in the folder: `NAME.txt` and `frame.html` there, and `GAME/NAME.txt` for the mails of
/// one game. Other files are left alone. One that can't be read is noted and stops nothing.
pub fn own_templates(dir: &Path) -> OwnTemplates {
    let mut own = OwnTemplates::default();
    read_folder(&dir.join("templates"), "", &mut own);
    own
}

/// The templates in a folder, for one game.
pub fn templates_in(folder: &Path) -> OwnTemplates {
    let mut own = OwnTemplates::default();
    read_folder(folder, "", &mut own);
    own
}

/// What is wrong with the host's own templates, those of [`own_templates`]: in them, and that a folder is of no game.
pub fn look_over_templates(dir: &Path) -> Vec<Finding> {
    let own = own_templates(dir);
    let is_game = |name: &str| dir.join("mirror").join(format!("{name}.jsonl")).exists();
    let folders: BTreeSet<&str> =
        own.texts.keys().filter_map(|path| path.split_once('/')).map(|(folder, _)| folder).collect();
    let strange = folders.into_iter().filter(|folder| folder.parse::<GameId>().is_ok() && !is_game(folder));
    let mut findings: Vec<Finding> = strange
        .map(|folder| Finding {
            file: format!("{folder}/"),
            line: 0,
            text: format!("there is no game `{folder}` yet; `musterd status` names those of this host"),
        })
        .collect();
    findings.extend(report::check(&own));
    findings
}

fn read_folder(folder: &Path, of_game: &str, own: &mut OwnTemplates) {
    let files = match fs::read_dir(folder) {
        Ok(files) => files,
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                let file = if of_game.is_empty() { "." } else { of_game };
                own.unread.push(TemplateError::Unread { file: file.to_owned(), reason: error.to_string() });
            }
            return;
        }
    };
    for path in files.flatten().map(|file| file.path()) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_dir() && of_game.is_empty() {
            read_folder(&path, &format!("{name}/"), own);
        } else if name.ends_with(".txt") || name.ends_with(".html") {
            let file = format!("{of_game}{name}");
            let read = regular::read(&path, LARGEST).map_err(|error| error.to_string());
            match read.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is no UTF-8".to_owned())) {
                Ok(text) => _ = own.texts.insert(file, text),
                Err(reason) => own.unread.push(TemplateError::Unread { file, reason }),
            }
        }
    }
}
