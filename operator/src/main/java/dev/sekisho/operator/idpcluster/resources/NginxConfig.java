package dev.sekisho.operator.idpcluster.resources;

/** The gateway's configuration. Works for nginx 1.22 and later, as any user, on a read-only root file system. */
final class NginxConfig {
    /** While this file is there each answer is its connection's last. */
    static final String DRAINING = "/tmp/draining";

    private NginxConfig() {}

    /**
     * The text of {@code nginx.conf}.
     *
     * @param runtime the host of the runtime's Service
     * @param keepalive idle connections per worker; 0 for none
     */
    static String text(String runtime, int keepalive) {
        var idle = keepalive == 0 ? "" : IDLE.formatted(keepalive).stripTrailing();
        return CONFIG.replace("@RUNTIME@", runtime)
                .replace("@DRAINING@", DRAINING)
                .replace("@KEEPALIVE@", idle)
                .replace("@CONNECTION@", keepalive == 0 ? "close" : "");
    }

    private static final String IDLE = """

                    # Connections end after a while, so that they spread over copies that came later.
                    keepalive %d;
                    keepalive_requests 10000;
                    keepalive_time 60s;
                    # Less than the runtime's drain delay: it closes none that could just be taken for a request.
                    keepalive_timeout 3s;
            """;

    private static final String CONFIG = """
            worker_processes 2;
            pid /tmp/nginx.pid;
            error_log stderr warn;
            worker_shutdown_timeout 20s;

            events {
                worker_connections 4096;
            }

            http {
                server_tokens off;
                default_type application/octet-stream;
                client_body_temp_path /tmp/client-body;
                proxy_temp_path /tmp/proxy;
                fastcgi_temp_path /tmp/fastcgi;
                uwsgi_temp_path /tmp/uwsgi;
                scgi_temp_path /tmp/scgi;

                # Neither query strings nor headers: they carry secrets.
                log_format json escape=json
                    '{"timestamp":"$time_iso8601","requestId":"$request_id","client":"$remote_addr",'
                    '"method":"$request_method","path":"$uri","protocol":"$server_protocol","status":"$status",'
                    '"bytes":"$bytes_sent","seconds":"$request_time","upstreamStatus":"$upstream_status",'
                    '"upstreamSeconds":"$upstream_response_time","tls":"$ssl_protocol"}';
                access_log /dev/stdout json buffer=32k flush=1s;

                tcp_nodelay on;
                keepalive_timeout 65s;
                keepalive_requests 10000;
                client_header_timeout 15s;
                client_body_timeout 15s;
                send_timeout 30s;
                reset_timedout_connection on;
                client_max_body_size 10m;
                client_body_buffer_size 64k;
                large_client_header_buffers 4 16k;

                ssl_certificate /etc/sekisho/tls/tls.crt;
                ssl_certificate_key /etc/sekisho/tls/tls.key;
                ssl_protocols TLSv1.2 TLSv1.3;
                ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;
                ssl_prefer_server_ciphers off;
                ssl_session_cache shared:tls:10m;
                ssl_session_timeout 1h;
                ssl_session_tickets off;

                upstream runtime {
                    # Twice the same: what failed before it was sent may be sent once more.
                    server @RUNTIME@:8080 max_fails=0;
                    server @RUNTIME@:8080 max_fails=0;@KEEPALIVE@
                }

                server {
                    listen 8081;
                    access_log off;
                    location = /healthz {
                        default_type text/plain;
                        return 200 "ok\\n";
                    }
                    location / {
                        return 404;
                    }
                }

                server {
                    listen 8443 ssl http2;
                    server_name _;
                    add_header Strict-Transport-Security "max-age=31536000" always;

                    proxy_http_version 1.1;
                    proxy_set_header Connection "@CONNECTION@";
                    proxy_connect_timeout 2s;
                    proxy_send_timeout 15s;
                    proxy_read_timeout 30s;
                    # Never a request that is not idempotent and was sent.
                    proxy_next_upstream error timeout;
                    proxy_next_upstream_tries 2;
                    proxy_next_upstream_timeout 5s;

                    proxy_set_header Host $host;
                    proxy_set_header X-Request-Id $request_id;
                    proxy_set_header X-Forwarded-For $remote_addr;
                    proxy_set_header X-Forwarded-Proto https;
                    proxy_set_header X-Forwarded-Host $http_host;
                    # What clients must not claim.
                    proxy_set_header Forwarded "";
                    proxy_set_header X-Forwarded-Port "";
                    proxy_set_header X-Forwarded-Server "";
                    proxy_set_header X-Forwarded-Prefix "";
                    proxy_set_header X-Forwarded-User "";
                    proxy_set_header X-Forwarded-Client-Cert "";
                    proxy_set_header X-Real-IP "";
                    proxy_set_header X-Original-URL "";
                    proxy_set_header X-Client-Cert "";
                    proxy_set_header X-SSL-Cert "";
                    proxy_set_header X-SSL-Client-Cert "";
                    proxy_set_header X-SSL-Client-Verify "";
                    proxy_set_header SSL-Client-Cert "";
                    proxy_set_header Client-Cert "";
                    proxy_set_header Client-Cert-Chain "";
                    proxy_set_header Proxy "";

                    location / {
                        if (-f @DRAINING@) {
                            return 418;
                        }
                        proxy_pass http://runtime;
                    }
                    # Whoever holds a connection open gets "Connection: close" while there is still time to open another.
                    error_page 418 = @draining;
                    recursive_error_pages on;
                    location @draining {
                        keepalive_timeout 0;
                        proxy_pass http://runtime;
                    }

                    # The status stays; what the runtime itself answers is passed on as it is.
                    error_page 400 408 411 414 431 @refused;
                    error_page 494 495 496 497 =400 @refused;
                    error_page 413 @too_large;
                    error_page 500 501 502 503 @unavailable;
                    error_page 504 @timeout;

                    location @refused {
                        default_type application/json;
                        add_header Cache-Control no-store always;
                        return 400 '{"error":"invalid_request","error_description":"The request is malformed."}';
                    }
                    location @too_large {
                        default_type application/json;
                        add_header Cache-Control no-store always;
                        return 413 '{"error":"invalid_request","error_description":"The request is too large."}';
                    }
                    location @unavailable {
                        default_type application/json;
                        add_header Cache-Control no-store always;
                        add_header Retry-After 1 always;
                        return 503 '{"error":"temporarily_unavailable","error_description":"The service cannot be reached at the moment."}';
                    }
                    location @timeout {
                        default_type application/json;
                        add_header Cache-Control no-store always;
                        add_header Retry-After 1 always;
                        return 504 '{"error":"temporarily_unavailable","error_description":"The service did not answer in time."}';
                    }
                }
            }
            """;
}
