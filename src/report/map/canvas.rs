//! A canvas of characters.

/// Rows of ASCII characters, blank at first.
pub(super) struct Canvas {
    rows: Vec<Vec<u8>>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { rows: vec![vec![b' '; width]; height] }
    }

    /// Writes `text` from column `x` of line `y`, over what stood there. Text beyond the edges, and characters that aren't printable ASCII, are left
    /// out.
    pub(super) fn put(&mut self, x: usize, y: usize, text: &str) {
        let Some(row) = self.rows.get_mut(y) else { return };
        for (place, byte) in row.iter_mut().skip(x).zip(text.bytes().map(printable)) {
            *place = byte;
        }
    }

    /// The lines, without trailing blanks.
    pub(super) fn into_lines(self) -> Vec<String> {
        let line = |row: Vec<u8>| row.into_iter().map(char::from).collect::<String>().trim_end().to_owned();
        self.rows.into_iter().map(line).collect()
    }
}

fn printable(byte: u8) -> u8 {
    if byte == b' ' || byte.is_ascii_graphic() { byte } else { b'?' }
}
