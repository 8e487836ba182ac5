#include <curl/curl.h>
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

static inline long ccurl_response_code(CURL *transfer) {
    long code = 0;
    curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &code);
    return code;
}
