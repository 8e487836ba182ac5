"""Debian's clamd over a scratch folder, with one signature: that of bytes which the test invents."""

import signal
import socket
import subprocess
import time

# No real malware: nothing but this test knows these bytes.
INVENTED = b"The quick brown receiver drops nineteen imaginary passes in Compass' own test of scanners."


class Clamd:
    """A scanner that can be stopped, continued, killed and started again."""

    def __init__(self, folder, program="/usr/sbin/clamd"):
        self.program, self.socket, self.log = program, folder / "clamd.ctl", folder / "clamd.log"
        signatures = folder / "signatures"
        signatures.mkdir()
        # NAME:ANY KIND OF FILE:ANY PLACE:BYTES, in hexadecimal (clamscan's documentation of .ndb).
        (signatures / "invented.ndb").write_text(f"Compass.Invented-1:0:*:{INVENTED.hex()}\n")
        self.configuration = folder / "clamd.conf"
        self.configuration.write_text(
            f"Foreground yes\nLocalSocket {self.socket}\nDatabaseDirectory {signatures}\nLogFile {self.log}\nLogClean yes\n"
            f"FixStaleSocket yes\nMaxThreads 4\nStreamMaxLength 1M\nTemporaryDirectory {folder}\n")
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "--config-file", self.configuration], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            if self.process.poll() is not None:
                raise SystemExit(f"clamd does not start:\n{self.text()}")
            if self.answers():
                return
            time.sleep(0.1)
        raise SystemExit(f"clamd does not answer:\n{self.text()}")

    def answers(self):
        """Whether it answers the command PING."""
        with socket.socket(socket.AF_UNIX) as stream:
            stream.settimeout(2)
            try:
                stream.connect(str(self.socket))
                stream.sendall(b"zPING\0")
                return stream.recv(16) == b"PONG\0"
            except OSError:
                return False

    def hang(self):
        """It takes connections, and says nothing any more."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def text(self):
        return self.log.read_text() if self.log.exists() else ""

    def findings(self):
        """How often it has found the signature."""
        return self.text().count("Compass.Invented-1.UNOFFICIAL FOUND")
