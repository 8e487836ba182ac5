"""Signs random requests by botocore; prints each with its signature as a line of JSON. Arguments: how many, and the seed."""
import datetime
import json
import random
import sys
import urllib.parse

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

count, seed = int(sys.argv[1]), int(sys.argv[2])
random.seed(seed)
CHARACTERS = [chr(code) for code in range(0x20, 0x7F)] + list("äéß€😀\u0301中\u00a0") + list(" +%/&=?#'\"~*()!,;:@$")


def text(most, least=0):
    return "".join(random.choice(CHARACTERS) for _ in range(random.randint(least, most)))


def query():
    names = {"prefix", "list-type", "uploadId", "partNumber", "Prefix", "a", "a-b", "a.b", "aB", "ab", text(8, 1)}
    return [[name, text(12)] for name in random.sample(sorted(names), random.randint(0, 6))]


def quoted(value):
    return urllib.parse.quote(value, safe="-_.~")


for _ in range(count):
    moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(
        seconds=random.randrange(0, 4_000_000_000))
    botocore.auth.get_current_datetime = lambda remove_tzinfo=True: moment.replace(tzinfo=None)
    case = {
        "method": random.choice(["GET", "PUT", "POST", "HEAD", "DELETE"]),
        "key": text(random.choice([10, 200]), 1),
        "query": query(),
        "headers": [[name, "  ".join([random.choice("abcä"), random.choice(["", " x  y ", "1,  2"])]).strip()]
                    for name in random.sample(["x-amz-meta-a", "X-Amz-Meta-B", "range", "Content-Type", "if-match",
                                               "x-amz-copy-source"], random.randint(0, 4))],
        "body": text(40),
        "bucket": random.choice(["bucket", "my.bucket", "a-bucket-1"]),
        "inHost": random.random() < 0.5,
        "host": random.choice(["s3.example.org", "127.0.0.1:8333", "[::1]:9000"]),
        "secure": random.random() < 0.5,
        "region": random.choice(["us-east-1", "eu-central-1", "auto", "garage"]),
        "access": text(20, 1).replace("/", "x").replace(",", "x").encode("ascii", "ignore").decode() or "k",
        "secret": text(40, 1),
        "token": text(30, 1).encode("ascii", "ignore").decode().strip() if random.random() < 0.3 else None,
        "seconds": int(moment.timestamp()),
        "expires": random.randrange(1, 604_801),
    }
    case["token"] = " ".join(case["token"].split()) if case["token"] else None
    if not case["token"]:
        case["token"] = None
    if case["host"].startswith(("1", "[")):
        case["inHost"] = False
    host = f"{case['bucket']}.{case['host']}" if case["inHost"] else case["host"]
    place = "" if case["inHost"] else f"/{case['bucket']}"
    url = f"{'https' if case['secure'] else 'http'}://{host}{place}/{urllib.parse.quote(case['key'], safe='/~')}"
    pairs = [f"{quoted(name)}={quoted(value)}" for name, value in case["query"]]
    address = url + ("?" + "&".join(pairs) if pairs else "")
    credentials = Credentials(case["access"], case["secret"], case["token"])
    request = AWSRequest(method=case["method"], url=address, data=case["body"].encode())
    for name, value in case["headers"]:
        request.headers[name] = value
    request.context["payload_signing_enabled"] = True
    botocore.auth.S3SigV4Auth(credentials, "s3", case["region"]).add_auth(request)
    case["authorization"] = request.headers["Authorization"]
    signed = AWSRequest(method="GET", url=address)
    botocore.auth.S3SigV4QueryAuth(credentials, "s3", case["region"], expires=case["expires"]).add_auth(signed)
    case["signature"] = urllib.parse.parse_qs(urllib.parse.urlsplit(signed.url).query)["X-Amz-Signature"][0]
    case["url"] = url
    print(json.dumps(case))
