package dev.sekisho.loadtest.http;

import java.util.Map;

/**
 * What all clients of a run share.
 *
 * @param tls whom to trust
 * @param hosts addresses in place of DNS: {@code name} or {@code name:port} to {@code address} or {@code address:port}
 * @param keepAlive whether connections are used for more than one request
 * @param idlePerHost how many idle connections a virtual user keeps per origin
 */
public record HttpSettings(TlsSettings tls, Map<String, String> hosts, boolean keepAlive, int idlePerHost) {
    public HttpSettings {
        hosts = Map.copyOf(hosts);
    }
}
