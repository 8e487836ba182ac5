"""Signs in elsewhere by the official Python client, over documentd and the providers of ../openid/provider.py.

    providers.py ADDRESS KEY PROVIDER

ADDRESS is documentd's own, KEY an apikey of `documentd keys`, PROVIDER a name of its list. Needs `pip install supabase`.
"""

import re
import sys
import urllib.parse

import httpx
from supabase import ClientOptions, create_client
from supabase_auth.errors import AuthApiError

address, key, provider = sys.argv[1:]


def make():
    return create_client(address, key, options=ClientOptions(flow_type="pkce"))


def come_back(url, person, browser):
    """Goes to the provider as a person's browser does; gives the address to which the service sends it in the end."""
    there = browser.get(url)
    assert there.status_code == 302, there.text
    answer = httpx.post(there.headers["location"], data={"sub": person})
    assert answer.status_code == 302, answer.text
    back = browser.get(answer.headers["location"])
    assert back.status_code == 302, back.text
    return back.headers["location"], answer.headers["location"]


def query(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


def refused(code, call):
    try:
        call()
    except AuthApiError as error:
        assert error.code == code, (error.code, error)
        return
    raise AssertionError(f"not refused with {code}")


settings = httpx.get(f"{address}/auth/v1/settings").json()
assert settings["external"][provider] is True and settings["external"]["email"] is True, settings

client, browser = make(), httpx.Client()
there = client.auth.sign_in_with_oauth({"provider": provider, "options": {"redirect_to": f"{address}/documents?a=b"}})
location, callback = come_back(there.url, "cleo", browser)
assert location.startswith(f"{address}/documents?a=b&code="), location
# What was begun is ended once.
assert query(browser.get(callback).headers["location"])["fault"] == "ended"
session = client.auth.exchange_code_for_session({"auth_code": query(location)["code"]})
user = session.user
assert user.email == "cleo@example.org" and user.user_metadata["name"] == "Cleo de Mérode", user
assert user.app_metadata == {"provider": provider, "providers": [provider]}, user.app_metadata
assert [identity.provider for identity in user.identities] == [provider] and user.identities[0].id == "cleo"
claims = client.auth.get_claims()["claims"]
assert claims["amr"][0]["method"] == "oauth" and claims["app_metadata"]["provider"] == provider, claims
assert client.auth.get_user().user.id == user.id and client.auth.refresh_session().user.id == user.id
refused("flow_state_not_found", lambda: client.auth.exchange_code_for_session({"auth_code": query(location)["code"], "code_verifier": "a" * 43}))

# The same person again; a code is not valid by another verifier, and then nothing at all.
other = make()
there = other.auth.sign_in_with_oauth({"provider": provider, "options": {"redirect_to": f"{address}/"}})
code = query(come_back(there.url, "cleo", httpx.Client())[0])["code"]
refused("bad_code_verifier", lambda: other.auth.exchange_code_for_session({"auth_code": code, "code_verifier": "a" * 43}))
refused("flow_state_not_found", lambda: other.auth.exchange_code_for_session({"auth_code": code, "code_verifier": "a" * 43}))
there = other.auth.sign_in_with_oauth({"provider": provider})
location = come_back(there.url, "cleo", httpx.Client())[0]
assert re.fullmatch(re.escape(address) + r"/\?code=[0-9a-f]{64}", location), location
assert other.auth.exchange_code_for_session({"auth_code": query(location)["code"]}).user.id == user.id

# An address elsewhere gets no code; another browser ends nothing.
there = make().auth.sign_in_with_oauth({"provider": provider, "options": {"redirect_to": "https://evil.example/"}})
assert come_back(there.url, "cleo", httpx.Client())[0].startswith(f"{address}/?code=")
first = httpx.Client().get(make().auth.sign_in_with_oauth({"provider": provider}).url)
answer = httpx.post(first.headers["location"], data={"sub": "cleo"}).headers["location"]
for stranger in (httpx.Client(), httpx.Client(cookies={"compass-signin": "0" * 64})):
    assert query(stranger.get(answer).headers["location"])["fault"] == "ended"

# What a provider says of others.
for person, code in [("dan", "provider_email_needs_verification"), ("eve", "email_address_not_provided")]:
    there = make().auth.sign_in_with_oauth({"provider": provider})
    told = query(come_back(there.url, person, httpx.Client())[0])
    assert told["error_code"] == code, told
make().auth.sign_up({"email": "ada@example.org", "password": "correct horse"})
there = make().auth.sign_in_with_oauth({"provider": provider})
assert query(come_back(there.url, "ada", httpx.Client())[0])["error_code"] == "email_exists"

# An app without a challenge gets the tokens at the address that the service lists, and the reason why there are none.
def implicit(person, wish):
    browser = httpx.Client()
    there = f"{address}/auth/v1/authorize?" + urllib.parse.urlencode({"provider": provider, "redirect_to": wish})
    return come_back(there, person, browser)[0]


app = "jobmatchnow://auth/callback"
location = implicit("cleo", app)
assert location.startswith(f"{app}#"), location
parts = urllib.parse.parse_qsl(location.split("#")[1])
assert [name for name, _ in parts] == ["access_token", "expires_at", "expires_in", "refresh_token", "token_type"], location
tokens = dict(parts)
assert tokens["token_type"] == "bearer" and int(tokens["expires_at"]) > 1_700_000_000 and tokens["expires_in"] == "900", tokens
plain = create_client(address, key, options=ClientOptions(flow_type="implicit"))
assert plain.auth.set_session(tokens["access_token"], tokens["refresh_token"]).user.id == user.id
assert plain.auth.refresh_session().user.id == user.id
location = implicit("dan", app)
parts = urllib.parse.parse_qsl(location.removeprefix(f"{app}#"))
assert [name for name, _ in parts] == ["error", "error_code", "error_description"], location
assert dict(parts)["error_code"] == "provider_email_needs_verification", location
for wish in (f"{app}/", f"{app}?a=b", "evil://auth/callback", f"{address}/"):
    answer = httpx.get(f"{address}/auth/v1/authorize", params={"provider": provider, "redirect_to": wish})
    assert answer.status_code == 400 and answer.json()["error_code"] == "validation_failed", (wish, answer.text)
# With a challenge a code goes there.
there = make().auth.sign_in_with_oauth({"provider": provider, "options": {"redirect_to": app}})
assert come_back(there.url, "cleo", httpx.Client())[0].startswith(f"{app}?code=")

# Without a challenge, or for an unknown provider, nobody is sent anywhere.
for parameters in ({"provider": provider}, {"provider": "unknown", "code_challenge": "a" * 43, "code_challenge_method": "s256"},
                   {"provider": provider, "code_challenge": "a" * 43, "code_challenge_method": "plain"}):
    answer = httpx.get(f"{address}/auth/v1/authorize", params=parameters)
    assert answer.status_code == 400 and answer.json()["error_code"] == "validation_failed", answer.text
print("ok")
