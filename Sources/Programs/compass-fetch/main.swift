import CLinux
import Console
import Fetching
import Linux

// Reads remote content for compass, thumbd or documentd, which starts this program with a socket as descriptor 3. Only
// this program talks to servers of strangers. It serves one piece of content or one folder of a bucket, and ends when
// the socket closes.

guard clinux_fcntl(3, F_GETFD, 0) >= 0, CommandLine.arguments.count == 1 else {
    print("This program reads files from other machines for compass, which starts it; it does nothing by itself.")
    exit(2)
}
var service = FetchService(MessageSocket(Descriptor(owning: 3)), environment: Process.environment)
service.serve()
