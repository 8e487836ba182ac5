import TestDeadline
import Testing

/// Every route of the service and clients that do not behave: the table `routes.txt` says how each route is called.
///
/// They want a process of their own: some of them look at the times of ordinary requests.
@Suite("Hostile clients on every route", .serialized, .deadline(.seconds(600)))
struct HostileClientTests {}
