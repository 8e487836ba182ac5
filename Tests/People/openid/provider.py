"""OpenID Connect providers for tests: several of oidc-provider-mock, which check PKCE, clients and redirect addresses.

    provider.py FOLDER COUNT REDIRECT_ADDRESS

Writes `providers.json`, the list for documentd's --openid-providers, and the secrets beside it. The first provider knows its client
by a secret, the others by PKCE alone. Everybody of PEOPLE may sign in at each of them by a button with their name.
"""

import json
import re
import sys
import threading
import urllib.request
from pathlib import Path

import authlib.oauth2.rfc6749 as oauth2
import flask
import werkzeug.serving
from authlib.oauth2.rfc7636 import CodeChallenge
from oidc_provider_mock import _app
from oidc_provider_mock._storage import User

# Names that the official clients take.
NAMES = {"keycloak": "Keycloak", "gitlab": "GitLab", "linkedin_oidc": "LinkedIn"}
PEOPLE = {
    "ada": {"email": "ada@example.org", "email_verified": True, "name": "Ada L."},
    "cleo": {"email": "Cleo@Example.org", "email_verified": True, "name": "Cleo de Mérode"},
    "dan": {"email": "dan@example.org", "email_verified": False},
    "eve": {"name": "Eve"},
}


class Grant(_app.AuthorizationCodeGrant):
    """Refuses a request without a challenge, and a code without its verifier."""

    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
    challenges = {}

    def __init__(self, *parts):
        super().__init__(*parts)
        challenge = CodeChallenge(required=True)
        challenge.get_authorization_code_challenge = lambda code: self.challenges[code.code]
        challenge.get_authorization_code_challenge_method = lambda code: "S256"
        challenge(self)

    def validate_authorization_request(self):
        if flask.request.args.get("code_challenge_method") != "S256":
            raise oauth2.InvalidRequestError("PKCE by S256 is required")
        return super().validate_authorization_request()

    def save_authorization_code(self, code, request):
        self.challenges[code] = flask.request.args["code_challenge"]
        super().save_authorization_code(code, request)


class Denied(oauth2.AccessDeniedError):
    """The package leaves out `state`, which RFC 6749 demands (4.1.2.1)."""

    def __init__(self, **values):
        super().__init__(state=flask.request.args.get("state"), **values)


def without_styles(answer):
    """The package's pages ask another host for their style."""
    if answer.mimetype == "text/html":
        answer.set_data(re.sub(r"<link\b[^>]*>", "", answer.get_data(as_text=True)))
    return answer


def start():
    app = _app.app(require_client_registration=True, require_nonce=True,
                   user_claims=[User(sub=name, claims=claims) for name, claims in PEOPLE.items()])
    app.after_request(without_styles)
    server = werkzeug.serving.make_server("localhost", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever).start()
    return f"http://localhost:{server.server_port}"


def register(issuer, redirect, way):
    body = json.dumps({"redirect_uris": [redirect], "token_endpoint_auth_method": way}).encode()
    request = urllib.request.Request(f"{issuer}/oauth2/clients", data=body, headers={"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


def main():
    folder, count, redirect = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    _app.AuthorizationCodeGrant = Grant
    oauth2.AccessDeniedError = Denied
    providers = []
    for name, label in list(NAMES.items())[:count]:
        issuer = start()
        client = register(issuer, redirect, "none" if providers else "client_secret_basic")
        entry = {"name": name, "label": label, "issuer": issuer, "client_id": client["client_id"]}
        if not providers:
            (folder / "secret").write_text(client["client_secret"] + "\n")
            (folder / "secret").chmod(0o600)
            entry["client_secret_file"] = str(folder / "secret")
        providers.append(entry)
    (folder / "part").write_text(json.dumps({"providers": providers}))
    (folder / "part").rename(folder / "providers.json")


main()
