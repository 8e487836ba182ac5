internal import Database

/// The tables of a store in a bucket, in one database with the documents' tables: what it knows about its files besides
/// their bytes.
///
/// `bucket_arrivals` has a row for each incoming file of which the bucket has something. `holder` is the one that
/// continued it last; nobody else changes its rows. `upload` is S3's name of the multipart upload, and `midpoint` the
/// state of SHA-256 after the last part. `digest` is the SHA-256 of all bytes, once these are in the parts. `head` and
/// `tail` name pieces. `touched_at` is microseconds since 1970 by the database's clock.
///
/// `bucket_parts` has the parts that S3 has confirmed, and `bucket_sums` the sums of objects that were sent in parts.
/// Sums and midpoints are hexadecimal digits.
enum BucketSchema {
    static let schema = SQLSchema(
        "bucket", sqlite: [tables(number: "INTEGER", ending: " WITHOUT ROWID")],
        postgreSQL: [tables(number: "BIGINT", ending: "")])

    private static func tables(number: String, ending: String) -> String {
        """
        CREATE TABLE bucket_arrivals (
            object_id TEXT PRIMARY KEY NOT NULL, holder TEXT NOT NULL, byte_count \(number) NOT NULL, upload TEXT,
            midpoint TEXT NOT NULL, head TEXT, tail TEXT, digest TEXT, touched_at \(number) NOT NULL)\(ending);
        CREATE TABLE bucket_parts (
            object_id TEXT NOT NULL, number \(number) NOT NULL, tag TEXT NOT NULL, sums TEXT NOT NULL,
            PRIMARY KEY (object_id, number))\(ending);
        CREATE TABLE bucket_sums (
            object_id TEXT PRIMARY KEY NOT NULL, digest TEXT NOT NULL, byte_count \(number) NOT NULL,
            sums TEXT NOT NULL);
        """
    }
}
