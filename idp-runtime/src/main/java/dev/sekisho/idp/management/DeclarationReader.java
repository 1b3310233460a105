package dev.sekisho.idp.management;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads declarations. What is wrong is said by its place, never by its value: it may be a secret. */
final class DeclarationReader {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(JsonParser.Feature.AUTO_CLOSE_SOURCE)
            .build();

    private DeclarationReader() {}

    /**
     * Reads a declaration; that it makes sense is not checked.
     *
     * @throws OAuthException {@code invalid_request} naming the field
     */
    static TenantDeclaration read(byte[] body) {
        try {
            var declaration = JSON.readValue(body, TenantDeclaration.class);
            if (declaration == null) {
                throw new OAuthException(OAuthError.INVALID_REQUEST, "The body must be a JSON object.");
            }
            return declaration;
        } catch (JsonMappingException e) {
            throw new OAuthException(
                    OAuthError.INVALID_REQUEST, place(e) + " is missing or has a wrong type or value.");
        } catch (JsonProcessingException e) {
            throw new OAuthException(OAuthError.INVALID_REQUEST, "The body is not well-formed JSON.");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String place(JsonMappingException e) {
        var place = new StringBuilder();
        boolean secret = false;
        for (var step : e.getPath()) {
            if (step.getFieldName() == null) {
                place.append('[').append(step.getIndex()).append(']');
            } else if (secret || !step.getFieldName().matches("[A-Za-z]{1,64}")) {
                // A key that the caller chose.
                place.append(".<key>");
            } else {
                place.append(place.isEmpty() ? "" : ".").append(step.getFieldName());
                secret = step.getFieldName().equals("clientSecrets");
            }
        }
        return place.isEmpty() ? "The body" : place.toString();
    }
}
