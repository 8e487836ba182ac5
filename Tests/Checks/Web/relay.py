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
        # Ports of this machine that are reached too; everything else is documentd.
        self.others = set()
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
        for pair in pairs:
            self._end(pair)

    @staticmethod
    def _end(pair):
        for one in pair:
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
            threading.Thread(target=self._connect, args=[near], daemon=True).start()

    def _connect(self, near):
        try:
            near.recv(262)
            near.sendall(b"\5\0")
            port = int.from_bytes(near.recv(262)[-2:])
            far = socket.create_connection(("127.0.0.1", port) if port in self.others else self.target, timeout=5)
            far.settimeout(None)
            near.sendall(b"\5\0\0\1" + bytes(6))
        except OSError:
            near.close()
            return
        with self.lock:
            self.pairs.add((near, far))
            is_cut = not self.listener
        if is_cut:
            self._end((near, far))
        self._carry(near, far)

    def _carry(self, near, far):
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
