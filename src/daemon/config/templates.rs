//! The host's own templates, as they lie in the folder `templates` of the data directory.

use std::path::Path;
use std::{fs, io};

use crate::regular;
use crate::report::{OwnTemplates, TemplateError};

/// The largest template that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The host's own templates, by their paths in the folder: `NAME.txt` and `frame.html` there, and `GAME/NAME.txt` for the mails of
/// one game. Other files are left alone. One that can't be read is noted and stops nothing.
#[must_use]
pub fn own_templates(dir: &Path) -> OwnTemplates {
    let mut own = OwnTemplates::default();
    templates_in(&dir.join("templates"), "", &mut own);
    own
}

fn templates_in(folder: &Path, of_game: &str, own: &mut OwnTemplates) {
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
            templates_in(&path, &format!("{name}/"), own);
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
