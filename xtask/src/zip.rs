//! A zip archive, deflated by the system's gzip: a gzip file is a deflated stream with a header of
//! ten bytes before it, and the checksum and the length, which a zip wants too, behind it.

use crate::run::Done;
use crate::size::gzip;

/// Versions and flags of every entry: deflated, names in ASCII, and a date that never changes, so
/// that the same files give the same archive.
const METHOD: [u8; 10] = [20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0];

/// The files, by name, as an archive.
pub fn zip(files: &[(String, Vec<u8>)]) -> Done<Vec<u8>> {
    let mut out: Vec<u8> = Vec::new();
    let mut directory: Vec<u8> = Vec::new();
    for (name, bytes) in files {
        let packed = gzip(bytes.clone())?;
        let tail = packed.len().checked_sub(8).filter(|end| *end >= 10);
        let end = tail.ok_or("gzip wrote no gzip file")?;
        let deflated = &packed[10..end];
        let mut about = METHOD.to_vec();
        about.extend(&packed[end..end + 4]);
        about.extend(
            u32::try_from(deflated.len())
                .map_err(|e| e.to_string())?
                .to_le_bytes(),
        );
        about.extend(&packed[end + 4..]);
        about.extend(
            u16::try_from(name.len())
                .map_err(|e| e.to_string())?
                .to_le_bytes(),
        );
        about.extend([0, 0]);

        let place = u32::try_from(out.len()).map_err(|e| e.to_string())?;
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&about);
        // No comment, disk 0, no attributes.
        directory.extend([0; 10]);
        directory.extend(place.to_le_bytes());
        directory.extend(name.as_bytes());

        out.extend(b"PK\x03\x04");
        out.extend(about);
        out.extend(name.as_bytes());
        out.extend(deflated);
    }
    let count = u16::try_from(files.len())
        .map_err(|e| e.to_string())?
        .to_le_bytes();
    let place = u32::try_from(out.len()).map_err(|e| e.to_string())?;
    let length = u32::try_from(directory.len()).map_err(|e| e.to_string())?;
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend(length.to_le_bytes());
    out.extend(place.to_le_bytes());
    out.extend([0, 0]);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::zip;

    /// The fields at their places of the format, with a checksum that is known.
    #[test]
    fn an_archive_has_its_entries_where_the_format_wants_them() {
        let files = [("a.txt".to_string(), b"123456789".to_vec())];
        let all = zip(&files).expect("gzip is there");
        let le = |at: usize| u32::from_le_bytes([all[at], all[at + 1], all[at + 2], all[at + 3]]);
        assert_eq!(&all[..4], b"PK\x03\x04");
        assert_eq!((le(14), le(22)), (0xcbf4_3926, 9));
        assert_eq!(&all[30..35], b"a.txt");
        let end = all.len() - 22;
        assert_eq!(&all[end..end + 4], b"PK\x05\x06");
        let directory = le(end + 16) as usize;
        assert_eq!(&all[directory..directory + 4], b"PK\x01\x02");
        assert_eq!((le(directory + 16), le(directory + 42)), (0xcbf4_3926, 0));
        assert_eq!(directory + 46 + 5, end);
        assert_eq!(le(end + 12) as usize, end - directory);
    }
}
