package dev.sekisho.idp.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sekisho.idp.oauth.ClientAuthentication;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FormsTest {
    private static Map<String, List<String>> parse(String form) throws Forms.MalformedFormException {
        return Forms.parse(form.getBytes(StandardCharsets.ISO_8859_1)).values();
    }

    @Test
    void parametersAreDecoded() throws Exception {
        assertThat(parse("a=1&b=x+y%20z&c=%C3%A9%3D%26&%61b=2"))
                .isEqualTo(Map.of("a", List.of("1"), "b", List.of("x y z"), "c", List.of("é=&"), "ab", List.of("2")));
    }

    @Test
    void onlyTheFirstEqualsSignSeparates() throws Exception {
        assertThat(parse("a=b=c=")).isEqualTo(Map.of("a", List.of("b=c=")));
    }

    @Test
    void emptyPartsAndParametersWithoutValueAreLeftOut() throws Exception {
        assertThat(parse("")).isEmpty();
        assertThat(parse("&&a&b=&=&c=1&")).isEqualTo(Map.of("c", List.of("1")));
    }

    @Test
    void repeatedParametersKeepTheirOrder() throws Exception {
        assertThat(parse("a=1&b=2&a=3")).containsEntry("a", List.of("1", "3"));
    }

    @Test
    void malformedFormsAreRefused() {
        for (var form : List.of(
                "a=%",
                "a=%4", "a=%zz", "a=%4&b=1", "a=\0", "a=%00", "\0=1", "a=%ff", "a=\u00ff", "a=%C3", "a=%ED%A0%80")) {
            assertThatThrownBy(() -> parse(form)).as(form).isInstanceOf(Forms.MalformedFormException.class);
        }
        assertThatThrownBy(() -> parse("a=1&".repeat(201))).isInstanceOf(Forms.MalformedFormException.class);
    }

    @Test
    void noBytesCauseAnyOtherException() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            var bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = random.nextInt(3) == 0 ? (byte) "%&=+0aF".charAt(random.nextInt(7)) : bytes[j];
            }
            try {
                Forms.parse(bytes);
            } catch (Forms.MalformedFormException e) {
                assertThat(e).hasMessageStartingWith("The form");
            }
        }
    }

    private static ClientAuthentication header(String userAndPassword) {
        return BasicCredentials.parse(
                "basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void basicCredentialsAreFormDecoded() {
        assertThat(header("a%3Ab:c%20d+e:f")).isEqualTo(new ClientAuthentication.Basic("a:b", "c d e:f"));
        assertThat(header("idé:sécret")).isEqualTo(new ClientAuthentication.Basic("idé", "sécret"));
    }

    @Test
    void otherHeadersAreUnusable() {
        for (var value : List.of(
                "", "Basic", "Basic ", "Basic ä", "Bearer x", "Basic YQ==", "Basic OmI=", "Basic YTo=", "BasicYTpi")) {
            assertThat(BasicCredentials.parse(value)).as(value).isEqualTo(new ClientAuthentication.Unusable());
        }
        assertThat(header("a%00:b")).isEqualTo(new ClientAuthentication.Unusable());
        assertThat(header("a:%x").toString()).doesNotContain("%x");
    }

    @Test
    void requestIdsThatCouldForgeLogLinesAreNotTaken() {
        assertThat(RequestIds.isSane("0aZ-_.")).isTrue();
        for (var id : List.of("", "a b", "a\nb", "é", "\"", "<", "x".repeat(65))) {
            assertThat(RequestIds.isSane(id)).as(id).isFalse();
        }
        assertThat(RequestIds.create()).hasSize(32).isNotEqualTo(RequestIds.create());
    }
}
