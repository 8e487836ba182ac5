"""The bucket as its owner sees it: lists and objects, by requests signed as Amazon's Signature Version 4 says."""

import datetime
import hashlib
import hmac
import http.client
import re
import urllib.parse
import xml.etree.ElementTree as ElementTree

from servers import ACCESS_KEY, BUCKET, SECRET_KEY

REGION = "us-east-1"


class Bucket:
    def __init__(self, address):
        self.address = address

    def ask(self, method, path, query={}):
        """The answer to a request without a body: its status and content."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        nothing = hashlib.sha256(b"").hexdigest()
        words = "&".join("%s=%s" % (self.quoted(name, ""), self.quoted(value, "")) for name, value in sorted(query.items()))
        path = self.quoted(path, "/")
        fields = {"host": self.address, "x-amz-content-sha256": nothing, "x-amz-date": now}
        names = ";".join(sorted(fields))
        lines = [method, path, words, *("%s:%s" % (name, fields[name]) for name in sorted(fields)), "", names, nothing]
        scope = "%s/%s/s3/aws4_request" % (now[:8], REGION)
        text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256("\n".join(lines).encode()).hexdigest()])
        key = ("AWS4" + SECRET_KEY).encode()
        for part in (now[:8], REGION, "s3", "aws4_request"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.new(key, text.encode(), "sha256").hexdigest()
        fields["Authorization"] = "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s" % (
            ACCESS_KEY, scope, names, signature)
        connection = http.client.HTTPConnection(self.address, timeout=60)
        try:
            connection.request(method, path + ("?" + words if words else ""), headers=fields)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    @staticmethod
    def quoted(text, safe):
        return urllib.parse.quote(text, safe=safe + "-_.~")

    def make(self):
        """Whether the bucket is there now."""
        try:
            return self.ask("PUT", "/" + BUCKET)[0] in (200, 409)
        except OSError:
            return False

    def keys(self, prefix):
        """All keys below a prefix."""
        found, after = [], None
        while True:
            query = {"list-type": "2", "prefix": prefix, "max-keys": "1000"} | ({"continuation-token": after} if after else {})
            status, body = self.ask("GET", "/" + BUCKET, query)
            if status != 200:
                raise RuntimeError("the bucket is not listed: %d %s" % (status, body[:300]))
            root = ElementTree.fromstring(re.sub(rb' xmlns="[^"]+"', b"", body, count=1))
            found += [entry.findtext("Key") for entry in root.findall("Contents")]
            after = root.findtext("NextContinuationToken")
            if root.findtext("IsTruncated") != "true":
                return found

    def bytes(self, key):
        status, body = self.ask("GET", "/%s/%s" % (BUCKET, key))
        return body if status == 200 else None

    def open_uploads(self, prefix):
        """The keys of uploads in parts that have begun and not ended."""
        status, body = self.ask("GET", "/" + BUCKET, {"uploads": "", "prefix": prefix})
        if status != 200:
            raise RuntimeError("uploads in parts are not listed: %d" % status)
        root = ElementTree.fromstring(re.sub(rb' xmlns="[^"]+"', b"", body, count=1))
        return [entry.findtext("Key") for entry in root.findall("Upload")]
