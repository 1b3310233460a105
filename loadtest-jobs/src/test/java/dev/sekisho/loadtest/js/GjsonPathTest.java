package dev.sekisho.loadtest.js;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GjsonPathTest {
    private static final String JSON = """
            {"name":{"first":"Tom","last":"Anderson"},"age":37,"children":["Sara","Alex","Jack"],
             "fav.movie":"Deer Hunter","nothing":null,"a*b":1,
             "friends":[{"first":"Dale","age":44,"nets":["ig","fb"]},{"first":"Roger","age":68,"nets":["fb"]},
                        {"first":"Jane","age":47,"nets":["ig","tw"]}]}
            """;

    private static String select(String path) {
        try {
            return GjsonPath.parse(path)
                    .select(new ObjectMapper().readTree(JSON))
                    .map(JsonNode::toString)
                    .orElse("missing");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "name.last; \"Anderson\"",
                "age; 37",
                "nothing; null",
                "children; [\"Sara\",\"Alex\",\"Jack\"]",
                "children.#; 3",
                "children.1; \"Alex\"",
                "child*.2; \"Jack\"",
                "c?ildren.0; \"Sara\"",
                "fav\\.movie; \"Deer Hunter\"",
                "a\\*b; 1",
                "friends.#.first; [\"Dale\",\"Roger\",\"Jane\"]",
                "friends.1.first; \"Roger\"",
                "friends.#.nets.0; [\"ig\",\"fb\",\"ig\"]",
                "friends.#(first==\"Roger\").age; 68",
                "friends.#(age>45)#.first; [\"Roger\",\"Jane\"]",
                "friends.#(age<=44)#; [{\"first\":\"Dale\",\"age\":44,\"nets\":[\"ig\",\"fb\"]}]",
                "friends.#(first%\"D*\").age; 44",
                "friends.#(first!%\"D*\")#.age; [68,47]",
                "friends.#(nets.#(==\"tw\")).first; \"Jane\"",
                "friends|1|first; \"Roger\"",
                "friends.#(age>100); missing",
                "friends.#(age>100)#; []",
                "name.middle; missing",
                "children.9; missing",
                "age.x; missing",
            })
    void pathsSelect(String path, String expected) {
        assertThat(select(path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"@reverse", "{a,b}", "[a,b]", "friends.#(age>1"})
    void whatIsNotSupportedIsSaid(String path) {
        assertThatThrownBy(() -> select(path)).isInstanceOf(IllegalArgumentException.class);
    }
}
