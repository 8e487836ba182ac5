"""What the test adds to the database: triggers that keep a journal for the audit, and those that break one safeguard for a control.

The programs know nothing of them.
"""

# Every end of a job as `done`, also a second one; every path that a document's file ever had; and every content with a job that was taken
# from a worker. Rows are committed or taken back together with what they tell of.
JOURNAL = """
CREATE TABLE cluster_completions (job BIGINT NOT NULL, token TEXT, moment TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp());
CREATE FUNCTION cluster_completed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO cluster_completions VALUES (new.id, old.lease_token);
    RETURN NULL;
END $$;
CREATE TRIGGER cluster_completed AFTER UPDATE ON queue_job FOR EACH ROW
    WHEN (new.state = 'done') EXECUTE FUNCTION cluster_completed();

CREATE TABLE cluster_files (document TEXT, object TEXT, digest TEXT);
CREATE FUNCTION cluster_stored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO cluster_files VALUES (new.id, new.object_id, new.digest);
    RETURN NULL;
END $$;
CREATE TRIGGER cluster_stored AFTER INSERT ON documents FOR EACH ROW EXECUTE FUNCTION cluster_stored();

CREATE TABLE cluster_taken (digest TEXT);
CREATE FUNCTION cluster_taken_over() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO cluster_taken SELECT digest FROM queue_job WHERE id = new.job;
    RETURN NULL;
END $$;
CREATE TRIGGER cluster_taken_over AFTER UPDATE ON queue_attempt FOR EACH ROW
    WHEN (new."end" = 'workerDied') EXECUTE FUNCTION cluster_taken_over();
"""

# Control "unfenced": the tokens that each job has ever had. A relay between each thumbd and the database (`relay.py`) makes of
# "the job that this token leases" "the job that this token has ever leased".
TOKENS = """
CREATE TABLE cluster_tokens (token TEXT PRIMARY KEY, job BIGINT NOT NULL);
CREATE FUNCTION cluster_leased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO cluster_tokens VALUES (new.lease_token, new.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER cluster_leased AFTER UPDATE OF lease_token ON queue_job FOR EACH ROW
    WHEN (new.lease_token IS NOT NULL) EXECUTE FUNCTION cluster_leased();
"""

# Control "untied": a document is committed by a transaction of its own (dblink), and its job and object by the service's, a moment later. New
# versions are left alone: their transaction holds rows that the other one would wait for. So are resumable uploads, which would never end.
UNTIED = """
CREATE EXTENSION dblink;
ALTER TABLE documents DROP CONSTRAINT documents_object_id_fkey;
CREATE FUNCTION cluster_store_alone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM intakes WHERE object_id = new.object_id) THEN
        RETURN new;
    END IF;
    PERFORM dblink_exec('host=/tmp/pg dbname=compass user=compass options=''-c cluster.alone=yes''',
        format('INSERT INTO documents SELECT * FROM json_populate_record(NULL::documents, %L)', row_to_json(new)));
    PERFORM pg_sleep(1);
    RETURN NULL;
END $$;
CREATE TRIGGER cluster_store_alone BEFORE INSERT ON documents FOR EACH ROW
    WHEN (new.version = 1 AND coalesce(current_setting('cluster.alone', TRUE), '') <> 'yes')
    EXECUTE FUNCTION cluster_store_alone();
"""
