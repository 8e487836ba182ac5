#!/usr/bin/env python3
"""A relay of TCP connections, which stands between two hosts and adds a delay to what comes back.

usage: relay.py FOLDER ROUTE…      a route is LISTENING-ADDRESS:PORT=TARGET-ADDRESS:PORT[=CHANGE]

The file `delay` in the folder holds the delay in milliseconds, and may change at any time. A change is what a control or the audit
needs:

unfenced    of the messages that a client of PostgreSQL sends, those that prepare a statement over a lease's current token get the
            statement over every token that the job has ever had. Then a stale token counts as the current one.
aged        of the answers of a store, the times at which objects were stored are a year earlier, so that a sweep, which leaves alone
            what is younger than a day, looks at all of them.
"""

import asyncio
import os
import re
import struct
import sys

PIECE = 1 << 16


class Relay:
    def __init__(self, folder):
        self.folder, self.delay = folder, 0.0

    async def watch(self):
        while True:
            try:
                with open(os.path.join(self.folder, "delay")) as file:
                    self.delay = float(file.read() or 0) / 1000
            except (OSError, ValueError):
                pass
            await asyncio.sleep(0.1)

    async def serve(self, near, far, change):
        async def meet(reader, writer):
            try:
                back_reader, back_writer = await asyncio.wait_for(asyncio.open_connection(*far), 10)
            except (OSError, asyncio.TimeoutError):
                writer.transport.abort()
                return
            there = unfenced if change == "unfenced" else plain
            back = aged if change == "aged" else plain
            await asyncio.gather(self.carry(reader, back_writer, there, False), self.carry(back_reader, writer, back, True))
        await asyncio.start_server(meet, *near)

    async def carry(self, reader, writer, change, is_back):
        """Carries one direction. Each piece waits for its own time, so that a delay adds to latency and does not bound throughput."""
        queue = asyncio.Queue(256)
        loop = asyncio.get_running_loop()

        async def send():
            while True:
                due, piece = await queue.get()
                if piece is None:
                    return
                if due > loop.time():
                    await asyncio.sleep(due - loop.time())
                writer.write(piece)
                await writer.drain()

        sender = asyncio.ensure_future(send())
        try:
            async for piece in change(reader):
                await queue.put((loop.time() + (self.delay if is_back else 0), piece))
                if sender.done():
                    break
            await queue.put((0, None))
            await sender
            if writer.can_write_eof():
                writer.write_eof()
        except (OSError, RuntimeError, asyncio.IncompleteReadError):
            sender.cancel()
            writer.transport.abort()
        finally:
            if is_back:
                writer.close()


async def plain(reader):
    while piece := await reader.read(PIECE):
        yield piece


TOKENS = [
    (re.compile(rb"WHERE lease_token = (\$\d+) FOR UPDATE"),
     rb"WHERE id = (SELECT job FROM cluster_tokens WHERE token = \1) FOR UPDATE"),
    (re.compile(rb"AND job\.lease_token = (\$\d+)"), rb"AND job.id = (SELECT job FROM cluster_tokens WHERE token = \1)"),
]


async def unfenced(reader):
    """A message of a client is a letter (but for the first one), its length, and its content (PostgreSQL, chapter 55.7)."""
    is_first = True
    while True:
        head = await reader.read(4 if is_first else 1)
        if not head:
            return
        if is_first:
            while len(head) < 4:
                head += await reader.readexactly(4 - len(head))
            length = struct.unpack("!I", head)[0]
            rest = await reader.readexactly(length - 4)
            # An offer of encryption is refused by the server, and the true beginning follows.
            is_first = struct.unpack("!I", rest[:4])[0] in (80877103, 80877104)
            yield head + rest
            continue
        length = struct.unpack("!I", await reader.readexactly(4))[0]
        content = await reader.readexactly(length - 4)
        if head == b"P":
            for current, any_ever in TOKENS:
                content = current.sub(any_ever, content)
        yield head + struct.pack("!I", len(content) + 4) + content


STORED = re.compile(rb"(<LastModified>|<Initiated>|Last-Modified: \w{3}, \d\d \w{3} )(\d{4})")


async def aged(reader):
    """Keeps the lengths; what arrives within a short time is looked at together, so that no time is cut in two."""
    held = b""
    while True:
        try:
            piece = await asyncio.wait_for(reader.read(PIECE), 0.05 if held else None)
            held += piece
            if piece and len(held) < 4 << 20:
                continue
        except asyncio.TimeoutError:
            piece = b"x"
        yield STORED.sub(lambda found: found[1] + b"%04d" % (int(found[2]) - 1), held)
        held = b""
        if not piece:
            return


async def main():
    relay = Relay(sys.argv[1])
    for route in sys.argv[2:]:
        near, far, change = (route.split("=") + [""])[:3]
        await relay.serve(near.split(":"), far.split(":"), change)
    print("ready", flush=True)
    await relay.watch()


if __name__ == "__main__":
    asyncio.run(main())
