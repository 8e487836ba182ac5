"""What the service should have: the state that each acknowledged call leaves, without how it is kept."""

class Content:
    """Bytes with a word in them that nothing else has."""

    def __init__(self, word, size):
        line = f"name,{word}\n".encode()
        self.word, self.bytes = word, line * (size // len(line) + 1)


class File:
    """A file of the bucket. What is moved stays the same file, and a copy is another one."""

    def __init__(self, content, document=None, upload=None):
        self.content, self.document, self.upload = content, document, upload


class Document:
    """A version."""

    def __init__(self, id, line, version, title, content, path):
        self.id, self.line, self.version, self.title, self.content, self.path = id, line, version, title, content, path
        self.is_current, self.has_file = True, True


class Link:
    """A link to a line's versions, by the line's owner or by a guardian."""

    def __init__(self, line, maker):
        self.line, self.maker, self.has_ended = line, maker, False


class Upload:
    """A resumable upload."""

    def __init__(self, address, content, title=None, path=None):
        self.address, self.content, self.title, self.path = address, content, title, path
        self.offset, self.document, self.is_stored = 0, None, False


class Person:
    def __init__(self, name):
        self.name, self.email, self.password = name, f"{name}@example.org", "correct horse battery"
        self.id, self.token = None, None
        self.documents, self.files, self.uploads, self.links = {}, {}, [], {}
        # The identity and the right of each guardianship.
        self.guardians = {}

    def line(self, document):
        return sorted((one for one in self.documents.values() if one.line == document.line), key=lambda one: one.version)

    def make_current(self, document):
        for one in self.line(document):
            one.is_current = one is document

    def remove(self, documents):
        """Removes versions with their files, and the links to lines of which none is left."""
        for one in documents:
            del self.documents[one.id]
            if one.has_file:
                self.remove_file(one.path)
        lines = {one.line for one in self.documents.values()}
        self.links = {token: link for token, link in self.links.items() if link.line in lines}

    @property
    def words(self):
        """All that is not deleted: contents may be in several files, and titles in several versions."""
        for one in [*self.files.values(), *self.uploads]:
            yield one.content.word
        for one in [*self.documents.values(), *self.uploads]:
            if one.title:
                yield one.title

    def remove_file(self, path):
        """With the upload by which it came."""
        file = self.files.pop(path)
        if file.upload:
            self.uploads.remove(file.upload)
        return file

    @property
    def byte_count(self):
        """What counts against the quota: files, and the lengths of uploads that are neither stored nor refused."""
        open_ones = sum(len(one.content.bytes) for one in self.uploads if not one.is_stored)
        return open_ones + sum(len(file.content.bytes) for file in self.files.values())
