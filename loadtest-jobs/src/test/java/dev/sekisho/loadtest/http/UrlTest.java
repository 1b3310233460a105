package dev.sekisho.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlTest {
    @Test
    void partsAreFound() throws RequestException {
        Url url = Url.parse("HTTPS://user:p%40ss@Example.org:8443/a b?q=ü#fragment");

        assertThat(url.secure()).isTrue();
        assertThat(url.host()).isEqualTo("example.org");
        assertThat(url.port()).isEqualTo(8443);
        assertThat(url.target()).isEqualTo("/a%20b?q=%C3%BC");
        assertThat(url.hostHeader()).isEqualTo("example.org:8443");
        assertThat(url.clean()).isEqualTo("HTTPS://****:****@Example.org:8443/a b?q=ü");
    }

    @ParameterizedTest
    @CsvSource({
        "http://h, 80, /, h",
        "https://h?x=1, 443, /?x=1, h",
        "http://h:443/, 443, /, h:443",
        "http://[::1]:80/x, 80, /x, [::1]",
    })
    void portAndTargetHaveDefaults(String text, int port, String target, String hostHeader) throws RequestException {
        Url url = Url.parse(text);

        assertThat(url.port()).isEqualTo(port);
        assertThat(url.target()).isEqualTo(target);
        assertThat(url.hostHeader()).isEqualTo(hostHeader);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h:x/", "http://h:70000/", "http://a b/", "http://h/\u0000", "http://h/\r\nX: y"})
    void whatIsNoUrlIsRefused(String text) {
        assertThatThrownBy(() -> Url.parse(text))
                .isInstanceOfSatisfying(
                        RequestException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_URL));
    }

    @ParameterizedTest
    @CsvSource({
        "/x, https://h:8443/x",
        "x, https://h:8443/a/x",
        "../x, https://h:8443/x",
        "./x?y, https://h:8443/a/x?y",
        "?y=2, https://h:8443/a/b?y=2",
        "//other/x, https://other/x",
        "http://else/x, http://else/x",
        "/../../x/., https://h:8443/x/",
    })
    void locationsAreResolved(String location, String expected) throws RequestException {
        assertThat(Url.parse("https://h:8443/a/b?q").resolve(location).text()).isEqualTo(expected);
    }

    @Test
    void formsAreSortedAndEncoded() {
        TreeMap<String, List<String>> fields = new TreeMap<>();
        fields.put("b", List.of("x y", "*~"));
        fields.put("a&", List.of("ä"));

        assertThat(Forms.encode(fields)).isEqualTo("a%26=%C3%A4&b=x+y&b=%2A~");
    }
}
