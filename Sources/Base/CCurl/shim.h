#include <curl/curl.h>
#include <netinet/in.h>
#include <stdio.h>

// Values of an enumeration on Debian 12, numbers on 13.
static const long ccurl_tls_optional = (long)CURLUSESSL_TRY;
static const long ccurl_tls_required = (long)CURLUSESSL_ALL;

// Swift cannot call functions with a variable number of parameters.
static inline CURLcode ccurl_set_number(CURL *transfer, CURLoption option, long value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_text(CURL *transfer, CURLoption option, const char *value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_list(CURL *transfer, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *transfer, CURLoption option, void *value) {
    return curl_easy_setopt(transfer, option, value);
}

/// What takes the bytes that come: returns their number, or another to end the transfer.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_receiver(CURL *transfer, CURLoption option, ccurl_receiver receiver) {
    return curl_easy_setopt(transfer, option, receiver);
}

/// What opens a socket for an address, of 4 or 16 bytes in network order, none for other families: returns its descriptor, or
/// -1 to refuse the address.
typedef int (*ccurl_opener)(
    void *context, int family, int type, int protocol, const unsigned char *address, int address_length);

// What libcurl calls: the opener and its context in one.
struct ccurl_opening {
    ccurl_opener open;
    void *context;
};

static inline curl_socket_t ccurl_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *place) {
    const struct ccurl_opening *opening = (const struct ccurl_opening *)context;
    const unsigned char *bytes = 0;
    int length = 0;
    if (place->family == AF_INET) {
        bytes = (const unsigned char *)&((const struct sockaddr_in *)&place->addr)->sin_addr;
        length = 4;
    } else if (place->family == AF_INET6) {
        bytes = (const unsigned char *)&((const struct sockaddr_in6 *)&place->addr)->sin6_addr;
        length = 16;
    }
    return opening->open(opening->context, place->family, place->socktype, place->protocol, bytes, length);
}

/// Has every socket of a transfer opened by a function; `opening` must live as long as the transfer runs.
static inline CURLcode ccurl_set_opening(CURL *transfer, struct ccurl_opening *opening) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_socket);
    return result ? result : curl_easy_setopt(transfer, CURLOPT_OPENSOCKETDATA, opening);
}

static inline long ccurl_response_code(CURL *transfer) {
    long code = 0;
    curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &code);
    return code;
}
