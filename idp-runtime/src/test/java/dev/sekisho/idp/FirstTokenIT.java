package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import org.junit.jupiter.api.Test;

class FirstTokenIT {
    @Test
    void aDeclaredTenantIssuesTokensThatItsKeysVerify() throws Exception {
        var environment = Environment.shared();
        var tenantId = Declaration.freshId("first");
        try (var runtime = environment.runtime();
                var client = environment.client(runtime)) {
            var put = client.put(Declaration.of(tenantId).client("app", "client_secret_basic", "read", "write"));
            assertThat(put.status()).as(put.body()).isEqualTo(200);
            assertThat(put.json().path("changed").asBoolean()).isTrue();

            var reply = client.token(tenantId, "app", Declaration.SECRET, "grant_type=client_credentials&scope=read");
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);

            var token = SignedJWT.parse(reply.json().path("access_token").asText());
            var jwks = JWKSet.parse(client.get("/" + tenantId + "/v1/jwks").body());
            var key = (ECKey) jwks.getKeyByKeyId(token.getHeader().getKeyID());
            assertThat(token.verify(new ECDSAVerifier(key))).isTrue();
            assertThat(token.getJWTClaimsSet().getIssuer()).isEqualTo(Environment.PUBLIC_URL + "/" + tenantId);
            assertThat(client.metrics("/health/ready").status()).isEqualTo(200);
        }
    }
}
