"""Safeguards of the service, each taken away from outside by a change of its database. The model has to find each of them missing, or it proves
nothing."""


def before(event, table, change, when="TRUE"):
    """PostgreSQL's trigger that changes a row on its way in."""
    return trigger(f"BEFORE {event}", table, change, when, "new")


def after(event, table, change, when="TRUE"):
    """One that changes other rows."""
    return trigger(f"AFTER {event}", table, change, when, "NULL")


def trigger(moment, table, change, when, result):
    return f"""CREATE FUNCTION sabotage_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {change}; RETURN {result}; END $$;
        CREATE TRIGGER sabotage {moment} ON {table} FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION sabotage_{table}();"""


# By the name of the backend.
WITHOUT = {
    # What counts of a person's files.
    "quota": {
        "Files": "DROP TRIGGER object_added;",
        "Shared": "DROP TRIGGER object_counted ON objects;",
    },
    # The room that an upload has from its beginning.
    "room": {
        "Files": "CREATE TRIGGER roomless AFTER INSERT ON uploads BEGIN UPDATE uploads SET reserved = 0 WHERE id = new.id; END;",
        "Shared": before("INSERT", "uploads", "new.reserved := 0"),
    },
    # The bytes of removed files go, also after a crash.
    "removal": {
        "Files": "CREATE TRIGGER forgotten AFTER INSERT ON removals BEGIN DELETE FROM removals WHERE object_id = new.object_id; END;",
        "Shared": after("INSERT", "removals", "DELETE FROM removals WHERE object_id = new.object_id"),
    },
    # A finished upload answers for the rest of its day.
    "answer": {
        "Files": """CREATE TRIGGER unanswered AFTER UPDATE OF state ON uploads WHEN new.state = 'stored'
            BEGIN DELETE FROM uploads WHERE id = new.id; END;""",
        "Shared": after("UPDATE OF state", "uploads", "DELETE FROM uploads WHERE id = new.id", "new.state = 'stored'"),
    },
    # All bytes are there before an upload is more than an arrival.
    "arrival": {
        "Files": """CREATE TRIGGER early AFTER UPDATE OF state ON uploads WHEN new.state = 'checking'
            BEGIN UPDATE uploads SET state = 'stored' WHERE id = new.id; END;""",
        "Shared": before("UPDATE OF state", "uploads", "new.state := 'stored'", "new.state = 'checking'"),
    },
    # A file that a version names can only be removed.
    "naming": {
        "Files": """CREATE TRIGGER loose AFTER INSERT ON documents BEGIN UPDATE objects SET is_named = 0 WHERE id = new.object_id; END;
            CREATE TRIGGER loosened AFTER UPDATE OF is_named ON objects WHEN new.is_named
            BEGIN UPDATE objects SET is_named = 0 WHERE id = new.id; END;""",
        "Shared": before("INSERT OR UPDATE", "objects", "new.is_named := FALSE"),
    },
    # A line has one current version.
    "current": {
        "Files": """DROP INDEX document_current; CREATE TRIGGER stale AFTER UPDATE OF is_current ON documents WHEN old.is_current
            BEGIN UPDATE documents SET is_current = 1 WHERE id = new.id; END;""",
        "Shared": "DROP INDEX document_current;" + before("UPDATE", "documents", "new.is_current := TRUE", "old.is_current"),
    },
    # What is deleted is nowhere.
    "deletion": {
        "Files": """CREATE TABLE keepsakes (title TEXT);
            CREATE TRIGGER kept AFTER DELETE ON documents BEGIN INSERT INTO keepsakes VALUES (old.title); END;""",
        "Shared": "CREATE TABLE keepsakes (title TEXT);" + after("DELETE", "documents", "INSERT INTO keepsakes VALUES (old.title)"),
    },
    # Nobody sees what is another person's.
    "owner": {
        "Files": """CREATE TRIGGER confused AFTER UPDATE OF title ON documents
            BEGIN UPDATE documents SET user_id = (SELECT id FROM accounts WHERE id <> new.user_id LIMIT 1) WHERE id = new.id; END;""",
        "Shared": before("UPDATE OF title", "documents",
                         "new.user_id := (SELECT id FROM accounts WHERE id <> new.user_id LIMIT 1)"),
    },
}
