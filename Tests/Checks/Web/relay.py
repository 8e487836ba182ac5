"""The network between Chromium and documentd, which tests cut: Chromium's own switch leaves requests under way alone.

A SOCKS proxy (RFC 1928), because documentd answers only under its own address.
"""

import selectors
import socket
import threading


class Relay:
    def __init__(self, target):
        host, port = target.removeprefix("http://").split(":")
        self.target, self.port, self.pairs, self.listener = (host, int(port)), 0, set(), None
        self.lock = threading.Lock()
        self.mend()
        self.address = f"socks5://127.0.0.1:{self.port}"

    def mend(self):
        """Carries connections (again)."""
        if self.listener:
            return
        listener = socket.create_server(("127.0.0.1", self.port))
        self.port, self.listener = listener.getsockname()[1], listener
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()

    def cut(self):
        """Ends every connection, and refuses new ones."""
        with self.lock:
            listener, self.listener = self.listener, None
            pairs, self.pairs = self.pairs, set()
        if listener:
            # A thread that waits in accept() holds the port until it is woken.
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for one in (one for pair in pairs for one in pair):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self.target, timeout=5)
                far.settimeout(None)
            except OSError:
                near.close()
                continue
            with self.lock:
                self.pairs.add((near, far))
            threading.Thread(target=self._carry, args=[near, far], daemon=True).start()

    def _carry(self, near, far):
        near.recv(262)
        near.sendall(b"\5\0")
        near.recv(262)
        near.sendall(b"\5\0\0\1" + bytes(6))
        with selectors.DefaultSelector() as waiting:
            waiting.register(near, selectors.EVENT_READ, far)
            waiting.register(far, selectors.EVENT_READ, near)
            try:
                while True:
                    for key, _ in waiting.select():
                        content = key.fileobj.recv(65536)
                        if not content:
                            return
                        key.data.sendall(content)
            except OSError:
                return
            finally:
                with self.lock:
                    self.pairs.discard((near, far))
                near.close()
                far.close()
