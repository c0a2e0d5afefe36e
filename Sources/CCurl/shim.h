// libcurl as Swift sees it: its setters and getters are variadic, which Swift cannot call, so each type of value has one of its own.
#ifndef AETHER_CCURL_H
#define AETHER_CCURL_H

// The checks of types are macros over the variadic calls, which are made here alone.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <curl/urlapi.h>
#include <string.h>

static inline CURLcode aether_curl_set_long(CURL *_Nonnull curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode aether_curl_set_size(CURL *_Nonnull curl, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(curl, option, value);
}
/// libcurl copies the text.
static inline CURLcode aether_curl_set_text(CURL *_Nonnull curl, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(curl, option, value);
}
/// The list, buffer, handle or context must outlive the transfer.
static inline CURLcode aether_curl_set_pointer(CURL *_Nonnull curl, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(curl, option, value);
}

typedef size_t (*aether_curl_receiver)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode aether_curl_set_body(CURL *_Nonnull curl, aether_curl_receiver _Nonnull receiver, void *_Nullable context) {
    CURLcode status = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receiver);
    return status ? status : curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
}
static inline CURLcode aether_curl_set_headers(CURL *_Nonnull curl, aether_curl_receiver _Nonnull receiver, void *_Nullable context) {
    CURLcode status = curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, receiver);
    return status ? status : curl_easy_setopt(curl, CURLOPT_HEADERDATA, context);
}

/// Whether a connection to the address may be made.
typedef int (*aether_curl_gate)(void *_Nullable context, const struct sockaddr *_Nonnull address);

struct aether_curl_gatekeeper {
    aether_curl_gate _Nonnull gate;
    void *_Nullable context;
    /// Bytes that the system receives ahead; 0: as it finds right.
    int receive_buffer;
};

static inline curl_socket_t aether_curl_open_socket(void *keeper, curlsocktype purpose, struct curl_sockaddr *address) {
    struct aether_curl_gatekeeper *gatekeeper = keeper;
    (void)purpose;
    if (!gatekeeper->gate(gatekeeper->context, &address->addr)) return CURL_SOCKET_BAD;
    curl_socket_t opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    // Before it connects: later the window is not made smaller.
    if (opened >= 0 && gatekeeper->receive_buffer > 0)
        setsockopt(opened, SOL_SOCKET, SO_RCVBUF, &gatekeeper->receive_buffer, sizeof gatekeeper->receive_buffer);
    return opened;
}
/// The cookies that the handle knows, in Netscape's format. The list is the caller's to free.
static inline struct curl_slist *_Nullable aether_curl_cookies(CURL *_Nonnull curl) {
    struct curl_slist *list = NULL;
    return curl_easy_getinfo(curl, CURLINFO_COOKIELIST, &list) ? NULL : list;
}
/// Asks before each connection, with the address that is connected to. The keeper must outlive the transfer.
static inline CURLcode aether_curl_set_gate(CURL *_Nonnull curl, struct aether_curl_gatekeeper *_Nonnull keeper) {
    CURLcode status = curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, aether_curl_open_socket);
    return status ? status : curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, keeper);
}

/// A host's name is about to be looked up.
static inline CURLcode aether_curl_set_resolving(
    CURL *_Nonnull curl, int (*_Nonnull begins)(void *_Nullable state, void *_Nullable reserved, void *_Nullable context),
    void *_Nullable context) {
    CURLcode status = curl_easy_setopt(curl, CURLOPT_RESOLVER_START_FUNCTION, begins);
    return status ? status : curl_easy_setopt(curl, CURLOPT_RESOLVER_START_DATA, context);
}
/// The connection is ready and the request about to be sent.
static inline CURLcode aether_curl_set_ready(
    CURL *_Nonnull curl,
    int (*_Nonnull ready)(void *_Nullable context, char *_Nullable peer, char *_Nullable own, int peer_port, int own_port),
    void *_Nullable context) {
    CURLcode status = curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, ready);
    return status ? status : curl_easy_setopt(curl, CURLOPT_PREREQDATA, context);
}
/// Connections that were made for this transfer.
static inline long aether_curl_connections(CURL *_Nonnull curl) {
    long count = 0;
    return curl_easy_getinfo(curl, CURLINFO_NUM_CONNECTS, &count) ? 0 : count;
}

/// The address that answers, in words; libcurl's own text, good until the next call. Null before there is one.
static inline const char *_Nullable aether_curl_peer(CURL *_Nonnull curl) {
    const char *text = NULL;
    return curl_easy_getinfo(curl, CURLINFO_PRIMARY_IP, &text) || !text || !*text ? NULL : text;
}
/// Bytes that this transfer will bring; -1 where nobody says.
static inline long long aether_curl_length(CURL *_Nonnull curl) {
    curl_off_t length = -1;
    return curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length) ? -1 : length;
}
/// When the file was changed, in seconds since 1970; -1 where nobody says.
static inline long long aether_curl_change(CURL *_Nonnull curl) {
    curl_off_t time = -1;
    return curl_easy_getinfo(curl, CURLINFO_FILETIME_T, &time) ? -1 : time;
}
/// The versions of this libcurl and of the libraries under it. Cheap: nothing is set up for it.
static inline const curl_version_info_data *_Nullable aether_curl_library(void) { return curl_version_info(CURLVERSION_NOW); }

/// Whether this libcurl was built with a protocol.
static inline int aether_curl_speaks(const char *_Nonnull scheme) {
    const curl_version_info_data *info = aether_curl_library();
    for (const char *const *name = info ? info->protocols : NULL; name && *name; name++) {
        if (!strcmp(*name, scheme)) return 1;
    }
    return 0;
}
/// Whether this libcurl was built with a feature (CURL_VERSION_…).
static inline int aether_curl_has(long feature) {
    const curl_version_info_data *info = aether_curl_library();
    return info && (info->features & feature) != 0;
}
/// The system's number of the connection's last error; 0 where there was none.
static inline long aether_curl_errno(CURL *_Nonnull curl) {
    long number = 0;
    return curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &number) ? 0 : number;
}

/// The status of a proxy's answer to CONNECT; 0 where it was not asked.
static inline long aether_curl_tunnel_status(CURL *_Nonnull curl) {
    long status = 0;
    return curl_easy_getinfo(curl, CURLINFO_HTTP_CONNECTCODE, &status) ? 0 : status;
}

/// Name and password go along with the first request, unasked.
static inline CURLcode aether_curl_set_basic(CURL *_Nonnull curl) {
    return curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
}

/// Name and password are proved by a digest of the server's question; that costs a request more.
static inline CURLcode aether_curl_set_digest(CURL *_Nonnull curl) {
    return curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_DIGEST);
}

static inline CURLMcode aether_curl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLSHcode aether_curl_share_sessions(CURLSH *_Nonnull share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}
/// The transfer that has ended, with its result; null when there is none.
static inline CURL *_Nullable aether_curl_next_end(CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

#endif
