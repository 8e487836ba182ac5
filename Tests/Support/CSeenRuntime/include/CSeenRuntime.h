// Shows ThreadSanitizer what Swift's libraries do between threads (see CSeenRuntime.c); nothing to call.
#pragma once
