"""Safeguards of the service, each taken away from outside by a change of its database. The model has to find each of them missing, or it proves
nothing."""

WITHOUT = {
    # What counts of a person's files.
    "quota": "DROP TRIGGER object_added;",
    # The room that an upload has from its beginning.
    "room": "CREATE TRIGGER roomless AFTER INSERT ON uploads BEGIN UPDATE uploads SET reserved = 0 WHERE id = new.id; END;",
    # The bytes of removed files go, also after a crash.
    "removal": "CREATE TRIGGER forgotten AFTER INSERT ON removals BEGIN DELETE FROM removals WHERE object_id = new.object_id; END;",
    # A finished upload answers for the rest of its day.
    "answer": """CREATE TRIGGER unanswered AFTER UPDATE OF state ON uploads WHEN new.state = 'stored'
        BEGIN DELETE FROM uploads WHERE id = new.id; END;""",
    # All bytes are there before an upload is more than an arrival.
    "arrival": """CREATE TRIGGER early AFTER UPDATE OF state ON uploads WHEN new.state = 'checking'
        BEGIN UPDATE uploads SET state = 'stored' WHERE id = new.id; END;""",
    # A file that a version names can only be removed.
    "naming": """CREATE TRIGGER loose AFTER INSERT ON documents BEGIN UPDATE objects SET is_named = 0 WHERE id = new.object_id; END;
        CREATE TRIGGER loosened AFTER UPDATE OF is_named ON objects WHEN new.is_named
        BEGIN UPDATE objects SET is_named = 0 WHERE id = new.id; END;""",
    # A line has one current version.
    "current": """DROP INDEX document_current; CREATE TRIGGER stale AFTER UPDATE OF is_current ON documents WHEN old.is_current
        BEGIN UPDATE documents SET is_current = 1 WHERE id = new.id; END;""",
    # What is deleted is nowhere.
    "deletion": """CREATE TABLE keepsakes (title TEXT);
        CREATE TRIGGER kept AFTER DELETE ON documents BEGIN INSERT INTO keepsakes VALUES (old.title); END;""",
    # Nobody sees what is another person's.
    "owner": """CREATE TRIGGER confused AFTER UPDATE OF title ON documents
        BEGIN UPDATE documents SET user_id = (SELECT id FROM accounts WHERE id <> new.user_id LIMIT 1) WHERE id = new.id; END;""",
}
