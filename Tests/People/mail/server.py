"""An SMTP server that keeps what it gets: aiosmtpd, as Debian has it.

    python3 server.py FOLDER [--user NAME --password WORD] [--tls CERTIFICATE KEY] [--refuse COUNT]

Writes the port to FOLDER/port, and each mail to FOLDER/1.eml, FOLDER/2.eml and so on, headers first. With a user it takes mail of
nobody else; with a certificate it offers STARTTLS, and takes mail by it alone. The first COUNT mails are refused for the moment.
"""

import argparse
import asyncio
import os
import ssl
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


class Keeper:
    def __init__(self, folder, refusals):
        self.folder, self.refusals, self.count = folder, refusals, 0

    async def handle_DATA(self, server, session, envelope):
        if self.refusals > 0:
            self.refusals -= 1
            return "451 try again later"
        self.count += 1
        part = self.folder / "part"
        part.write_bytes(f"X-Rcpt: {','.join(envelope.rcpt_tos)}\r\nX-From: {envelope.mail_from}\r\n".encode() + envelope.original_content)
        os.rename(part, self.folder / f"{self.count}.eml")
        return "250 OK"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--user")
    parser.add_argument("--password")
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--refuse", type=int, default=0)
    given = parser.parse_args()

    def authenticate(server, session, envelope, mechanism, data):
        known = (isinstance(data, LoginPassword) and data.login.decode() == given.user
                 and data.password.decode() == given.password)
        return AuthResult(success=known)

    options = {}
    if given.user:
        options |= {"authenticator": authenticate, "auth_required": True, "auth_require_tls": bool(given.tls)}
    if given.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*given.tls)
        options |= {"tls_context": context, "require_starttls": True}
    keeper = Keeper(given.folder, given.refuse)
    asyncio.run(serve(given.folder, lambda: SMTP(keeper, **options)))


async def serve(folder, make):
    loop = asyncio.get_running_loop()
    server = await loop.create_server(make, host="127.0.0.1", port=0)
    part = folder / "port-part"
    part.write_text(str(server.sockets[0].getsockname()[1]))
    os.rename(part, folder / "port")
    await server.serve_forever()


if __name__ == "__main__":
    main()
